"""What both ways, in and out, must understand alike: terms, identifiers, what text is acceptable."""
