"""Do two texts contradict each other? Facts of one against facts of the other: all the same but the value.

Precision first. Every test lets a pair go where the wording allows both to be true: another year, another scope, a
rounded or hedged value, a list that may be longer, a place inside a place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from memorybank.engines.offline.claims import measures, moments, names, places, states
from memorybank.engines.offline.claims.describe import claim_of, reason
from memorybank.engines.offline.claims.entity import same
from memorybank.engines.offline.claims.extract import Reading, read
from memorybank.engines.offline.claims.facts import Fact, overlap, times_differ
from memorybank.engines.offline.claims.phrases import Units, joined, match_units
from memorybank.language import dates
from memorybank.language.han import is_han
from memorybank.memory.types import Contradiction

MOST = 8
"""Contradictions told of one pair of texts."""
_LONG_NAME = 5
"""Characters of a run that is hardly a common noun."""


def contradictions(left: str, right: str, *, left_topic: str = "", right_topic: str = "") -> tuple[Contradiction, ...]:
    """What two texts contradict each other in, best first; empty when they can both be true.

    `left_topic` and `right_topic` say what a text is about, for texts that only say "it".
    """
    return compare(read(left, left_topic), read(right, right_topic))


def compare(left: Reading, right: Reading) -> tuple[Contradiction, ...]:
    """`contradictions` for texts already read."""
    found: dict[tuple[str, str, str], Contradiction] = {}
    for one, other, confidence in _pairs(left, right):
        mark = (one.sentence, other.sentence, one.kind if one.kind not in ("text", "negation") else "state")
        if mark not in found or found[mark].confidence < confidence:
            found[mark] = Contradiction(
                left=claim_of(one), right=claim_of(other), reason=reason(one, other), confidence=confidence
            )
    ranked = sorted(found.values(), key=lambda item: -item.confidence)
    return tuple(ranked[:MOST])


def _pairs(left: Reading, right: Reading) -> Iterator[tuple[Fact, Fact, float]]:
    groups = _group(right.facts)
    for one in left.facts:
        for other in groups.get(_slot(one), ()):
            if confidence := _confidence(one, other, left, right):
                yield one, other, confidence


def clashes(left: Fact, right: Fact, one: Reading, other: Reading) -> bool:
    """Whether two facts, each of its own text, cannot both hold."""
    return _slot(left) == _slot(right) and _confidence(left, right, one, other) > 0


def shared_facts(left: Reading, right: Reading) -> tuple[int, int]:
    """How many values (numbers, dates, names, places) both texts state of the same thing, and how many the one states
    that states fewer."""
    one, other = _valued(left), _valued(right)
    groups = _group(tuple(other))
    shared = sum(any(_agree(fact, against, left, right) for against in groups.get(_slot(fact), ())) for fact in one)
    return min(shared, len(other)), min(len(one), len(other))


def _valued(reading: Reading) -> list[Fact]:
    """One fact for each value a sentence states."""
    found = {(fact.sentence, fact.start, fact.kind): fact for fact in reading.facts if fact.relation != "state"}
    return list(found.values())


def _agree(left: Fact, right: Fact, one: Reading, other: Reading) -> bool:
    """Whether two facts state the same value of the same thing."""
    if same(left.entity, right.entity) == "different" or _speaks_of_another(left, right, one.topic, other.topic):
        return False
    if left.hedges != right.hedges or times_differ(left, right, varying=False):
        return False
    if left.measure is not None and right.measure is not None:
        return measures.restates(left, right) and not left.measure.scope ^ right.measure.scope
    if left.date is not None and right.date is not None:
        return dates.relate(left.date, right.date) != "different"
    return names.share_a_name(left, right)


def _slot(fact: Fact) -> tuple[str, str]:
    """Facts are compared only within a slot."""
    if fact.measure is not None:
        return "measure", fact.measure.quantity.dimension
    return fact.kind if fact.kind not in ("negation", "text") else "state", fact.relation


def _group(facts: tuple[Fact, ...]) -> dict[tuple[str, str], list[Fact]]:
    groups: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[_slot(fact)].append(fact)
    return groups


def _confidence(left: Fact, right: Fact, one: Reading, other: Reading) -> float:
    """How sure it is that the two cannot both hold; 0 when they can."""
    if left.hedges != right.hedges or left.hedged:
        return 0.0
    if left.measure is None and (left.entity.scope ^ right.entity.scope) - measures.HARMLESS_SCOPE:
        return 0.0
    if left.relation == "state" and not states.may_clash(left, right):
        return 0.0
    if left.about is not None and right.about is not None and same(left.about, right.about) == "different":
        return 0.0
    if left.relation != "state" and not _clash(left, right, one, other):
        return 0.0
    verdict = same(left.entity, right.entity)
    if verdict == "different" and left.relation == "state" and _both_mention(left, right, one.topic, other.topic):
        verdict = "same"  # "drivers pay a toll on the X bridge", "no toll is charged on the X bridge"
    if verdict == "different" or (left.relation == "state" and not states.clash(left, right)):
        return 0.0
    if _speaks_of_another(left, right, one.topic, other.topic):
        return 0.0
    if verdict == "same":
        return 0.9
    if not _likely_same(left, right) or _lost_pronoun(left, right, one, other):
        return 0.0
    return 0.6


def _clash(left: Fact, right: Fact, one: Reading, other: Reading) -> bool:
    """Whether two values cannot both hold if they are said of one thing."""
    if left.measure is not None:
        return measures.clash(left, right, one.keys, other.keys) and not (
            _said_elsewhere(left, other, right) or _said_elsewhere(right, one, left)
        )
    if left.date is not None:
        return moments.clash(left, right)
    if left.kind == "place":
        return places.clash(left, right)
    return names.clash(left, right)


def _said_elsewhere(fact: Fact, reading: Reading, against: Fact) -> bool:
    """Whether the other text also states this value for the same thing, beside the one that differs."""
    return any(candidate is not against and measures.restates(fact, candidate) for candidate in reading.facts)


# -- whether they speak of the same thing -----------------------------------------------------------------------------


def _speaks_of_another(left: Fact, right: Fact, topic: Units, other_topic: Units) -> bool:
    """Whether two texts about different things only share a noun: each names its own, or leaves it to be understood."""
    if not topic or not other_topic or match_units(topic, other_topic) != "different":
        return False
    named_left, named_right = _mentions(left.sentence, topic), _mentions(right.sentence, other_topic)
    if named_left and named_right:
        return not (_mentions(right.sentence, topic) or _mentions(left.sentence, other_topic))
    if (left.entity.proper and right.entity.proper) or _is_long_name(left.entity.units, right.entity.units):
        return False
    names = (left.entity.name, topic), (right.entity.name, other_topic)
    return not any(name and match_units(name, about) == "same" for name, about in names)


def _is_long_name(left: Units, right: Units) -> bool:
    """Whether both write the same long run of Chinese, which is hardly a common noun: 爱因斯坦探针."""
    shorter = min(left, right, key=len)
    return (
        len(shorter) >= _LONG_NAME
        and is_han(shorter[0])
        and "".join(shorter) in "".join(left)
        and "".join(shorter) in "".join(right)
    )


def _both_mention(left: Fact, right: Fact, topic: Units, other_topic: Units) -> bool:
    """Whether two statements with different grammatical subjects speak of the one thing that both texts are about."""
    if match_units(topic, other_topic) != "same":
        return False
    if _is_kind_of(left.entity.units, topic) and _is_kind_of(right.entity.units, other_topic):
        return False  # two plants that make cells, in texts about cells
    return _mentions(left.sentence, topic) and _mentions(right.sentence, other_topic)


def _is_kind_of(name: Units, topic: Units) -> bool:
    """Whether a name has the topic in it and goes on: 东埠电芯厂 beside 电芯."""
    joined, about = "".join(name), "".join(topic)
    return about in joined and about != joined


def _mentions(sentence: str, units: Units) -> bool:
    low = sentence.lower()
    if joined(units) in low:
        return True
    long = [unit for unit in units if len(unit) > 2]
    return bool(long) and all(unit in low for unit in long)


def _likely_same(left: Fact, right: Fact) -> bool:
    """For subjects without a name: the same noun ("the bridge" twice), or a pronoun in an otherwise like statement."""
    one, other = _theme(left), _theme(right)
    if left.entity.name or right.entity.name:
        plain = right if left.entity.name else left
        return not plain.entity.head and bool(one & other) and overlap(one, other) >= 0.6
    if left.entity.head and right.entity.head and not ({left.entity.head} & other or {right.entity.head} & one):
        return False
    wanted = 0.5 if left.relation == "state" else 0.66  # two opposite words are part of what is said
    if not one and not other:
        return left.entity.back and right.entity.back
    return bool(one & other) and overlap(one, other) >= wanted


def _lost_pronoun(left: Fact, right: Fact, one: Reading, other: Reading) -> bool:
    """A named subject against a pronoun that stands for nothing the longer text names: anything could be meant."""
    if bool(left.entity.name) == bool(right.entity.name):
        return False
    reading = other if left.entity.name else one
    return reading.sentences > 1


def _theme(fact: Fact) -> frozenset[str]:
    return fact.entity.nouns | fact.attribute | ({fact.entity.head} if fact.entity.head else frozenset())
