"""The wire formats of requests: OpenAI's chat completions and Responses, and Anthropic's messages."""
