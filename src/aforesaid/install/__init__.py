"""Adds aforesaid to the configuration of coding agents and desktop apps, and removes it again.

Each edit changes only its own entries: comments, order and formatting of the rest stay."""
