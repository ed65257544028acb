"""Adapters to agent frameworks. Each is a module of its own that imports its framework, so install the extra first:
`pip install "aforesaid[langgraph]"` for `aforesaid.integrations.langgraph`."""
