"""Who runs sessions, for the app and for whoever else wants many: workers, watchers, their registry, saved runs."""
