"""How assistants reach the games: the tools of `zerosum mcp`, what they answer, and the worker they ask."""
