"""Authentication, access levels and limits, shared by the REST server, the proxy and MCP over HTTP."""
