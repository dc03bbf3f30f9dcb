"""What the clauses of a story say of its entities: who gets what, who dies, who is whose brother, who is where.

Each sentence is written anew with one private character for each name, by its kind, so that a pattern can ask for "a
character, then a verb of getting, then an item" whatever the names look like (author text is never part of a pattern).
A pronoun stands for the last subject where only one person can be meant; a Chinese clause without a subject has that
of the clause before it. Patterns and verbs are in `relations.*.yaml`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from memorybank.language.kin import kin_words, pair_words
from memorybank.language.negation import ALMOST, NEGATION_EN
from memorybank.language.text import Piece
from memorybank.memory.types import Lang
from memorybank.narrative.reading.lists import any_of, lists
from memorybank.narrative.reading.mentions import Mention, Named, Names
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.reading.narration import JudgedClause, Story
from memorybank.narrative.types import EntityKind

_BASES: Final = {
    EntityKind.CHARACTER: 0xE000,
    EntityKind.LOCATION: 0xE400,
    EntityKind.ITEM: 0xE800,
    EntityKind.FACTION: 0xEC00,
    EntityKind.ABILITY: 0xF000,
}
_SPAN: Final = 0x400
"""Mentions of one sentence that are read; what comes after them stays text."""
_CLASSES: Final = {
    "C": "\ue000-\ue3ff", "L": "\ue400-\ue7ff", "I": "\ue800-\uebff", "F": "\uec00-\uefff", "A": "\uf000-\uf3ff",
}  # fmt: skip
PERSON: Final = _CLASSES["C"]
"""For use inside a character class: people in an encoded sentence."""
ANY_NAME: Final = "\ue000-\uf3ff"
"""For use inside a character class: every name in an encoded sentence."""
_LONGEST: Final = 600
"""Characters of a sentence that are read."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One relation that a clause states."""

    event: str
    """Name of the pattern's group in `relations.*.yaml`: gain, give, die, kin_of …"""
    subject: Named | None
    object: Named | None
    to: Named | None
    """The third party: whom it is given to, whom it is taken from."""
    word: str
    """The words that carry a value: a kinship term, an age, a trait."""
    denied: bool
    modality: Modality
    mark: str
    """Why the modality is not `happened`: the words that show it."""
    sentence: Piece
    start: int
    end: int
    """Of what was matched, in characters of the text."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence with private characters for names. `places[i]` is where character i stands in the text."""

    piece: Piece
    text: str
    places: tuple[int, ...]
    mentions: tuple[Mention, ...]

    def mention(self, char: str) -> Mention | None:
        """What a character of the sentence stands for."""
        place = (ord(char) - min(_BASES.values())) % _SPAN if char else -1
        return self.mentions[place] if 0 <= place < len(self.mentions) else None

    def named(self, char: str) -> Named | None:
        mention = self.mention(char)
        return mention.named if mention else None


def statements(story: Story, names: Names) -> tuple[Statement, ...]:
    """All that the text states of known names, in order, whoever says it; see `Statement.modality`."""
    return tuple(stated(story, encode(story, names)))


def stated(story: Story, sentences: Iterable[Encoded]) -> Iterator[Statement]:
    """The same, of sentences that are read already."""
    return (statement for encoded in sentences for statement in _stated(story, encoded, _patterns(story.lang)))


# -- sentences with names as characters -------------------------------------------------------------------------------

_PRONOUNS: Final = {
    "zh": re.compile(r"(?<![其吉])[他她](?!们|人|乡|日|年)"),
    "en": re.compile(
        r"(?<![\w’'])(?:he|she|his|her(?=\s+(?!to\b|from\b|with\b|and\b|by\b|at\b|in\b|for\b|on\b|as\b)[a-z]))(?!\w)",
        re.IGNORECASE,
    ),
}
_PRONOUN_GENDER: Final = {"他": "m", "她": "f", "he": "m", "his": "m", "she": "f", "her": "f"}
_POSSESSIVE: Final = frozenset({"his", "her"})
_CLAUSE_START_RE: Final = re.compile(r"(?<=[，；：,;])\s*|\A[\s“”\"「」『』‘’]*")
_MEMORY: Final = 3
"""Sentences for which a subject is remembered."""


def encode(story: Story, names: Names) -> Iterator[Encoded]:
    """Each sentence that mentions someone or something."""
    mentions = names.find(story.text)
    at = 0
    reader = _Reader(story)
    for piece in story.sentences:
        first = at
        while at < len(mentions) and mentions[at].start < piece.end:
            at += 1
        encoded = reader.sentence(piece, mentions[first:at])
        if encoded.mentions:
            yield encoded


class _Reader:
    """Goes through the sentences and remembers who was spoken of last."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.subject: Named | None = None
        self.age = 0
        """Sentences since the subject was named."""
        self.unclear = False
        """Whether the sentence has a pronoun that may stand for someone else."""

    def sentence(self, piece: Piece, by_name: Sequence[Mention]) -> Encoded:
        text = self.story.text[piece.start : min(piece.end, piece.start + _LONGEST)]
        if "\n\n" in self.story.text[max(0, piece.start - 3) : piece.start]:
            self.subject = None
        mentions = sorted([*by_name, *self._pronouns(text, piece, by_name)], key=lambda mention: mention.start)
        if self.story.lang == "zh":
            mentions = self._left_out(text, piece, mentions)
        encoded = _encoded(text, piece, mentions[:_SPAN])
        self._remember(text, piece, mentions)
        return encoded

    def _pronouns(self, text: str, piece: Piece, by_name: Sequence[Mention]) -> Iterator[Mention]:
        """Each with whom it stands for. A sentence's he is one person, its she another."""
        meant: dict[str, Named] = {}
        self.unclear = False
        for match in _PRONOUNS[self.story.lang].finditer(text):
            start, end = piece.start + match.start(), piece.start + match.end()
            if any(mention.start < end and start < mention.end for mention in by_name) or self._spoken(start):
                continue
            kind = _PRONOUN_GENDER[match[0].lower()]
            named = meant.get(kind) or self._meant(start, by_name)
            if named is None or named in (person for gender, person in meant.items() if gender != kind):
                self.unclear = True
                continue
            meant[kind] = named
            yield Mention(start, end, named)

    def _meant(self, place: int, by_name: Sequence[Mention]) -> Named | None:
        """Whom a pronoun stands for: the one person named before it in the sentence, else the last subject."""
        people = (
            mention
            for mention in by_name
            if mention.end <= place and _is_person(mention.named) and not self._spoken(mention.start)
        )
        before = {mention.named.key: mention.named for mention in people}
        if len(before) > 1:
            return None
        return next(iter(before.values())) if before else self.subject

    def _spoken(self, place: int) -> bool:
        clauses = self.story.within(Piece(place, place + 1))
        return bool(clauses) and clauses[0].clause.spoken

    def _left_out(self, text: str, piece: Piece, mentions: list[Mention]) -> list[Mention]:
        """Subjects that a Chinese clause takes over from the one before it, as mentions without characters."""
        complete: list[Mention] = list(mentions)
        carried: Named | None = None
        for match in _CLAUSE_START_RE.finditer(text):
            start = piece.start + match.end()
            own = next((mention for mention in mentions if mention.start == start and _is_person(mention.named)), None)
            if own is not None:
                carried = carried if _possessive(text, own.end - piece.start) else own.named
            elif carried is not None and not self._spoken(start):
                complete.append(Mention(start, start, carried))
        return sorted(complete, key=lambda mention: (mention.start, mention.end))

    def _remember(self, text: str, piece: Piece, mentions: Sequence[Mention]) -> None:
        people = [
            mention
            for mention in mentions
            if _is_person(mention.named)
            and not _possessive(text, mention.end - piece.start)
            and not self._spoken(mention.start)  # whom the narrator speaks of next is seldom whom someone names
        ]
        self.age += 1
        if people:
            alone = len({mention.named.key for mention in people}) == 1 and not self.unclear
            self.subject, self.age = people[0].named if alone or self.story.lang == "zh" else None, 0
        elif self.age >= _MEMORY:
            self.subject = None


def _is_person(named: Named) -> bool:
    return named.kind is EntityKind.CHARACTER


def _possessive(text: str, after: int) -> bool:
    return text[after : after + 2] in ("'s", "’s") or text[after : after + 1] in ("的", "之")


_PRIVATE_RE: Final = re.compile("[\ue000-\uf8ff]")


def _plain(text: str) -> str:
    """Without private characters of its own, which would read as names."""
    return _PRIVATE_RE.sub("□", text)


def _encoded(text: str, piece: Piece, mentions: Sequence[Mention]) -> Encoded:
    written: list[str] = []
    places: list[int] = []
    at = 0
    for number, mention in enumerate(mentions):
        start, end = mention.start - piece.start, mention.end - piece.start
        if start < at or end > len(text):
            continue
        written.append(_plain(text[at:start]))
        places += range(piece.start + at, piece.start + start)
        written.append(chr(_BASES[mention.named.kind] + number))
        places.append(mention.start)
        if text[start:end].lower() in _POSSESSIVE:
            written.append("’s")
            places += [mention.start, mention.start]
        at = end
    written.append(_plain(text[at:]))
    places += range(piece.start + at, piece.start + len(text) + 1)
    return Encoded(piece, "".join(written), tuple(places), tuple(mentions))


# -- patterns ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pattern:
    event: str
    regex: re.Pattern[str]
    plain: bool
    """A pattern whose clause may not be denied, as a kinship by its name."""


@cache
def _patterns(lang: Lang) -> tuple[_Pattern, ...]:
    listed = lists(f"relations.{lang}")
    every = {**listed["words"], "kin": kin_words(lang), "pair": pair_words(lang)}
    words = {name: f"(?:{any_of(entries, lang)})" for name, entries in every.items()}
    return tuple(
        _Pattern(event, re.compile(_filled(template, words, listed["parts"]), re.IGNORECASE), event in listed["plain"])
        for event, templates in listed["patterns"].items()
        for template in templates
    )


_PLACE_RE: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")


def _filled(template: str, words: dict[str, str], parts: dict[str, Any]) -> str:
    """`{s:C}` is a group `s` of one name of kind C; `{gap}` and the like are parts, `{gain}` a list of verbs."""

    def replacement(match: re.Match[str]) -> str:
        name, kinds = match[1], match[2]
        if kinds:
            return f"(?P<{name}>[{''.join(_CLASSES[kind] for kind in kinds)}])"
        return str(parts[name]) if name in parts else words[name]

    return _PLACE_RE.sub(replacement, template).replace("@ANY", ANY_NAME).replace("@C", PERSON)


_DENIAL: Final = {
    "zh": re.compile(
        r"[没未不无非别勿莫](?!久|远|停|时|由|禁|觉|愧|料|仅|但|过|得不|一日|一时|几日|数日|多时|多日|移时|消|上[一二三半几数])|并非|从未|尚未|险些|差点|几乎"
    ),
    "en": re.compile(rf"{NEGATION_EN}|\b(?:failed|refused|{'|'.join(ALMOST)})\b", re.I),
}


def _stated(story: Story, encoded: Encoded, patterns: Sequence[_Pattern]) -> Iterator[Statement]:
    for pattern in patterns:
        for match in pattern.regex.finditer(encoded.text):
            groups = match.groupdict()
            verb = match.start("v") if groups.get("v") else match.start()
            place = encoded.places[verb]
            judged = clause_at(story, place)
            if judged is None:
                continue
            end = encoded.places[match.end() - 1] + 1
            yield Statement(
                event=pattern.event,
                subject=encoded.named(groups.get("s") or ""),
                object=encoded.named(groups.get("o") or ""),
                to=encoded.named(groups.get("to") or ""),
                word=groups.get("w") or groups.get("v") or "",
                denied=not pattern.plain and _is_denied(story, encoded, match, groups),
                modality=judged.modality_at(place - judged.clause.start),
                mark=judged.mark,
                sentence=encoded.piece,
                start=encoded.places[match.start()],
                end=max(end, encoded.places[match.start()] + 1),
            )


_DENIED_DISPOSAL_RE: Final = re.compile(r"(?:[没未不莫别]|无法)[^，。；：！？]{0,8}[把将][^，。；：！？]{0,6}$")
"""不肯把玉佩 before 交给: what is disposed of stands between the denial and the verb."""


def _is_denied(story: Story, encoded: Encoded, match: re.Match[str], groups: Mapping[str, str | None]) -> bool:
    if _DENIAL[story.lang].search(groups.get("gap") or ""):
        return True
    before = encoded.text[max(0, match.start() - _NEAR) : match.start()]
    return story.lang == "zh" and not groups.get("s") and _DENIED_DISPOSAL_RE.search(before) is not None


_NEAR: Final = 20
"""Characters before a statement in which its denial stands."""


def is_denied(text: str, lang: Lang) -> bool:
    return _DENIAL[lang].search(text) is not None


def clause_at(story: Story, place: int) -> JudgedClause | None:
    at = bisect_right(story.clauses, place, key=lambda judged: judged.clause.start) - 1
    return story.clauses[at] if at >= 0 else None
