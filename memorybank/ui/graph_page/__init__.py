"""The page Graph: the Query Graph with its cards, lists and filters, and why a memory was found."""
