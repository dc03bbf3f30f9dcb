"""The settlement: what a task came to, as a table that the author edits, confirms and that the hub then holds.

    by_rules.py         reads a task's turns by rules
    numbered.py         the turns as numbered sentences, in pieces
    by_model.py         reads them on a language model; model_prompt.py: what that is told; model_answer.py: its answer
    model_drafts.py     the drafts of an answer; rows_so_far.py: every sentence's account
    drafted_names.py    what earlier pieces drafted beside what is on record; telling.py: an item in a sentence
    unread.py           sentences that gave no row, each with why
    completed_steps.py  what a completed step of the plan would write as facts
    comparison.py       new, known, update, supersedes, contradicts; exclusion.py: which facts exclude each other
    edits.py            a table as the author changes it; edit_fields.py: the fields of its rows; edit_renaming.py
    row_groups.py       what its rows are grouped by
    settler.py          propose, compare anew, confirm; write_sets.py: the chosen rows as one set
    applying.py         a confirmed set into the stores, all or nothing

It imports the hub, the readers and the journal, and nothing of the tasks above it.
"""
