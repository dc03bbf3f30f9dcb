"""The command line, one module a kind of command; `__main__.py` holds the parser."""
