"""A door for applications that talk to a model: they change the base URL and have memory."""
