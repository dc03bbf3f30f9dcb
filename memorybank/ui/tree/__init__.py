"""The page Tree: from a node back to the raw text and the files behind it."""
