"""Disputes: conflicts on one matter, shown as one.

The same two values stand against each other in several pairs of memories, each in its own words, and a third value may
stand against one of them. All of it is one dispute: one entity, one attribute, its values, each with the documents that
state it. Every list, every answer and every prompt shows disputes; the conflicts behind one are named in it.
"""

from memorybank.contradiction.disputes.dispute import STATES, Dispute, Said, StatedValue, describe, label, title
from memorybank.contradiction.disputes.gathering import LONGEST_VALUE, disputes, disputes_of, says, stated_at

__all__ = [
    "LONGEST_VALUE",
    "STATES",
    "Dispute",
    "Said",
    "StatedValue",
    "describe",
    "disputes",
    "disputes_of",
    "label",
    "says",
    "stated_at",
    "title",
]
