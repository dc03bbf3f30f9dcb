"""What a studio's journal holds and what follows from it. It decides nothing: rooms above it append, and ask."""
