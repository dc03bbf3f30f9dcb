"""What the wording of one text alone gives away: a bag-of-words logistic regression, by cross validation.

A control, trained when it is asked and thrown away. Classes are weighted to balance, so that the rarer one is answered
at all; L2-regularised, fitted by Nesterov's accelerated gradient descent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from memorybank.language.tokens import tokenize

FOLDS = 5
VOCABULARY = 2_000
"""The most frequent tokens."""
_RIDGE = 1e-3
_STEPS = 80

_Matrix = np.ndarray[Any, np.dtype[np.float32]]


def predictions(texts: Sequence[str], labels: Sequence[bool], groups: Sequence[str]) -> list[bool]:
    """An answer for each text from a model that has seen no text of its group."""
    places = {group: place % FOLDS for place, group in enumerate(dict.fromkeys(groups))}
    folds = np.array([places[group] for group in groups])
    bags = _bags(texts)
    truth = np.array(labels, dtype=np.float32)
    answers = np.zeros(len(texts), dtype=bool)
    for fold in range(FOLDS):
        held = folds == fold
        if held.any() and not held.all():
            answers[held] = bags[held] @ _fitted(bags[~held], truth[~held]) > 0
    return [bool(answer) for answer in answers]


def _bags(texts: Sequence[str]) -> _Matrix:
    """Which frequent tokens a text has, scaled to unit length; the last column is 1."""
    tokens = [sorted(set(tokenize(text))) for text in texts]
    frequent = Counter(token for found in tokens for token in found).most_common(VOCABULARY)
    columns = {token: column for column, (token, _) in enumerate(frequent)}
    bags = np.zeros((len(texts), len(columns) + 1), dtype=np.float32)
    for row, found in enumerate(tokens):
        known = [columns[token] for token in found if token in columns]
        bags[row, known] = 1 / max(1, len(known)) ** 0.5
    bags[:, -1] = 1
    return bags


def _fitted(bags: _Matrix, truth: _Matrix) -> _Matrix:
    share = min(max(float(truth.mean()), 1e-6), 1 - 1e-6)
    weight = np.where(truth > 0, 0.5 / share, 0.5 / (1 - share)).astype(np.float32)
    rate = 4 / (2 * float(weight.max()) + 4 * _RIDGE)  # unit rows and a constant: the curvature is at most 2 / 4
    here = ahead = np.zeros(bags.shape[1], dtype=np.float32)
    for step in range(_STEPS):
        error = weight * (1 / (1 + np.exp(-(bags @ ahead))) - truth)
        moved = ahead - rate * (bags.T @ error / len(truth) + _RIDGE * ahead)
        ahead = moved + step / (step + 3) * (moved - here)
        here = moved
    return here
