"""Continuity: sentences of a draft that facts, plans or the course of the story speak against."""
