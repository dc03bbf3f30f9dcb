"""The settlement: what a task came to, as a table that the author edits, confirms and that the hub then holds.

    by_rules.py         reads a task's turns by rules
    numbered.py         the turns as numbered sentences, in pieces
    by_model.py         reads them on a language model, every sentence accounted for; model_answer.py: what that is told
    model_drafts.py     the drafts of an answer
    completed_steps.py  what a completed step of the plan would write as facts
    comparison.py       new, known, update, supersedes, contradicts
    edits.py            a table as the author changes it; edit_fields.py: the fields of its rows
    settler.py          propose, compare anew, confirm the chosen rows as one set
    applying.py         a confirmed set into the stores, all or nothing

It imports the hub, the readers and the journal, and nothing of the tasks above it.
"""
