"""Reading a text for what has happened, what is intended, what is only imagined, and what someone tells."""
