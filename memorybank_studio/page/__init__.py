"""The page "Writing studio": an author's tasks, conversation, settlement, story hub, draft check and books."""
