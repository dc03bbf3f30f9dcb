"""The three layers of memory as values: Interaction Tree, Query Graph, Insight Doc, and what is in progress."""
