"""Text analysis and validation that storing and searching share."""
