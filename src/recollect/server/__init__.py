"""The REST door: parses, calls one verb, answers."""
