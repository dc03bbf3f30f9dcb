"""What a studio's journal holds and what follows from it. It decides nothing: rooms above it append, and ask.

events.py        everything that can stand in the journal
desk.py          the open journal of a studio, and what was offered; state.py: what follows from its events (the fold)
context.py       a built context: parts, routes, prompt; what an answer stands on
histories.py     one clean history a task, checked against the journal; the queues that hold it
"""
