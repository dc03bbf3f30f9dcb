"""Tasks: what the author asks for, and what they are answered (specification, 3.3).

    gateway.py       the only way in and out; task_views.py: the half that reads; replies.py: what comes out
    commands.py      what the author asks for, said outright
    addressing.py    which task it is asked of, and whether it can take it
    step_tasks.py    the task in which a completed step becomes facts
    by_hand.py       what belongs to no task: the plan board, an import, the check of a draft
    builder.py       what a prompt is made of, by command; budget.py: what of it fits
    routing.py       which sources a request is answered from, and why; retrieval.py: what they have
    pointing.py      where each storyline stands, in words
    summaries.py     the running summary of older turns, quoted; model_summaries.py: by a language model
    turn_kind.py     what a turn is by a language model; turn_plain.py: without one
    on_record.py     a question answered from the record; record_lines.py: the lines it has
    answering.py     what the author is answered, by what the turn is
    settings.py      what can be set

An input walks down: the gateway reads the command, the settlement and the engine do the work, the journal keeps it.
"""
