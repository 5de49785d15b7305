"""The words of the domain: vocabularies (`terms`), records, classes of memory and every setting. Values only; pure.

May import: nothing of ours but `errors`. Begin with `records`: a Message becomes a Candidate, a Verdict, a Memory, a Change.
`light_record` is apart because hooks load it.
"""
