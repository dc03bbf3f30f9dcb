"""The page Conflicts & merges: the life of each conflict, each merge before and after."""
