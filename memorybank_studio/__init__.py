"""Writing studio: facts, plans and many open tasks for a very long story (the fact-planning specification).

Two ideas: what has happened and what is to happen are strictly apart, and every open task keeps its own clean history.
The rooms, from the lowest up; each imports only what stands above it in this list:

    types.py, writes.py, drafts.py, names.py, wording.py    the values all rooms speak of
    hub/            the narrative memory hub: fact layer, planning layer, setting base, episodic archive
    reading/        what a text says has happened, is intended, is only imagined or told by someone
    books/          import of a book from files of all kinds, export of hub and chapters
    continuity/     a draft checked against the facts of its chapter
    creativity/     the stateless engine: generators, evaluators, options
    chapters/       chapters written in pieces by a model: plan, pieces, running state, marks
    journal/        what a studio's journal holds, and what follows from it: tasks, histories, decisions
    settlement/     what a task settles: read by rules or a model, compared, edited, confirmed, applied
    tasks/          the gateway: commands, context, answers
    studio.py       all of them over one folder

It needs the extra `studio`; the memory bank knows nothing of it.
"""
