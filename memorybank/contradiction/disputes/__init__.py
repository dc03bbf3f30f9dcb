"""Disputes: conflicts on one matter, shown as one: an entity, an attribute, its values with the documents that state
each, and the conflicts behind it. Every list, every answer and every prompt shows disputes."""
