"""The MCP server: tools, resources and prompts for a model that uses the memory itself."""
