"""The contents of memory and their origin: nodes, edges, conflicts, merges, documents, and why a node was found."""
