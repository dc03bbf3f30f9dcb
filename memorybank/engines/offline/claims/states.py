"""States: the statement itself and its polarity. When one text denies what the other says, or says the opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.engines.offline.claims import words_en, words_zh
from memorybank.engines.offline.claims.facts import Fact, Statement, overlap, times_differ
from memorybank.engines.offline.claims.keys import key
from memorybank.engines.offline.claims.tokens_zh import keys as pairs_of
from memorybank.language.han import is_han
from memorybank.language.numbers import ordinals_apart
from memorybank.memory.types import ClaimKind

_GENERIC_VERBS = words_en.GENERIC_CLASSES | words_zh.GENERIC_CLASSES | {"be", "", "do"}
_HAVING = frozenset({"have", "contain", "", "need", "use", "provide"})
_OPPOSITE = frozenset(
    frozenset((one, other)) for pair in words_en.OPPOSITES for one, other in [(key(pair[0]), key(pair[1]))]
)
_OPPOSED_KEYS = frozenset(word for pair in _OPPOSITE for word in pair)


def build(statement: Statement) -> Iterator[Fact]:
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
    fact = statement.fact(kind, "state", statement.entity(predicate.subject), span)
    mixed = any(sibling.negated != predicate.negated for sibling in statement.siblings)
    context = frozenset() if mixed else statement.context  # what is said elsewhere in the sentence may be denied there
    own = frozenset(pair for unit in ["".join(statement.topic)] if is_han(unit) for pair in pairs_of(unit)) | frozenset(
        "=" + unit for unit in statement.topic
    )
    yield replace(fact, attribute=(keys | predicate.subject.attributes) - own, context=context - own)


_INFINITIVE_RE = re.compile(r"\s+to\s+[a-z][^,;:.!?()\u2014]*")


def _said_to(sentence: str, end: int) -> int:
    """Where a statement ends as it is shown: "was not designed" goes on to "to be serviced by astronauts"."""
    more = _INFINITIVE_RE.match(sentence, end)
    return len(sentence[: more.end() if more else end].rstrip(" .。!！"))


def may_clash(left: Fact, right: Fact) -> bool:
    """A quick look before `clash`: other polarity and something in common, or a word that has an opposite."""
    if left.polarity != right.polarity:
        negative, positive = (left, right) if not left.polarity else (right, left)
        return not negative.attribute or not negative.attribute.isdisjoint(positive.attribute | positive.context)
    return (
        left.polarity and not left.attribute.isdisjoint(_OPPOSED_KEYS) and not right.attribute.isdisjoint(_OPPOSED_KEYS)
    )


def clash(left: Fact, right: Fact) -> bool:
    """Whether one denies the other, or the two say opposite things; of the second of a series not what of the first."""
    if ordinals_apart(left.value, right.value):
        return False
    if left.polarity != right.polarity:
        negative, positive = (left, right) if not left.polarity else (right, left)
        return _denies(negative, positive)
    return left.polarity and _opposed(left, right)


def _denies(negative: Fact, positive: Fact) -> bool:
    """Whether all that a negated statement denies is said by the positive one."""
    if times_differ(negative, positive, varying=False):
        return False
    denied, said = negative.attribute - {negative.verb}, positive.attribute - {positive.verb}
    if not denied:
        return negative.verb == positive.verb and negative.verb not in _GENERIC_VERBS
    covered = len(denied & said) / len(denied)
    if negative.verb in ("be", "") and positive.verb in ("be", ""):
        return covered >= 0.99 and len(said - denied) <= len(denied)
    same_verb = negative.verb == positive.verb or (negative.verb in _HAVING and positive.verb in _HAVING)
    if same_verb:
        return covered >= 0.75
    everything = positive.context | positive.attribute
    spoken_of = negative.verb in _GENERIC_VERBS or negative.verb in everything
    named = bool(negative.entity.name and positive.entity.name)
    return named and spoken_of and len(denied & everything) >= 2 and len(denied & everything) / len(denied) >= 0.7


def _opposed(left: Fact, right: Fact) -> bool:
    """Whether two statements differ in a word and its opposite, and in little else."""
    one, other = left.attribute - right.attribute, right.attribute - left.attribute
    pairs = [(a, b) for a in one & _OPPOSED_KEYS for b in other & _OPPOSED_KEYS if frozenset((a, b)) in _OPPOSITE]
    if len(pairs) != 1 or times_differ(left, right, varying=True):
        return False
    rest_left, rest_right = left.attribute - {pairs[0][0]}, right.attribute - {pairs[0][1]}
    if not rest_left and not rest_right:
        return (
            bool(left.entity.nouns & right.entity.nouns)
            or bool(left.entity.units)
            or left.entity.head == right.entity.head
        )
    return overlap(rest_left, rest_right) >= 0.7 and len(rest_left ^ rest_right) <= 2
