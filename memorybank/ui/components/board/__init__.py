"""Cards in lanes, moved by pointer, touch and keys: what is told of a move is Python's to do or to refuse."""
