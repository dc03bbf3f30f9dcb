"""A run as it went: its feed, stages, moments, branches, and what two runs or two moments differ in."""
