"""The page Settings: what is in force here, whether the models answer, what is stored."""
