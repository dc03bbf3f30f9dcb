"""Books: chapters recognised, imported, exported."""
