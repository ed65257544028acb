"""The client of a server: `Memory("https://…")` calls each verb as an operation of the REST API."""
