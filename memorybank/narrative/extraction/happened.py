"""The words of a completed step as they are told once it has happened: a plan's future becomes a past.

    "Kael will kill the warden and take the key by chapter 9"     "Kael killed the warden and took the key"
    卡尔将在第九章之前杀狱长                                         卡尔杀了狱长

An event is named in the present: "Kael kills the warden", 卡尔杀死狱长.

Only auxiliaries go, and the chapter by which it was due: who planned to kill has planned, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.narrative.extraction.dating import chapters_named
from memorybank.narrative.extraction.lists import lists
from memorybank.narrative.extraction.narration import without
from memorybank.narrative.extraction.verbs_en import base_of, is_adverb
from memorybank.narrative.names import cast_from
from memorybank.text import Piece, sentences
from memorybank.types import Lang


@dataclass(frozen=True, slots=True)
class _Tense:
    """Of English verbs: the form of a base, of one subject or several, and the auxiliary of what is denied."""

    form: Callable[[str, bool], str]
    denied: tuple[str, str]


def as_happened(words: str, lang: Lang, names: Sequence[str] = ()) -> str:
    """`names`: those on record; they are no verbs."""
    return _told(words, lang, names, _PAST)


def event_name(words: str, lang: Lang, names: Sequence[str] = ()) -> str:
    """What a step's title, or first sentence, calls its event once it has happened; itself where none is left."""
    return _told(words, lang, names, _PRESENT).strip(" .。") or words


def _told(words: str, lang: Lang, names: Sequence[str], tense: _Tense) -> str:
    cast = cast_from(names)
    lines = (_OPENER_RE[lang].sub("", line.strip()) for line in _without_chapters(words, lang).splitlines())
    told = []
    for line in lines:
        plain = without(line, [Piece(one.start, one.end) for one in cast.mentions(line)])
        told.append(_chinese(line, plain) if lang == "zh" else _english(line, plain, tense))
    return "\n".join(line for line in told if line)


_OPENER_RE: Final = {
    "en": re.compile(
        r"^(?:and\s+)?(?:then|next|later|eventually|finally|afterwards|in\s+the\s+end|in\s+the\s+next\s+chapter)\b,?\s+",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"^(?:然后|接下来|下一步|随后|以后|后面|之后|最后|下一章|下一回)[里中，,：:]?"),
}
_BEFORE_CHAPTER_RE: Final = {
    "en": re.compile(
        r"(?:,?\s*\b(?:by|in|before|until|at|during)\s+(?:the\s+(?:very\s+)?end\s+of\s+)?)$", re.IGNORECASE
    ),
    "zh": re.compile(r"(?:在|到|于)$"),
}
_AFTER_CHAPTER_RE: Final = {"en": re.compile(r",?"), "zh": re.compile(r"(?:之前|以前|前|里面|里|中|时|末尾|末)?，?")}


def _without_chapters(words: str, lang: Lang) -> str:
    """A completed step has its chapter: the one by which it was due says nothing any more."""
    for one in reversed(tuple(chapters_named(words))):
        before = _BEFORE_CHAPTER_RE[lang].search(words, 0, one.start)
        after = _AFTER_CHAPTER_RE[lang].match(words, one.end)
        start = before.start() if before else one.start
        words = words[:start] + words[after.end() if after else one.end :]
    return words.strip()


# -- English ----------------------------------------------------------------------------------------------------------

_FUTURE_RE: Final = re.compile(
    r"(?P<aux>(?:(?<!\bthe\s)(?<!\bhis\s)(?<!\bher\s)(?<!\ba\s)\b(?:will|shall|must)|['’]ll|\b(?:is|are)\s+(?:going\s+|about\s+)?to|(?<=□)\s+to)\s+)"
    r"(?P<not>(?:not|never)\s+)?(?P<how>(?:[a-z]+ly|then|also|finally|soon|at\s+last)\s+)?(?P<verb>[a-z]+)\b"
)
_GOES_ON_RE: Final = re.compile(r"(?P<link>\b(?:and|or|then)\s+|,\s+)(?P<how>[a-z]+ly\s+|then\s+)?(?P<verb>[a-z]+)\b")
_VOWELS: Final = "aeiou"


def _english(line: str, plain: str, tense: _Tense) -> str:
    for piece in reversed(tuple(sentences(plain))):
        found = _FUTURE_RE.search(plain, piece.start, piece.end)
        if found is None:
            continue
        several = _is_several(line[piece.start : found.start()]) or found["aux"].strip().startswith("are")
        edits = [(found.start(), found.end(), _in_tense(found, tense, several=several))]
        for match in _FUTURE_RE.finditer(plain, found.end(), piece.end):
            alone = _LAST_CLAUSE_RE.sub("", line[piece.start : match.start()])
            edits.append((match.start(), match.end(), _in_tense(match, tense, several=_is_several(alone))))
        taken = [(start, end) for start, end, _ in edits]
        for match in _GOES_ON_RE.finditer(plain, found.end(), piece.end):
            free = not any(start < match.end() and match.start() < end for start, end in taken)
            if free and match["verb"] in _verbs():
                edits.append((match.start("verb"), match.end("verb"), tense.form(match["verb"], several)))
        for start, end, told in sorted(edits, reverse=True):
            line = line[:start] + told + line[end:]
    return line


_LAST_CLAUSE_RE: Final = re.compile(r"^.*(?:[,;]|\b(?:and|but|then|while)\b)", re.DOTALL)
_SEVERAL_RE: Final = re.compile(
    r"\band\s+(?!(?:he|she|it)\b)\S|\b(?:I|you|we|they|both|all)$|\b[a-z]+(?<![su'i])s(?:\s(?:of|from|in|at)\b.*)?$"
)


def _is_several(subject: str) -> bool:
    """Whether what stands before a verb is more than one: "Kael and Mira", "the guards of Northgate", "they"."""
    return _SEVERAL_RE.search(subject.strip()) is not None


def _in_tense(match: re.Match[str], tense: _Tense, *, several: bool) -> str:
    space = " " if match["aux"][:1].isspace() or match["aux"][:1] in "'’" else ""
    how = match["how"] or ""
    if match["not"]:
        return f"{space}{tense.denied[several]} {match['not']}{how}{match['verb']}"
    return f"{space}{how}{tense.form(match['verb'], several)}"


@cache
def _pasts() -> dict[str, str]:
    rows = (entry.split("/") for entry in lists("verbs.en")["irregular"].split())
    return {"be": "was", **{base: past for base, past, _ in rows}}


@cache
def _verbs() -> frozenset[str]:
    """Bases that are verbs where they follow "and": of the irregular ones, and of those that state something."""
    listed = lists("relations.en")["words"]
    stating = (entry.split()[0].lower() for name in _STATING for entry in listed[name])
    return frozenset((*_pasts(), *(base_of(word) for word in stating if not is_adverb(word))))


_STATING: Final = "gain give lose destroy kill wound move leave join learn love hate die leave_faction".split()


def _past(base: str) -> str:
    if base in _pasts():
        return _pasts()[base]
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return f"{base[:-1]}ied"
    short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", base)
    return f"{base}{base[-1]}ed" if short else f"{base}ed"


def _present(base: str, several: bool) -> str:
    if several:
        return "are" if base == "be" else base
    if base in ("be", "have"):
        return "is" if base == "be" else "has"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return f"{base[:-1]}ies"
    return f"{base}es" if re.search(r"(?:s|x|z|ch|sh|o)$", base) else f"{base}s"


_PAST: Final = _Tense(lambda base, _: _past(base), ("did", "did"))
_PRESENT: Final = _Tense(_present, ("does", "do"))


# -- Chinese ----------------------------------------------------------------------------------------------------------

_AUXILIARY_RE: Final = re.compile(
    r"将要|将会|即将|必将|终将|就将|就要|便要|(?<![大老小武名部麻主])将(?![□军士领来把])|(?<![学社机误体宴聚])会(?![□面合议师])"
    r"|(?<![只重需首主想不必])要(?![□求紧塞道])"
)
_BARE_RE: Final = re.compile(
    r"(?<![追自刺斩毒砍射暗谋枪击屠])杀(?=□)|(?<![杀打害刺毒射砍掐淹战病惨处生])死(?=$|[，。；！])"
)
"""A deed of one character that is told as done by 了 alone."""


def _chinese(line: str, plain: str) -> str:
    edits = [(match.start(), match.end(), "") for match in _AUXILIARY_RE.finditer(plain)]
    edits += [(match.end(), match.end(), "了") for match in _BARE_RE.finditer(plain)]
    for start, end, told in sorted(edits, reverse=True):
        line = line[:start] + told + line[end:]
    return line
