"""A session: what is handed over, its stages, its executors and the effects through which they reach the world."""
