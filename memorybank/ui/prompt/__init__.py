"""The page Prompt & calls: what the agent was given, and every call."""
