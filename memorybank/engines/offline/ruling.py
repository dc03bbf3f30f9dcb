"""The hearing of other sources on a contradiction, and the ruling that follows.

A passage is heard by its own claims. It may say more than the disputed claim does, never less: every word but the value
has to stand in the clause that gives a value. Nothing is heard where no parser is at hand, or where a passage disagrees
with itself.

One independent source, one vote. Each side has the vote of the document it stands in and no second one; documents that
share a passage are one source. Sources are read in the order given, ties are inconclusive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from memorybank.contradiction.claims import ParsedClaim, Value
from memorybank.contradiction.differences import agree, clash, compared
from memorybank.contradiction.reading import Readings, read
from memorybank.contradiction.votes import SourcePassage, judged
from memorybank.language import dates, values
from memorybank.language.figures import states
from memorybank.language.parse import Parse
from memorybank.language.text import fold_space, sentences
from memorybank.language.values import Quantity
from memorybank.memory.contracts import leading_of
from memorybank.memory.types import SIDES, Claim, ConflictStatus, Contradiction, Evidence, Lang, Side
from memorybank.prompts import say
from memorybank.prompts.claim_words import short, shown

Supports = Literal["left", "right", "other", "neither"]


class Heard(NamedTuple):
    """The stance of a passage on the disputed claim."""

    supports: Supports
    stated: ParsedClaim | None = None
    """The claim that it makes on the same thing; None for `neither`."""


_APART_RE: Final = re.compile(
    r"\b(?:after|before|including|excluding|later|now|of which|only|originally|respectively|since|then|until|upgrad\w+|"
    r"when|whereas|while|without)\b|起初|原[先来]|后来?|[之以此][前后]|如今|现在|目前|升级|扩建|[包不]含|包括|其中|只|分别|而",
    re.IGNORECASE,
)
"""Words that tell two values of one thing apart: by time, or by what is counted."""
_DOUBTED_RE: Final = re.compile(
    r"\b(?:wrong|incorrect|mistake|false|disput|disagree|claim|error|some say|others say)\w*"
    r"|错误|有误|争议|有人|另一些|说法",
    re.IGNORECASE,
)


class Hearing:
    """A contradiction, read once, with the passages that are heard on it."""

    def __init__(self, contradiction: Contradiction, parse: Parse, readings: Readings | None = None) -> None:
        self._pair, self._parse, self._readings = contradiction, parse, readings or Readings(parse)
        self._left, self._right = (self._of(claim) for claim in (contradiction.left, contradiction.right))

    def stance(self, passage: str) -> Heard:
        """Return what a sentence or a document says on it; silent where its sentences do not agree among themselves."""
        stances = list(self._stances(passage))
        return stances[0] if len({stance.supports for stance in stances}) == 1 else Heard("neither")

    def explains_both(self, passage: str) -> str:
        """Return the sentence that states both numbers or dates of the same thing and tells them apart; empty
        without one."""
        left, right = self._left, self._right
        if left is None or right is None or isinstance(left.value, frozenset) or left.value is None:
            return ""
        subject = left.subject & right.subject
        for start, end in sentences(passage):
            sentence = passage[start:end].strip()
            if _APART_RE.search(sentence) and not _DOUBTED_RE.search(sentence):
                scan = values.scan if isinstance(left.value, Quantity) else dates.scan
                agreeing = [(agree(value, left.value), agree(value, right.value)) for value in scan(sentence)]
                both = (True, False) in agreeing and (False, True) in agreeing  # "in 2017" is no two days
                if both and subject <= frozenset().union(*(item.key for item in self._read(passage))):
                    return sentence
        return ""

    def _read(self, passage: str) -> tuple[ParsedClaim, ...]:
        return self._readings.of([(passage, "")])[0].statements

    def _of(self, claim: Claim) -> ParsedClaim | None:
        """Return the statement that a claim was made of; None where it was made by a model in words of its own."""
        reading = read(claim.text, self._parse, subject=claim.subject)
        stated = (item for item in reading.statements if item.claim.kind == claim.kind)
        return next((item for item in stated if item.claim.value == claim.value), None)

    def _stances(self, passage: str) -> Iterator[Heard]:
        for stated in self._read(passage):
            both = [side for side in (self._left, self._right) if side is not None]
            sides = [side for side in both if _is_on(stated, side)]
            same_value = [side for side in both if sides and agree(stated.value, side.value)]  # on one, it is on both
            agreeing = [side for side in same_value if side.claim.polarity == stated.claim.polarity]
            if len(agreeing) == 1:
                yield Heard("left" if agreeing[0] is self._left else "right", stated)
            elif any(compared(stated.value, side.value) == "different" for side in sides) and not same_value:
                yield Heard("other", stated)


_ANOTHER: Final = frozenset(["@again", *"again another later next second with without".split(), *"版型款号届次"])
"""Words of another one of the same kind, or of more than the one: "on her next voyage", "with its case", 加强版."""


def _is_on(stated: ParsedClaim, side: ParsedClaim) -> bool:
    """Whether a statement gives a value to what is disputed, at the same time: the Little Tarrow Bridge is another."""
    more = {word for word in stated.subject - side.key if word not in stated.claim.value}
    return (
        stated.claim.kind == side.claim.kind
        and not (side.subject < stated.subject and more)
        and side.key <= stated.key
        and _ANOTHER.isdisjoint(stated.key - side.key)
        and not clash(stated.when, side.when)
        and (side.once or bool(stated.when) <= bool(side.when))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    status: ConflictStatus
    winner: Side = ""
    value: str = ""
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    each: tuple[Ruling, ...] = ()
    """The ruling on each of several contradictions, in their order."""


def weigh(
    contradictions: Sequence[Contradiction], sources: Sequence[SourcePassage], parse: Parse, lang: Lang
) -> Ruling:
    """Return the verdict that the sources allow, its reason in `lang`.

    Several contradictions of one pair are ruled each by itself (`Ruling.each`). The pair is resolved or both wrong as
    the first that is; a false alarm when all are; else inconclusive.
    """
    if not contradictions:
        return Ruling(status=ConflictStatus.INCONCLUSIVE, reason=say("ruling_nothing", lang))
    readings = Readings(parse)
    rulings = [_rule(each, sources, Hearing(each, parse, readings), lang) for each in contradictions]
    return rulings[0] if len(rulings) == 1 else _together(rulings, lang)


def _together(rulings: Sequence[Ruling], lang: Lang) -> Ruling:
    """Return one ruling on the pair, which says of each matter what came of it."""
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


class _Vote(NamedTuple):
    """A passage as evidence, with what it counts for."""

    document: str
    stated: Value | None
    piece: Evidence


def _rule(contradiction: Contradiction, sources: Sequence[SourcePassage], hearing: Hearing, lang: Lang) -> Ruling:
    claims = {"left": contradiction.left, "right": contradiction.right}
    votes, parties = _votes(hearing, sources), _parties(contradiction, sources)
    heard = {(party.source, party.supports) for party in parties}
    evidence = (*parties, *(piece for _, _, piece in votes if (piece.source, piece.supports) not in heard))
    explained = next((quote for passage in sources if (quote := hearing.explains_both(passage.text))), "")
    if explained:
        reason = say("ruling_both_hold", lang, quote=explained)
        return Ruling(status=ConflictStatus.FALSE_ALARM, reason=reason, evidence=evidence)
    counted = [vote for vote in votes if vote.piece.independent]
    stands = {side: [piece.source for piece in parties if piece.supports == side] for side in SIDES}
    for side in SIDES:
        stands[side] += [piece.source for _, _, piece in counted if piece.supports == side]
    # Silent documents that have the value of one side alone settle nothing, and may be so many votes that are missing.
    spoken = {passage.document for passage in sources if passage.party} | {vote.document for vote in votes}
    silent = {source.document: source.text for source in sources if source.document not in spoken}
    writing = [[side for side in SIDES if states(text, claims[side].value)] for text in silent.values()]
    most = {side: len(stands[side]) + writing.count([side]) for side in SIDES}
    others = [vote for vote in counted if vote.piece.supports == "other"]
    alike = ([vote.piece for vote in others if agree(first.stated, vote.stated)] for first in others)
    third = max(alike, key=len, default=[])
    named = [(claims[side].value or shown(claims[side]), stands[side]) for side in SIDES]
    tally = _tally([*named, (third[0].value, [piece.source for piece in third])] if third else named, lang)
    if len(third) >= 2 and len(third) > max(most.values()):
        return Ruling(status=ConflictStatus.BOTH_WRONG, value=third[0].value, reason=tally, evidence=evidence)
    winner, loser = sorted(SIDES, key=lambda side: -len(stands[side]))
    leads = len(stands[winner]) > max(len(stands[loser]), len(third)) and most[winner] > most[loser]
    if len(stands[winner]) >= 2 and leads:
        value = claims[winner].value
        return Ruling(status=ConflictStatus.RESOLVED, winner=winner, value=value, reason=tally, evidence=evidence)
    return Ruling(status=ConflictStatus.INCONCLUSIVE, reason=tally, evidence=evidence)


def _votes(hearing: Hearing, sources: Sequence[SourcePassage]) -> list[_Vote]:
    """Return what each source says, in order, with what it counts for."""
    votes: list[_Vote] = []
    parties, heard = [passage for passage in sources if passage.party], list[SourcePassage]()
    for passage in sources:
        supports, stated = hearing.stance(passage.text)
        if stated is not None:
            claim = stated.claim
            piece = Evidence(source=passage.source, quote=claim.text, supports=supports, value=claim.value)
            votes.append(_Vote(passage.document, stated.value, judged(piece, passage, parties, heard)))
            heard += [passage] if votes[-1].piece.independent else []
    return votes


def _parties(contradiction: Contradiction, sources: Sequence[SourcePassage]) -> tuple[Evidence, ...]:
    """Return each side's own document with the claim's sentence; none for a side whose sentence no document has
    verbatim."""
    parties: list[Evidence] = []
    for side, claim in zip(SIDES, (contradiction.left, contradiction.right), strict=True):
        sentence = fold_space(claim.text)
        ordered = sorted((source for source in sources if source.party), key=lambda source: source.party != side)
        home = next((source for source in ordered if sentence and sentence in fold_space(source.text)), None)
        if home is not None:
            own = Evidence(source=home.source, quote=claim.text, supports=side, value=claim.value, independent=False)
            parties.append(own)
    return tuple(parties)


def _tally(standing: Sequence[tuple[str, Sequence[str]]], lang: Lang) -> str:
    """Say which sources each value stands on, what holds first."""
    lines = []
    for value, named in sorted(standing, key=lambda item: -len(item[1])):
        sources, key = say("sources_between", lang).join(named), f"ruling_value_{min(len(named), 2)}"
        lines.append(say(key, lang, value=short(value, 60), count=len(named), sources=sources))
    return say("ruling_values_between", lang).join(lines)
