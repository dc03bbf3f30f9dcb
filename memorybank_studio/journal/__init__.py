"""The contents of a studio's journal and what follows from them. It decides nothing: rooms above it append, and ask."""
