"""What a studio's journal holds and what follows from it. It decides nothing: rooms above it append, and ask.

events.py        everything that can stand in the journal
desk.py          the open journal of a studio; state.py: what follows from its events (the fold)
decisions.py     what the author made of a task's earlier tables
answers.py       what a turn was taken for, and what its answer stands on and cost
context.py       a built context: parts, routes, prompt; compaction.py: how the journal keeps it
histories.py     one clean history a task, checked against the journal
queues.py        where histories lie: in memory, or in Redis (redis_queues.py)
identity.py      which studio a folder holds, told before its journal is opened
"""
