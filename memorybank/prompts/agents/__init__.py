"""The texts of the prompts (templates.py renders them)."""
