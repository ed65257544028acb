"""The REST server. Each route parses a request, calls one verb of `Memory`, and returns its result."""
