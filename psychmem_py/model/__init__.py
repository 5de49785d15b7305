"""The words of the domain: vocabularies, records, classes of memory and every setting. Values only. Begin with `records`: a Message becomes
a Candidate, a Verdict, a Memory, a Change.
"""
