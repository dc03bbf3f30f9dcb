"""Tasks: what the author asks for, and what they are answered (specification, 3.3).

    gateway.py       the only way in and out; task_views.py: the half that reads; replies.py: what comes out
    addressing.py    the commands, which task is meant, and whether it can take it
    by_hand.py       what belongs to no task: the plan board, an import, the check of a draft, what is typed
    builder.py       what a prompt is made of, by command, and what of it fits; retrieval.py: what is looked up for it
    turn_kind.py     what a turn is
    answering.py     what the author is answered, by what the turn is
    settings.py      what can be set

An input walks down: the gateway reads the command, the settlement and the engine do the work, the journal keeps it.
"""
