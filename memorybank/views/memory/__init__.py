"""What memory holds and how it came to: nodes, edges, conflicts, merges, documents, and why a node was found."""
