"""The settlement: what a task came to, as a table that the author edits, confirms and that the hub then holds.

It imports the hub, the readers and the journal, and nothing of the tasks above it.
"""
