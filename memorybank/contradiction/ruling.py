"""What other sources say on a contradiction, and the ruling that follows.

One independent source, one vote. Each side has the vote of the document it stands in and no second one; documents that
share a passage are one source. Sources are read in the order given, ties are inconclusive (design section 5). Several
contradictions of one pair are ruled each by itself: that a span was checked says nothing on an opening date.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.contradiction.claims import Readings
from memorybank.contradiction.hearing import Heard, Hearing, Supports
from memorybank.contradiction.independence import SourcePassage, judged
from memorybank.contradiction.words import short, shown
from memorybank.language.parse import Parse
from memorybank.language.text import detect_lang, fold_space
from memorybank.memory.contracts import leading_of
from memorybank.memory.types import SIDES, ConflictStatus, Contradiction, Evidence, Lang, Side
from memorybank.prompts import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    status: ConflictStatus
    winner: Side = ""
    value: str = ""
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    each: tuple[Ruling, ...] = ()
    """Of several contradictions: the ruling on each, in their order."""


def weigh(
    contradictions: Contradiction | Sequence[Contradiction],
    sources: Sequence[SourcePassage],
    parse: Parse,
    *,
    lang: Lang | None = None,
) -> Ruling:
    """The verdict that the sources allow, its reason in `lang` (None: that of the claims).

    Several contradictions of one pair are ruled each by itself (`Ruling.each`). The pair is resolved or both wrong as
    the first that is; a false alarm when all are; else inconclusive.
    """
    listed = [contradictions] if isinstance(contradictions, Contradiction) else list(contradictions)
    if not listed:
        return Ruling(status=ConflictStatus.INCONCLUSIVE, reason=say("ruling_nothing", lang or "en"))
    readings = Readings(parse)
    lang = lang or detect_lang(listed[0].left.text)
    rulings = [_rule(each, sources, Hearing(each, parse, readings), lang) for each in listed]
    return rulings[0] if len(rulings) == 1 else _together(_alike(listed, rulings), lang)


def _alike(contradictions: Sequence[Contradiction], rulings: Sequence[Ruling]) -> list[Ruling]:
    """The same two values in other sentences of the pair are one matter: what settles one settles the others."""
    matters = [
        tuple((claim.kind, claim.value.casefold(), claim.unit) for claim in (each.left, each.right))
        for each in contradictions
    ]
    settled = {
        matter: ruling
        for matter, ruling in zip(matters[::-1], rulings[::-1], strict=True)
        if ruling.status is not ConflictStatus.INCONCLUSIVE
    }
    return [settled.get(matter, ruling) for matter, ruling in zip(matters, rulings, strict=True)]


def _together(rulings: Sequence[Ruling], lang: Lang) -> Ruling:
    """One ruling on the pair, which says of each matter what came of it."""
    leading = leading_of(rulings)
    points: dict[Evidence, list[int]] = {}
    reasons: dict[str, None] = {}
    for at, ruling in enumerate(rulings):
        is_left_open = leading.status.merges and ruling.status is ConflictStatus.INCONCLUSIVE
        reasons[say("ruling_open", lang, reason=ruling.reason) if is_left_open else ruling.reason] = None
        for piece in ruling.evidence:
            points.setdefault(piece, []).append(at)
    evidence = tuple(replace(piece, contradictions=tuple(at)) for piece, at in points.items())
    reason = say("ruling_between", lang).join(reasons)
    return replace(leading, reason=reason, evidence=evidence, each=tuple(rulings))


@dataclass(frozen=True, slots=True)
class _Vote:
    passage: SourcePassage
    side: Heard
    piece: Evidence
    """What it says, with what that counts for."""

    @property
    def counts(self) -> bool:
        return self.piece.independent


def _rule(contradiction: Contradiction, sources: Sequence[SourcePassage], hearing: Hearing, lang: Lang) -> Ruling:
    votes = _votes(hearing, sources)
    parties = _parties(contradiction, sources)
    heard = {(party.source, party.supports) for party in parties}
    evidence = parties + tuple(
        vote.piece for vote in votes if vote.side.quote and (vote.passage.source, vote.side.supports) not in heard
    )
    explained = next((quote for passage in sources if (quote := hearing.explains_both(passage.text))), "")
    if explained:
        reason = say("ruling_both_hold", lang, quote=explained)
        return Ruling(status=ConflictStatus.FALSE_ALARM, reason=reason, evidence=evidence)
    counts = {side: len(_standing(side, parties, votes)) for side in SIDES}
    most = {side: counts[side] + _unclear(side, hearing, sources, votes) for side in SIDES}
    third = _third(votes)
    tally = _tally(contradiction, parties, votes, third, lang)
    if len(third) >= 2 and len(third) > max(most.values()):
        return Ruling(status=ConflictStatus.BOTH_WRONG, value=third[0].side.value, reason=tally, evidence=evidence)
    winner: Literal["left", "right"] = "left" if counts["left"] > counts["right"] else "right"
    loser: Literal["left", "right"] = "right" if winner == "left" else "left"
    leads = counts[winner] > max(counts[loser], len(third)) and most[winner] > most[loser]
    if counts[winner] >= 2 and leads:
        claim = contradiction.left if winner == "left" else contradiction.right
        return Ruling(status=ConflictStatus.RESOLVED, winner=winner, value=claim.value, reason=tally, evidence=evidence)
    return Ruling(status=ConflictStatus.INCONCLUSIVE, reason=tally, evidence=evidence)


def _standing(side: Supports, parties: Sequence[Evidence], votes: Sequence[_Vote]) -> list[str]:
    """The sources that a value stands on: the party's document that has its sentence, then those that were counted."""
    party = [evidence.source for evidence in parties if evidence.supports == side]
    return party + [vote.passage.source for vote in votes if vote.counts and vote.side.supports == side]


def _unclear(
    side: Literal["left", "right"], hearing: Hearing, sources: Sequence[SourcePassage], votes: Sequence[_Vote]
) -> int:
    """How many silent documents have the value of this side alone all the same: so many votes may be missing.

    They settle nothing, and may leave open what those that speak would settle.
    """
    spoken = {vote.passage.document for vote in votes}
    silent = {
        source.document: source.text for source in sources if source.party is None and source.document not in spoken
    }
    other: Literal["left", "right"] = "right" if side == "left" else "left"
    return sum(hearing.writes(text, side) and not hearing.writes(text, other) for text in silent.values())


def _votes(hearing: Hearing, sources: Sequence[SourcePassage]) -> list[_Vote]:
    """What each source says, in order, with what it counts for."""
    votes: list[_Vote] = []
    parties, heard = [passage for passage in sources if passage.party], list[SourcePassage]()
    for passage in sources:
        side = hearing.stance(passage.text)
        if side.supports != "neither":
            piece = Evidence(source=passage.source, quote=side.quote, supports=side.supports, value=side.value)
            votes.append(_Vote(passage, side, judged(piece, passage, parties, heard)))
            heard += [passage] if votes[-1].counts else []
    return votes


def _parties(contradiction: Contradiction, sources: Sequence[SourcePassage]) -> tuple[Evidence, ...]:
    """Each side's own document with the claim's sentence; none for a side whose sentence no document has verbatim."""
    parties: list[Evidence] = []
    for side, claim in zip(SIDES, (contradiction.left, contradiction.right), strict=True):
        sentence = fold_space(claim.text)
        ordered = sorted((source for source in sources if source.party), key=lambda source: source.party != side)
        home = next((source for source in ordered if sentence and sentence in fold_space(source.text)), None)
        if home is not None:
            parties.append(
                Evidence(source=home.source, quote=claim.text, supports=side, value=claim.value, independent=False)
            )
    return tuple(parties)


def _third(votes: Sequence[_Vote]) -> list[_Vote]:
    """The votes for the third value that has the most."""
    others = [vote for vote in votes if vote.counts and vote.side.supports == "other"]
    groups = ([vote for vote in others if first.side.agrees(vote.side)] for first in others)
    return max(groups, key=len, default=[])


def _tally(
    contradiction: Contradiction,
    parties: Sequence[Evidence],
    votes: Sequence[_Vote],
    third: Sequence[_Vote],
    lang: Lang,
) -> str:
    """Which sources each value stands on."""
    claims = zip(SIDES, (contradiction.left, contradiction.right), strict=True)
    values = [(claim.value or shown(claim), _standing(side, parties, votes)) for side, claim in claims]
    if third and third[0].side.value:
        values.append((third[0].side.value, [vote.passage.source for vote in third]))
    values.sort(key=lambda item: -len(item[1]))  # what holds is read first
    return say("ruling_values_between", lang).join(
        say(
            f"ruling_value_{min(len(sources), 2)}",
            lang,
            value=short(value, 60),
            count=len(sources),
            sources=say("sources_between", lang).join(sources),
        )
        for value, sources in values
    )
