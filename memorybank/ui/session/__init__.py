"""The page Session: a task is given, and its run is watched."""
