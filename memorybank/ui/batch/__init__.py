"""A batch in the app: its table, each of its runs in place, any two side by side."""
