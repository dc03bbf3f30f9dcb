"""Chapters written in pieces: a plan of pieces, one call for each, a running state that stands on quotes, marks.

    manuscript.py, running_state.py     the values: a chapter being written, and what its pieces have changed
    events.py, manuscripts.py           what the studio's journal holds of it, and what follows from that
    sizes.py                            words and characters, pieces and tokens
    repetition.py, marks.py             what a check marks in a piece; the author decides
    context.py, answers.py, writer.py   what a language model is told, what it answers, who asks it

Nothing here writes into the hub: a chapter becomes facts by a settlement alone.
"""
