"""Many tasks under one set of settings: a run folder each, side by side, and one table of what came out.

`tasks` reads the file of tasks, `plan` says what they have in common, `worker.run_task` is the one function that every
scheduler calls, `results` holds the rows. A batch's folder:

batch.json      its plan and its tasks       runs/ID/    an ordinary run folder a task (runs/run_folder.py)
results.jsonl   a row a task, as they end    plain/ID/   the same task without the bank, where that was asked for
results.md, results.csv                      the table
"""
