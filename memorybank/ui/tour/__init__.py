"""The guided tour: one sentence a stage, said from what really happened in a run (steps.py), and its bar (bar.py)."""
