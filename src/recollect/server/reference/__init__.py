"""The API's description of itself: for programs as OpenAPI, for people as a page."""
