"""The frame of every page: the header, the bar of the run, and what the browser does for all of them."""
