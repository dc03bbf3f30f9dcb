"""The topic line of a merged memory: of its nodes' lines the one that fits what it says now, else a sentence of it.

A memory is on the name that most of its sentences have. A line that does not have it is a side sentence's: "IBM passed
the mark of a thousand with Condor" is no name for a memory of Willow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from memorybank.engines.offline.salience import mentions
from memorybank.engines.offline.statements import Statement, statements
from memorybank.engines.offline.topic_line import WIDEST, trimmed
from memorybank.engines.offline.units import width
from memorybank.language.node_names import name_of
from memorybank.language.text import fold_space
from memorybank.language.tokens import query_tokens


def topic_of(summary: str, lines: Sequence[str], shared: Collection[str]) -> str:
    """The best of the lines, level ones by their order; a sentence of the summary where none names its subject.

    `shared`: names that all united memories have.
    """
    stated = statements(summary)
    subjects = _subjects(stated, shared)
    if lines:
        best = max(lines, key=lambda line: _fit(line, subjects, shared, stated))
        if not subjects or _named(best) & subjects:
            return best
    return _sentence(stated, subjects)


def _subjects(stated: Sequence[Statement], shared: Collection[str]) -> frozenset[str]:
    """The names that most sentences have, most of all as the first; of level ones those that all memories have."""
    certain = {each.key for statement in stated for each in statement.mentions if each.kind == "name" and each.certain}
    counts: Counter[str] = Counter()
    for statement in stated:
        keys = list(dict.fromkeys(each.key for each in statement.mentions if each.key in certain))
        counts.update([*keys, *keys, *keys[:1]])
    most = max(counts.values(), default=0)
    level = frozenset(key for key, count in counts.items() if count == most)
    return level & frozenset(shared) or level


def _named(line: str) -> frozenset[str]:
    return frozenset(mention.key for mention in mentions(line) if mention.kind == "name")


def _fit(
    line: str, subjects: Collection[str], shared: Collection[str], stated: Sequence[Statement]
) -> tuple[int, int, float]:
    """Whether a line and its heading have the subject's name; or a name of all; how much of it the summary says."""
    parts = line, name_of(line) or line
    words = frozenset(query_tokens(line, limit=len(line) + 1))
    coverage = sum(len(words & statement.words) for statement in stated) / len(words) if words else 0.0
    return (
        sum(bool(_named(part) & frozenset(subjects)) for part in parts),
        sum(bool(_named(part) & frozenset(shared)) for part in parts),
        coverage,
    )


def _sentence(stated: Sequence[Statement], subjects: Collection[str]) -> str:
    """The first sentence that has the subject's name, else the first of all, under the heading it stands under."""
    places = [place for place, statement in enumerate(stated) if not statement.whole] or list(range(len(stated)))
    naming = [place for place in places if any(each.key in subjects for each in stated[place].mentions)]
    if not places:
        return ""
    place = (naming or places)[0]
    headings = [
        statement.text.lstrip("# ")
        for statement in stated[:place]
        if statement.text.startswith("#") and "\n" not in statement.text
    ]
    sentence = fold_space(stated[place].text)
    if not headings:
        return trimmed(sentence, WIDEST)
    joint = "：" if width(sentence) > 1.4 * len(sentence) else ": "
    return trimmed(f"{trimmed(headings[-1], WIDEST // 2)}{joint}{sentence}", WIDEST)
