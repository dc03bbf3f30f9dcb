"""States: the statement itself and its polarity."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.contradiction.frame import Frame
from memorybank.contradiction.readers.statement import Statement
from memorybank.contradiction.tokens_zh import keys as pairs_of
from memorybank.language.han import is_han
from memorybank.memory.types import ClaimKind


def build(statement: Statement) -> Iterator[Frame]:
    predicate = statement.predicate
    if predicate.reduced or statement.sentence.startswith("#"):
        return
    if not predicate.verb and not predicate.negated:
        if not is_han(statement.sentence):
            return
        keys = predicate.subject.keys
    else:
        keys = frozenset()
    keys |= predicate.extra | frozenset(key for phrase in predicate.phrases for key in phrase.keys)
    keys |= frozenset(
        "=" + name.units[-1] for phrase in predicate.phrases for name in phrase.names if not is_han(name.units[-1])
    )
    kind: ClaimKind = "negation" if predicate.negated else "text"
    span = (predicate.start, _said_to(statement.sentence, predicate.end))
    frame = statement.frame(kind, "state", statement.entity(predicate.subject), span)
    mixed = any(sibling.negated != predicate.negated for sibling in statement.siblings)
    context = frozenset() if mixed else statement.context  # what is said elsewhere in the sentence may be denied there
    own = frozenset(pair for unit in ["".join(statement.topic)] if is_han(unit) for pair in pairs_of(unit)) | frozenset(
        "=" + unit for unit in statement.topic
    )
    yield replace(frame, attribute=(keys | predicate.subject.attributes) - own, context=context - own)


_INFINITIVE_RE = re.compile(r"\s+to\s+[a-z][^,;:.!?()\u2014]*")


def _said_to(sentence: str, end: int) -> int:
    """Where a statement ends as it is shown: "was not designed" goes on to "to be serviced by astronauts"."""
    more = _INFINITIVE_RE.match(sentence, end)
    return len(sentence[: more.end() if more else end].rstrip(" .。!！"))
