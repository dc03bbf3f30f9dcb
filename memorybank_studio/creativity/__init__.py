"""The creativity engine: stateless; generators, evaluators, options (fact-planning specification, section 3.2)."""
