"""Boxes in a browser, as one script with their looks."""
