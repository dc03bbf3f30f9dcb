"""The core: values, facts, contracts of the agents, and the bank, which is the fold of the facts."""
