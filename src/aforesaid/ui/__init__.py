"""The web page, built from `web/`."""
