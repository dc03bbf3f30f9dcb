"""Chapters written in pieces: a plan of pieces, one call for each, a running state that stands on quotes, marks.

Nothing here writes into the hub: a chapter becomes facts by a settlement alone.
"""
