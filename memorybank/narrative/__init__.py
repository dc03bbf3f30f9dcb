"""Writing studio: facts, plans and many open tasks for a very long story (the fact-planning specification).

Two ideas: what has happened and what is to happen are strictly apart, and every open task keeps its own clean history.

    types.py        the values all parts speak of; facts and plans are different types
    hub/            the narrative memory hub: fact layer, planning layer, setting base, episodic archive
    creativity/     the stateless engine: generators, evaluators, options
    scheduler/      gateway, commands, history queues, context builder, settlement
    extraction/     what a text says has happened, is intended, is only imagined or told
    books/          import of a book, export of hub and chapters

It needs the extra `studio`; the memory bank knows nothing of it.
"""
