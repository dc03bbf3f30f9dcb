"""A run on disk: its journal, folder, files and archive, what it leaves behind, and what reads it while it grows."""
