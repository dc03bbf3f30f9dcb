"""The graph in a browser, as one script."""
