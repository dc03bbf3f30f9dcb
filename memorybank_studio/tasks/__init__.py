"""Tasks: what the author asks for, and what they are answered (specification, 3.3).

An input walks down: the gateway reads the command, the settlement and the engine do the work, the journal keeps it.
"""
