"""The site and the generated reference of the documentation."""
