"""The part that all benchmarks share: taking times, and rows as an aligned table.

A benchmark is a module with `run(progress, settings, …)`, which returns rows, and `QUICK`, the arguments of a small
run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from statistics import quantiles
from time import perf_counter

Progress = Callable[[str], None]
"""Takes a line that says what is measured next, or what came out."""

Row = Mapping[str, str]
"""Cells by heading."""


def p95(numbers: Sequence[float]) -> float:
    return quantiles(numbers, n=20)[-1] if len(numbers) > 1 else numbers[0]


def seconds(work: Callable[..., object], *arguments: object) -> float:
    """Return how many seconds one call takes."""
    began = perf_counter()
    work(*arguments)
    return perf_counter() - began


def as_table(rows: Sequence[Row]) -> str:
    """Return rows that have the same headings, as they follow each other, under one line of these; columns that begin
    with a number stand to the right."""
    return "\n\n".join(_aligned(list(group)) for _, group in groupby(rows, list))


def _aligned(rows: Sequence[Row]) -> str:
    table = [list(rows[0]), *(list(row.values()) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    is_text = [not cell[:1].isdigit() for cell in table[1]]
    lines = [
        "  ".join(
            cell.ljust(width) if text else cell.rjust(width)
            for cell, width, text in zip(line, widths, is_text, strict=True)
        )
        for line in table
    ]
    return "\n".join(line.rstrip() for line in lines)
