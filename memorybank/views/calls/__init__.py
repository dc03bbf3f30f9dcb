"""Calls of agents and tools, and the prompt that was built for them."""
