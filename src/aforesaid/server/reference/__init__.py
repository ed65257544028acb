"""The API reference: the OpenAPI document and an HTML page of it."""
