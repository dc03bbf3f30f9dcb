"""Known relations: the words that tell them, and whether two texts that fill one slot speak of the same thing."""
