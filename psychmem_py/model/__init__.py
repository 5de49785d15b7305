"""The words of the domain: vocabularies, records, classes, settings. Values only. Begin with `records`: Message to Change."""
