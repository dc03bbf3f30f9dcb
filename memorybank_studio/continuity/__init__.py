"""Continuity: sentences of a draft that the facts on record, or the course of the story, speak against."""
