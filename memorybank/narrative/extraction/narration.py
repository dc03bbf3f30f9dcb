"""What a statement of a story is: told as happened, intended, only supposed, or told by someone in it.

The narrator's word is taken for fact; nothing else is. Rules over clauses: who speaks (quotation marks, verbs of
saying), then marks of condition, guess and dream, then of intention and order, then the signs of what is done, which
win over an order ("命人送去了") but not over an intention ("便要走了"). The whole text is read, since what was opened
three sentences before decides who speaks here. The word lists are in `moods.*.yaml`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Final

from memorybank.narrative.extraction.clauses import Clause, cut
from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.verbs_en import past_of
from memorybank.text import Piece
from memorybank.types import Lang


class Telling(StrEnum):
    HAPPENED = "happened"
    """The narrator states that it took place or was so."""
    INTENDED = "intended"
    """Someone wants, plans, promises, orders or is about to do it."""
    HYPOTHETICAL = "hypothetical"
    """A condition, a guess, a question of yes or no, a comparison, a dream."""
    TOLD = "told"
    """Someone in the story says that it happened or is so."""


@dataclass(frozen=True, slots=True)
class Told:
    """A clause with what it is and the words that show it (empty where nothing speaks against the narrator)."""

    clause: Clause
    telling: Telling
    mark: str = ""
    at: int = 0
    """Where the mark stands in the clause; what comes before an intention or an order has happened."""
    own: int = 0
    """Characters from the clause's beginning that the narrator tells as happened all the same: who promised, asked or
    said something did so, and "she laughed as if …" is a laugh."""

    def telling_at(self, place: int) -> Telling:
        """What the words at this character of the clause are."""
        return Telling.HAPPENED if place < self.own and not self.clause.spoken else self.telling


@dataclass(frozen=True, slots=True)
class Story:
    """A text read for what it tells as happened. Offsets are in characters of `text`."""

    text: str
    lang: Lang
    sentences: tuple[Piece, ...]
    clauses: tuple[Told, ...]
    """In order."""

    def within(self, span: Piece) -> tuple[Told, ...]:
        first = bisect_left(self.clauses, span.start, key=lambda told: told.clause.end)
        last = bisect_left(self.clauses, span.end, key=lambda told: told.clause.start)
        return self.clauses[first:last]

    def telling(self, span: Piece) -> Telling:
        """What a sentence of it is, on the whole."""
        return _on_the_whole(self.within(span), _marks(self.lang))


def read(text: str, lang: Lang, names: Iterable[Piece] = ()) -> Story:
    """A text as its clauses. Linear in its length.

    `names`: stretches that are names; no word of them is a mark (令 in 玉鳞令).
    """
    pieces, clauses = cut(without(text, names))
    marks = _marks(lang)
    clauses = _with_lost_quotes(clauses, marks)
    told: list[Told] = []
    for clause in clauses:
        before = told[-1] if told and told[-1].clause.sentence == clause.sentence else None
        told.append(_judge(clause, before, marks))
    return Story(text, lang, pieces, tuple(told))


def without(text: str, names: Iterable[Piece]) -> str:
    """The text with a placeholder for each character of a name."""
    written: list[str] = []
    at = 0
    for piece in names:
        written += (text[at : piece.start], "□" * (piece.end - piece.start))
        at = piece.end
    return "".join((*written, text[at:]))


def tellings(text: str, spans: Iterable[Piece], lang: Lang) -> tuple[Telling, ...]:
    """What each of these stretches of a text is."""
    story = read(text, lang)
    return tuple(story.telling(span) for span in spans)


# -- marks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Marks:
    """The lists of one language as patterns."""

    chinese: bool
    masks: re.Pattern[str]
    auxiliaries: re.Pattern[str]
    conditional: re.Pattern[str]
    guess: re.Pattern[str]
    dream: re.Pattern[str]
    intended: re.Pattern[str]
    future: re.Pattern[str]
    orders: re.Pattern[str]
    speech_intended: re.Pattern[str]
    done: re.Pattern[str]
    lead: re.Pattern[str]
    told: re.Pattern[str]
    wh: re.Pattern[str]
    say: re.Pattern[str]
    plans: re.Pattern[str]
    turns: re.Pattern[str]
    first_person: re.Pattern[str]


_NOTHING: Final = r"(?!)"


@cache
def _marks(lang: Lang) -> _Marks:
    listed = lists(f"moods.{lang}")

    def pattern(name: str, template: str = "{}") -> re.Pattern[str]:
        joined = any_of(listed[name], lang) if listed[name] else _NOTHING
        return re.compile(template.format(f"(?:{joined})"), re.IGNORECASE)

    names = [name for name in _Marks.__dataclass_fields__ if name not in ("chinese", "lead", "say", "turns")]
    return _Marks(
        chinese=lang == "zh",
        lead=pattern("lead", r"(?:^|[一-鿿]){}$" if lang == "zh" else "{}"),
        say=pattern("say", "{}$" if lang == "zh" else "{}"),
        turns=pattern("turns", "^{}"),
        **{name: pattern(name) for name in names},
    )


_BARE_RE: Final = re.compile(
    r"了[一二两三几半多这那]|要了|[他她它]叫(?![^，]*[来去人])[一-鿿]{2,4}$|[不未没]曾?(?:[要欲想])"
)
"""A deed with its measure: 要诗瞧了一遍, 要了一碗茶; a name: 她叫小满; and what nobody wanted."""
_WISH_RE: Final = re.compile(
    "(?<![思梦幻理联猜回设料妄假心暗自默不没未么敢着]|[一细])想(?![必来起见念到象像了着得过不法通明家他她它你我谁什的一这那起，。：“□]|$|明白|开了)"
)
"""想 with a verb after it, which is a wish; alone it is a thought."""


_FIRST_PERSON: Final = 0.05
"""Share of the narrator's clauses with "I" up to which the narrator is not one of the story's people."""
_ENOUGH: Final = 40
"""Clauses of the narrator from which on that share tells anything."""


def _with_lost_quotes(clauses: Sequence[Clause], marks: _Marks) -> tuple[Clause, ...]:
    """Where the narrator never says "I", a sentence that does is somebody's, though its quotation marks are lost."""
    narrated = [clause for clause in clauses if not clause.spoken]
    own = {clause.sentence for clause in narrated if marks.first_person.search(clause.text)}
    if len(narrated) < _ENOUGH or len(own) > _FIRST_PERSON * len(narrated):
        return tuple(clauses)
    return tuple(replace(clause, spoken=True) if clause.sentence in own else clause for clause in clauses)


def _judge(clause: Clause, before: Told | None, marks: _Marks) -> Told:
    body = _masked(clause.text, marks)
    found = _earliest(body, marks.conditional, marks.guess, marks.dream)
    if found:
        return Told(clause, Telling.HYPOTHETICAL, found[0], own=_main_clause(body, found, marks))
    if before is not None and before.clause.spoken == clause.spoken and _supposes(before, marks):
        return Told(clause, Telling.HYPOTHETICAL, before.mark)  # what hangs on a condition is as uncertain as it
    if clause.asks and (not clause.spoken or not marks.wh.search(body)):
        return Told(clause, Telling.HYPOTHETICAL, "?")
    if clause.spoken:
        mark = _first(body, marks.intended, marks.future, marks.speech_intended)
        done = marks.done.search(body) and not marks.future.search(body) and not _first(body, marks.intended)
        return Told(clause, Telling.INTENDED, mark) if mark and not done else Told(clause, Telling.TOLD)
    return _narrated(clause, body, before, marks)


_CAPITAL_RE: Final = re.compile(r"(?<=[\w,]\s)(?:May|Will)\b")
"""A month, a man: no verb of intention stands so within an English clause."""
_HEDGE_RE: Final = re.compile(r"\b(?:almost|nearly)\s+(\w+)", re.IGNORECASE)


def _masked(text: str, marks: _Marks) -> str:
    """A clause without the words that look like a mark and are none."""
    body = marks.masks.sub(_blank, text)
    if marks.chinese:
        return body
    body = _CAPITAL_RE.sub(_blank, body)
    return _HEDGE_RE.sub(lambda match: match[0] if past_of(match[1].lower()) else _blank(match), body)


def _blank(match: re.Match[str]) -> str:
    return "□" * len(match[0])


def _earliest(body: str, *patterns: re.Pattern[str]) -> re.Match[str] | None:
    """Where the first of these patterns that is in a clause stands."""
    return next((match for pattern in patterns if (match := pattern.search(body))), None)


def _main_clause(body: str, mark: re.Match[str], marks: _Marks) -> int:
    """Characters of an English main clause before "if", "as if": told as happened unless it is a wish or hearsay."""
    joins = marks.conditional.fullmatch(mark[0]) or mark[0].lower().startswith("as ")
    head = body[: mark.start()]
    free = not _first(head, marks.intended, marks.future, marks.told, marks.guess)
    return mark.start() if joins and free and not marks.chinese else 0


def _supposes(before: Told, marks: _Marks) -> bool:
    """Whether what follows a clause is supposed with it: a condition, a dream; a guess is of its own clause alone."""
    return before.telling is Telling.HYPOTHETICAL and not marks.guess.fullmatch(before.mark) and before.mark != "?"


def _goes_on(clause: Clause, before: Told | None, marks: _Marks) -> bool:
    """Whether a clause still tells of the plan, or what was heard, that the clause before it began."""
    if before is None or before.clause.spoken or not before.mark or marks.turns.search(clause.text):
        return False
    if before.telling is Telling.TOLD:
        return marks.chinese
    ordered = before.at <= _NO_SUBJECT and marks.orders.fullmatch(before.mark) is not None
    return before.telling is Telling.INTENDED and (ordered or marks.plans.fullmatch(before.mark) is not None)


_NO_SUBJECT: Final = 2
"""Characters before an order that names nobody who gives it: 且教…; all of such a sentence is the order."""


def _narrated(clause: Clause, body: str, before: Told | None, marks: _Marks) -> Told:
    told = marks.told.search(body)
    if told and not marks.lead.search(body):
        return Told(clause, Telling.TOLD, told[0], own=told.start() + 1)
    if before is not None and _goes_on(clause, before, marks):
        return Told(clause, before.telling, before.mark)
    measured = marks.chinese and _BARE_RE.search(body)
    match = None if measured else marks.intended.search(body)
    if match is None and marks.chinese:
        match = _WISH_RE.search(body)
    if match is None and marks.future.search(body):
        match = marks.future.search(body)
    order = _order(body, marks)
    if match is None and order and not marks.done.search(body, order.end()):
        match = order
    if match is None:
        return Told(clause, Telling.HAPPENED)
    itself = 0 if marks.auxiliaries.fullmatch(match[0]) else 1
    return Told(clause, Telling.INTENDED, match[0], match.start(), match.start() + itself)


_DEMANDS_RE: Final = re.compile(r"(?:\s+\S+){0,4}?\s+(?:to|that)\s")


def _order(body: str, marks: _Marks) -> re.Match[str] | None:
    """An English order says what is to be done: "told him to go", not "told him a story"."""
    found = marks.orders.finditer(body)
    return next((one for one in found if marks.chinese or _DEMANDS_RE.match(body, one.end())), None)


def _first(body: str, *patterns: re.Pattern[str]) -> str:
    for pattern in patterns:
        match = pattern.search(body)
        if match:
            return match[0]
    return ""


# -- a sentence on the whole ------------------------------------------------------------------------------------------


def _on_the_whole(told: Sequence[Told], marks: _Marks) -> Telling:
    spoken = [one for one in told if one.clause.spoken]
    followed = zip(told, [*(one.clause.spoken for one in told[1:]), False], strict=True)
    narrated = [
        one for one, by_speech in followed if not one.clause.spoken and not (by_speech and _announces(one, marks))
    ]
    if spoken and _SPEECH_COUNTS * _length(spoken) >= _length(narrated):
        return _of_speech(spoken)
    narrated = narrated or [one for one in told if not one.clause.spoken]
    return _of_narration(narrated, marks)


def _announces(one: Told, marks: _Marks) -> bool:
    """ "贾母笑道：": it only says who speaks."""
    return marks.say.search(one.clause.text) is not None


def _of_speech(spoken: Sequence[Told]) -> Telling:
    kinds = [one.telling for one in spoken]
    if Telling.HYPOTHETICAL in kinds:
        return Telling.HYPOTHETICAL
    return Telling.INTENDED if Telling.INTENDED in kinds else Telling.TOLD


def _of_narration(narrated: Sequence[Told], marks: _Marks) -> Telling:
    if not narrated:
        return Telling.HAPPENED
    weights = dict.fromkeys(Telling, 0)
    for one in narrated:
        lead = one.telling is Telling.HAPPENED and marks.lead.search(one.clause.text)
        weights[one.telling] += 0 if lead else len(one.clause.text) - one.at
        weights[Telling.HAPPENED] += one.at if one.at >= _HEAD else 0
    happened = weights.pop(Telling.HAPPENED)
    other = max(weights, key=lambda telling: weights[telling])
    return other if weights[other] > 0 and weights[other] >= _REST * happened else Telling.HAPPENED


_SPEECH_COUNTS: Final = 3
"""A sentence is what is said in it, where that is at least one part in so many of what the narrator adds."""
_REST: Final = 0.6
"""What has not happened outweighs what has from this share on: in doubt a statement is no fact."""
_HEAD: Final = 5
"""Characters before the mark of an intention from which on they say something of their own."""


def _length(told: Iterable[Told]) -> int:
    return sum(len(one.clause.text) for one in told)
