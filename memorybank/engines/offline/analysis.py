"""Analysis without a model: conflict, merge and relation by what two texts claim, as a parser reads them.

The order holds per candidate (final specification, section 7.3): conflict, then merge, then related. Precision first: a
false conflict costs the user a round, a false merge costs the truth. Two texts on what has different names never merge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from memorybank.contradiction.claims import ParsedClaim, name_in
from memorybank.contradiction.differences import Difference, agree, alike_anchors, differences
from memorybank.contradiction.reading import Readings, ReadText
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.naming import learnt_keywords
from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.parse import Parse
from memorybank.language.text import HAN_RE, NEGATION_RE
from memorybank.language.tokens import folded
from memorybank.language.values import Quantity
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput, Comparison, NodeInfo, Relationship
from memorybank.memory.types import Contradiction, Lang, Relation
from memorybank.prompts import say
from memorybank.retrieval.names import name_of, shared_name

MERGE_NEAR = 0.8
"""So near in meaning that two texts without a differing value say the same of the same subject."""
RELATED_NEAR = 0.6
RELATED_NEAR_WITH_NAME = 0.3
"""The bound with a name among the shared keywords: “chip” and “qubits” stand in every text on the field."""


class OfflineAnalysis:
    """Judges a new node against candidates. Node vectors come from the embedder's memo: they were just embedded."""

    def __init__(self, embedder: Embedder, parse: Parse) -> None:
        self._embedder, self._readings = embedder, Readings(parse)

    def run(self, request: AnalysisInput) -> AnalysisOutput:
        nodes = [node for comparison in request.comparisons for node in (comparison.new, *comparison.candidates)]
        readings = dict(zip(map(_read_as, nodes), self._readings.of([_read_as(node) for node in nodes]), strict=True))
        relationships = []
        for number, comparison in enumerate(request.comparisons):
            new = _Judged(comparison.new, readings[_read_as(comparison.new)])
            for place, (node, near) in enumerate(zip(comparison.candidates, self._nearness(comparison), strict=True)):
                judged = _judge(place, new, _Judged(node, readings[_read_as(node)]), request, near)
                relationships.append(judged.model_copy(update={"new": number}))
        return AnalysisOutput(relationships=tuple(relationships))

    def _nearness(self, comparison: Comparison) -> list[float]:
        """Stretched cosine of the new summary with each candidate's, in [0, 1]."""
        if not comparison.candidates:
            return []
        vectors = self._embedder.documents(
            [comparison.new.summary, *(candidate.summary for candidate in comparison.candidates)]
        )
        near = self._embedder.scale.stretched(vectors[1:] @ vectors[0])
        return [float(nearness) for nearness in near.round(6)]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A node with what it states."""

    node: NodeInfo
    reading: ReadText


def _read_as(node: NodeInfo) -> tuple[str, str]:
    """Its raw text, for a summary leaves out most of it; the name in its topic line says what "it" is."""
    return node.text or node.summary, name_of(node.context, node.summary)


def _judge(place: int, new: _Judged, old: _Judged, request: AnalysisInput, near: float) -> Relationship:
    found = differences(old.reading, new.reading) if set(request.relations) - {Relation.RELATED} else ()
    conflicting = _contradictions(found)
    if conflicting and Relation.CONFLICT in request.relations:
        return _conflict(place, conflicting, same_subject=same_subject(old.reading, new.reading))
    if Relation.MERGE in request.relations and not found and _same_content(old, new, near):
        common = _listed(_shared(old.node, new.node), request.lang)
        return Relationship(
            existing=place,
            reasoning=say("relation_merge", request.lang, shared=common, score=near),
            relationship=Relation.MERGE,
            confidence=round(near, 3),
            merge_strategy=say("relation_merge_strategy", request.lang),
        )
    if Relation.RELATED in request.relations:
        shared = _shared(old.node, new.node)
        named = shared_name(old.node, new.node)
        if found or named or _are_related(old, new, shared, near):
            telling = list(dict.fromkeys([*shared, *([named] if named else [])]))
            return _related(place, old.node, new.node, _why(found, telling, near, request.lang), near)
    return Relationship(
        existing=place,
        reasoning=say("relation_unrelated", request.lang, score=near),
        relationship=Relation.UNRELATED,
        confidence=round(1 - near, 3),
    )


# -- conflict ---------------------------------------------------------------------------------------------------------


def contradictions_between(old: NodeInfo, new: NodeInfo, parse: Parse) -> tuple[Contradiction, ...]:
    """Return the statements of two nodes that cannot both hold; those of one speaker at two times can."""
    return _contradictions(differences(*Readings(parse).of([_read_as(old), _read_as(new)])))


def _contradictions(found: Iterable[Difference]) -> tuple[Contradiction, ...]:
    return tuple(difference.contradiction() for difference in found if not difference.update)


def _conflict(place: int, contradictions: tuple[Contradiction, ...], *, same_subject: bool) -> Relationship:
    reasons = "; ".join(dict.fromkeys(contradiction.reason for contradiction in contradictions))
    return Relationship(
        existing=place, reasoning=reasons, relationship=Relation.CONFLICT,
        confidence=max(contradiction.confidence for contradiction in contradictions), conflict_description=reasons,
        contradictions=contradictions, same_subject=same_subject,
    )  # fmt: skip


# -- merge ------------------------------------------------------------------------------------------------------------


def _same_content(old: _Judged, new: _Judged, near: float) -> bool:
    """Whether two texts say the same of one subject: each states no value, and names nothing, that the other has not
    while that one does so, too."""
    if near < MERGE_NEAR or not same_subject(old.reading, new.reading) or differ_in_a_word(old.reading, new.reading):
        return False
    left, right = _names(old), _names(new)
    return (left <= right or right <= left) and not _differ(_read_as(old.node)[0], _read_as(new.node)[0])


def _differ(left: str, right: str) -> bool:
    """Whether each of two texts has a number of one sort, or a date, that the other has not, or one alone denies.

    A score or a ratio is compared as it is written.
    """
    scores = [frozenset(_SCORE_RE.findall(text)) for text in (left, right)]
    if scores[0] != scores[1] or bool(NEGATION_RE.search(left)) != bool(NEGATION_RE.search(right)):
        return True
    days, others = dates.scan(left), dates.scan(right)
    numbers, more = values.scan(left, dates=days), values.scan(right, dates=others)
    sorts = [{number.dimension for number in each} for each in (_alone(numbers, more), _alone(more, numbers))]
    return bool(sorts[0] & sorts[1]) or bool(_alone(days, others) and _alone(others, days))


_SCORE_RE = re.compile(r"\d+\s?[-–:：比/]\s?\d+")
V = TypeVar("V", Quantity, Date)


def _alone(own: Sequence[V], others: Sequence[V]) -> list[V]:
    return [item for item in own if not any(agree(item, other) for other in others)]


# -- related ----------------------------------------------------------------------------------------------------------


def _are_related(old: _Judged, new: _Judged, shared: Sequence[str], near: float) -> bool:
    if near < RELATED_NEAR_WITH_NAME:
        return bool(shared) and same_subject(old.reading, new.reading)
    named = _names(old) & _names(new)
    return near >= RELATED_NEAR or any(named & {folded(part) for part in word.split()} for word in shared)


def _names(judged: _Judged) -> frozenset[str]:
    return frozenset(name for said in judged.reading.said for name in name_in(said.parsed.tokens))


def _shared(old: NodeInfo, new: NodeInfo) -> list[str]:
    """Keywords of one that the other's text holds too, in the order of the newer one's keywords."""
    first = [word for word in new.keywords if _holds(old, word)]
    return list(dict.fromkeys([*first, *(word for word in old.keywords if _holds(new, word))]))


def _holds(node: NodeInfo, word: str) -> bool:
    low = word.casefold()
    return low in node.summary.casefold() or low in (keyword.casefold() for keyword in node.keywords)


def _why(found: Sequence[Difference], shared: Sequence[str], near: float, lang: Lang) -> str:
    """Why two nodes are related; where one speaker said another value later, which stands and which held until then."""
    for difference in found:
        if difference.update:
            earlier, later = difference.left.text, difference.right.text
            if difference.newer == "left":
                earlier, later = later, earlier
            key = "relation_update" if difference.newer else "relation_two_times"
            return say(key, lang, earlier=earlier, later=later)
    return (
        say("relation_related", lang, shared=_listed(shared, lang))
        if shared
        else say("relation_near", lang, score=near)
    )


def _related(place: int, old: NodeInfo, new: NodeInfo, reasoning: str, near: float) -> Relationship:
    """Relate two nodes. Each side may learn words and a name that its own text holds: twice adds nothing."""
    return Relationship(
        existing=place, reasoning=reasoning, relationship=Relation.RELATED, confidence=round(near, 3),
        keywords_update_new=learnt_keywords(new, old.keywords),
        keywords_update_existing=learnt_keywords(old, new.keywords),
    )  # fmt: skip


def _listed(words: Sequence[str], lang: Lang, most: int = 4) -> str:
    quoted: Callable[[str], str] = "“{}”".format
    return ("、" if lang == "zh" else ", ").join(map(quoted, words[:most])) or "-"


# -- whether two memories are on one thing ---------------------------------------------------------------------------


def same_subject(left: ReadText, right: ReadText) -> bool:
    """Whether what each of two texts states most of is a subject of the other, too, with all its modifiers."""
    ours, theirs = _subjects(left), _subjects(right)
    if not ours or not theirs:
        return False
    if not (ours[0].anchored or theirs[0].anchored or alike_anchors(left.topic, right.topic)):
        return False
    return ours[0].subject in {each.subject for each in theirs} and theirs[0].subject in {each.subject for each in ours}


def differ_in_a_word(left: ReadText, right: ReadText) -> bool:
    """Whether the two say the same but for a word each: prices rose, prices fell; which two words exclude each other
    no parser knows."""
    ours, theirs = (frozenset(word for item in side.statements for word in item.key) for side in (left, right))
    own, other = ([word for word in each if word.isalpha()] for each in (ours - theirs, theirs - ours))
    most = 2 if any(HAN_RE.match(word) for word in own) else 1
    return 0 < len(own) <= most and 0 < len(other) <= most


def _subjects(reading: ReadText) -> list[ParsedClaim]:
    """Return a claim for each subject of a text, the most stated first; without names only where it has none."""
    stated = [item for item in reading.statements if item.subject]
    stated = [item for item in stated if item.anchored] or stated
    counts = Counter(item.subject for item in stated)
    by_subject = {item.subject: item for item in stated}
    return [by_subject[subject] for subject, _ in counts.most_common()]
