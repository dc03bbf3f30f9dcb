"""The interaction scheduler: gateway, commands, history queues, context builder, settlement (specification, 3.3).

    gateway.py       the only way in and out; replies.py: what comes out
    commands.py      what the author asks for, said outright
    addressing.py    which task it is asked of, and whether it can take it
    step_tasks.py    the task in which a completed step becomes facts
    by_hand.py       what belongs to no task: the plan board, an import, the check of a draft
    desk.py          the studio's journal; desk_state.py: what follows from it; events.py: what can stand in it
    histories.py     one clean history a task, checked against the journal
    queues.py        where histories lie: in memory, or in Redis (redis_queues.py)
    builder.py       what a prompt is made of, by command
    routing.py       which sources a request is answered from, and why; retrieval.py: what they have
    context.py       the built context: parts, budget, prompt; told.py: how the journal keeps it
    summaries.py     the running summary of older turns
    settlement.py    propose, mark anew, confirm
    marking.py       new, known, update, supersedes, contradicts
    applying.py      a confirmed set into the stores, all or nothing
    labelled.py      (input, context, command) as data
    settings.py      what can be set

What it does not know: how the hub stores, how the engine writes, how an extractor reads. They are given to it.
"""
