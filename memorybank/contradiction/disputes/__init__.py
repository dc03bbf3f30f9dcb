"""Disputes: conflicts on one matter, shown as one.

The same two values stand against each other in several pairs of memories, each in its own words, and a third value may
stand against one of them. All of it is one dispute: one entity, one attribute, its values, each with the documents that
state it. Every list, every answer and every prompt shows disputes; the conflicts behind one are named in it.
"""
