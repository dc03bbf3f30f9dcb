"""Analysis without a model: conflict by claims, merge by coverage, relation by shared names and nearness.

The order holds per candidate (final specification, section 7.3): conflict, then merge, then related. Precision first: a
false conflict costs the user a round, a false merge costs the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from memorybank.contradiction.compare import contradictions, shared_values
from memorybank.contradiction.frame import Reading
from memorybank.contradiction.phrases import match_units
from memorybank.contradiction.readers import read
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.naming import learnt_keywords
from memorybank.engines.offline.salience import fold, keys, mentions
from memorybank.engines.offline.sameness import SAME_SENTENCES, sameness
from memorybank.language.node_names import name_of, shared_name, tokens_of
from memorybank.language.parse import Parse
from memorybank.memory.contracts import AnalysisInput, AnalysisOutput, Comparison, NodeInfo, Relationship
from memorybank.memory.types import Contradiction, Lang, Relation
from memorybank.prompts import say

MERGE_NEAR = 0.72
"""So near in meaning, on the same subject, with most of the shorter one's numbers, dates and names in the other."""
MERGE_SHARED_FACTS = 0.6
MERGE_FACTS = 3
"""Values (numbers, dates, names, places) that two texts in other words must both state to be the same."""
RELATED_NEAR = 0.6
RELATED_NEAR_WITH_WORDS = 0.5
"""With `SHARED_ENOUGH` shared keywords: words such as “chip” and “qubits” stand in every text on the field."""
RELATED_NEAR_WITH_NAME = 0.3
"""With a name among the shared keywords, less nearness is enough; with `SHARED_ENOUGH` of them none is asked."""
SHARED_ENOUGH = 3
CACHE = 16_384


class OfflineAnalysis:
    """Judges a new node against candidates. Node vectors come from the embedder's memo: they were just embedded."""

    def __init__(self, embedder: Embedder, parse: Parse) -> None:
        self._embedder, self._parse = embedder, parse

    def run(self, request: AnalysisInput) -> AnalysisOutput:
        relationships = [
            self._judge(place, comparison.new, old, request, near).model_copy(update={"new": number})
            for number, comparison in enumerate(request.comparisons)
            for place, (old, near) in enumerate(zip(comparison.candidates, self._nearness(comparison), strict=True))
        ]
        return AnalysisOutput(relationships=tuple(relationships))

    def _nearness(self, comparison: Comparison) -> list[float]:
        """Stretched cosine of the new summary with each candidate's, in [0, 1]."""
        if not comparison.candidates:
            return []
        vectors = self._embedder.documents(
            [comparison.new.summary, *(candidate.summary for candidate in comparison.candidates)]
        )
        scale = self._embedder.scale
        cosines = vectors[1:] @ vectors[0]
        return [float(nearness) for nearness in np.clip((cosines - scale.lo) / (scale.hi - scale.lo), 0, 1).round(6)]

    def _judge(self, place: int, new: NodeInfo, old: NodeInfo, request: AnalysisInput, near: float) -> Relationship:
        if Relation.CONFLICT in request.relations:
            conflicting = contradictions_between(old, new, self._parse)
            if conflicting:
                return _conflict(place, conflicting, same_subject=not _are_apart(old, new))
        if Relation.MERGE in request.relations:
            covered = _same_content(old, new, near)
            if covered is not None:
                return _merge(place, old, new, covered, near, request.lang)
        if Relation.RELATED in request.relations:
            shared = _shared(old, new)
            named = shared_name(old, new)
            if named or _are_related(old, new, shared, near):
                return _related(
                    place, old, new, list(dict.fromkeys([*shared, *([named] if named else [])])), near, request.lang
                )
        return Relationship(
            existing=place,
            reasoning=say("relation_unrelated", request.lang, score=near),
            relationship=Relation.UNRELATED,
            confidence=round(1 - near, 3),
        )


# -- conflict ---------------------------------------------------------------------------------------------------------


def _reading(node: NodeInfo) -> Reading:
    """The topic line says what "it" is when the summary does not."""
    return read(node.summary, node.context)


def contradictions_between(old: NodeInfo, new: NodeInfo, parse: Parse) -> tuple[Contradiction, ...]:
    """What two nodes state that cannot both hold, by the first reader that finds something."""
    return contradictions(
        old.summary, new.summary, left_topic=old.context,
        right_topic=new.context,
    )  # fmt: skip


def _are_apart(old: NodeInfo, new: NodeInfo) -> bool:
    """Whether both are headed by names, and by names of two things; where a heading names nothing, nobody can tell."""
    words = [
        {
            token
            for name in mentions(name_of(node.context, node.summary))
            if name.kind == "name" and name.certain
            for token in tokens_of(name.key)
        }
        for node in (old, new)
    ]
    return all(words) and words[0].isdisjoint(words[1])


def _conflict(place: int, contradictions: tuple[Contradiction, ...], *, same_subject: bool) -> Relationship:
    reasons = "; ".join(dict.fromkeys(contradiction.reason for contradiction in contradictions))
    return Relationship(
        existing=place,
        reasoning=reasons,
        relationship=Relation.CONFLICT,
        confidence=max(contradiction.confidence for contradiction in contradictions),
        conflict_description=reasons,
        contradictions=contradictions,
        same_subject=same_subject,
    )


# -- merge ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=CACHE)
def _facts(text: str) -> frozenset[str]:
    return keys(text)


def _same_content(old: NodeInfo, new: NodeInfo, near: float) -> tuple[int, int] | None:
    """(covered, all) sentences of the shorter text when the two say the same; None when they do not.

    Sentences that stand in both with their values decide, whatever the texts are headed by. Where they do not suffice,
    the topics must not differ.
    """
    agreement = sameness(old.summary, new.summary)
    if agreement.differing:
        return None
    if agreement.holds:
        return agreement.covered, agreement.sentences
    left, right = _reading(old), _reading(new)
    if not agreement.sentences or match_units(left.topic, right.topic) == "different":
        return None
    facts, others = sorted((_facts(old.summary), _facts(new.summary)), key=len)
    shared = len(facts & others) / len(facts) if facts else 0.0
    covers = agreement.covered >= SAME_SENTENCES * agreement.sentences and (not facts or shared >= MERGE_SHARED_FACTS)
    alike = near >= MERGE_NEAR and len(facts & others) >= MERGE_FACTS and shared >= MERGE_SHARED_FACTS
    if covers or (alike and agreement.covered):
        return agreement.covered, agreement.sentences
    return _same_facts(left, right)


def _same_facts(left: Reading, right: Reading) -> tuple[int, int] | None:
    """(shared, all) facts of the text that states fewer, when two texts say the same of one thing in other words."""
    if match_units(left.topic, right.topic) != "same":
        return None
    shared, fewest = shared_values(left, right)
    return (shared, fewest) if shared >= MERGE_FACTS and shared >= MERGE_SHARED_FACTS * fewest else None


def _merge(place: int, old: NodeInfo, new: NodeInfo, covered: tuple[int, int], near: float, lang: Lang) -> Relationship:
    return Relationship(
        existing=place,
        reasoning=say(
            "relation_merge", lang, count=covered[0], total=covered[1], shared=_listed(_shared(old, new), lang)
        ),
        relationship=Relation.MERGE,
        confidence=round(max(near, covered[0] / covered[1]), 3),
        merge_strategy=say("relation_merge_strategy", lang),
    )


# -- related ----------------------------------------------------------------------------------------------------------


def _are_related(old: NodeInfo, new: NodeInfo, shared: Sequence[str], near: float) -> bool:
    if near >= RELATED_NEAR or (near >= RELATED_NEAR_WITH_WORDS and len(shared) >= SHARED_ENOUGH):
        return True
    if (near >= RELATED_NEAR_WITH_NAME or len(shared) >= SHARED_ENOUGH) and _share_a_name(old, new, shared):
        return True
    return bool(shared) and _same_topic(old, new)


def _share_a_name(old: NodeInfo, new: NodeInfo, shared: Sequence[str]) -> bool:
    return bool(_names_in(old) & _names_in(new) & {fold(word) for word in shared})


def _names_in(node: NodeInfo) -> frozenset[str]:
    return frozenset(mention.key for mention in mentions(node.summary) if mention.kind == "name")


def _same_topic(old: NodeInfo, new: NodeInfo) -> bool:
    return match_units(_reading(old).topic, _reading(new).topic) == "same"


def _shared(old: NodeInfo, new: NodeInfo) -> list[str]:
    """Keywords of one that the other's text holds too, in the order of the newer one's keywords."""
    first = [word for word in new.keywords if _holds(old, word)]
    return list(dict.fromkeys([*first, *(word for word in old.keywords if _holds(new, word))]))


def _holds(node: NodeInfo, word: str) -> bool:
    low = word.casefold()
    return low in node.summary.casefold() or low in (keyword.casefold() for keyword in node.keywords)


def _related(place: int, old: NodeInfo, new: NodeInfo, shared: list[str], near: float, lang: Lang) -> Relationship:
    """Each side may learn words and a name that its own text holds: twice adds nothing."""
    reasoning = (
        say("relation_related", lang, shared=_listed(shared, lang))
        if shared
        else say("relation_near", lang, score=near)
    )
    return Relationship(
        existing=place,
        reasoning=reasoning,
        relationship=Relation.RELATED,
        confidence=round(near, 3),
        keywords_update_new=learnt_keywords(new, old.keywords),
        keywords_update_existing=learnt_keywords(old, new.keywords),
    )


def _listed(words: Sequence[str], lang: Lang, most: int = 4) -> str:
    quoted: Callable[[str], str] = "“{}”".format
    return ("、" if lang == "zh" else ", ").join(map(quoted, words[:most])) or "-"
