"""The page, as it is built from `web/`."""
