"""The room says, without a model, what a text claims, whether two contradict each other, and what a third says."""
