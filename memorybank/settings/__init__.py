"""Settings of a session and of this machine: plain values, their ranges, where each came from, and what is secret."""
