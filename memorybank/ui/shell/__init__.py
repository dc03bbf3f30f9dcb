"""The shell is around every page and belongs to the tab: header, run bar, links, kept problems, the server's part."""
