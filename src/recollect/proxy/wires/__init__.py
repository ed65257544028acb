"""The three ways in which a request says what was said before."""
