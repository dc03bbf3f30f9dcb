"""The room says what a text claims, whether two texts contradict each other, and what a third says on it.

No model is asked here.
"""
