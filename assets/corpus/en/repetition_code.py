"""Majority vote: the simplest error-correcting code, for one bit against random flips.

A surface code does the same in two dimensions and for two kinds of error. The numbers show that
more copies help only while a single copy is right more often than wrong: that is a threshold.
"""

from math import comb


def logical_error_rate(copies: int, flip_probability: float) -> float:
    """Probability that more than half of the copies are flipped, so that the vote is wrong."""
    right = 1 - flip_probability
    return sum(
        comb(copies, flipped) * flip_probability**flipped * right ** (copies - flipped)
        for flipped in range(copies // 2 + 1, copies + 1)
    )


def improvement(smaller: int, larger: int, flip_probability: float) -> float:
    """How many times rarer errors become with more copies; below 1 the larger code is the worse one."""
    return logical_error_rate(smaller, flip_probability) / logical_error_rate(larger, flip_probability)
