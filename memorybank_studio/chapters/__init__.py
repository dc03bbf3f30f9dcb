"""Chapters written in pieces: a plan of pieces, one call for each, a running state that stands on quotes, marks.

    manuscript.py            the values: a chapter being written, its events, how long a story is
    manuscripts.py           what follows from those events
    marks.py                 what a check marks in a piece; the author decides
    context.py, writer.py    what a language model is told, who asks it and what it answers

Nothing here writes into the hub: a chapter becomes facts by a settlement alone.
"""
