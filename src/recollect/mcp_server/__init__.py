"""The MCP door: a handful of tools, resources and prompts for a model that uses the memory itself."""
