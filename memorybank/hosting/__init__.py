"""The sessions of the app, and of whoever else wants many: workers, tabs that look on, their registry, saved runs."""
