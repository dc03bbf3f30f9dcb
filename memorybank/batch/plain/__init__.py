"""The same agent and tools without the bank: what a session is compared with."""
