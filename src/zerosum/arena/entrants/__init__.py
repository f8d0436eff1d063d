"""Who comes from outside: bots in any language, language models, commands. A server must never import this folder."""
