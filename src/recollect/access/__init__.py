"""Who may come in, and how far: shared by the server, the proxy and MCP over HTTP."""
