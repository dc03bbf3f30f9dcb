"""Reading what an author labels: cards, settings, hooks, outlines, facts in a fixed form."""
