"""Two names that a text says one bearer has had: "Mara is now called Vera", 林霜改名叫文澜, 文澜本名林霜.

Read in the text's own words, whoever is on record; `calling` asks who the bearer is. What only calls somebody ("Mara
called Vera", 林霜叫文澜过来), what names another one ("Mara named her dog Vera") and a title ("is now called Captain")
are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.engines.offline.claims.words_zh import SURNAMES
from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.narration import without
from memorybank.text import CJK, Piece
from memorybank.types import Lang


@dataclass(frozen=True, slots=True)
class Renaming:
    first: Piece
    second: Piece
    """The two names, in characters of the text."""
    verb: int
    """Where that is said."""
    said: Piece
    """All of it, with what stands between the names: a plan or a denial too."""


def renamings(text: str, lang: Lang, names: Sequence[Piece] = ()) -> Iterator[Renaming]:
    """`names`: stretches that are names known; each counts whole, and whatever its letters are."""
    if not may_rename(text, lang):
        return
    plain = without(text, names)
    known = {(one.start, one.end) for one in names}
    seen = set()
    for pattern in _patterns(lang):
        for match in pattern.finditer(plain):
            first, second = Piece(*match.span("a")), Piece(*match.span("b"))
            parts = [one for one in (first, second) if _KNOWN in plain[one.start : one.end]]
            if (first, second) not in seen and all((one.start, one.end) in known for one in parts):
                seen.add((first, second))
                yield Renaming(first, second, match.start("v"), Piece(match.start("a"), match.end()))


_MAY_RE: Final = {
    "en": re.compile("nam|call|known|born|née|formerly|previously|originally|styl|rechrist|rebapt"),
    "zh": re.compile("[名叫]|改称"),
}


def may_rename(text: str, lang: Lang) -> bool:
    """Whether it has any of the words; most texts have none."""
    return _MAY_RE[lang].search(text) is not None


_PLANNED_RE: Final = {
    "en": re.compile(
        r"\b(?:will|would|must|may|might|should|could|can|going|about|to|want(?:s|ed)|plan(?:s|ned)|intend(?:s|ed)|hope[sd]|wish(?:es|ed)|refuse[sd])\b"
    ),
    "zh": re.compile("将|会|要|想|打算|准备|决定|可能|应该"),
}


def planned(text: str, one: Renaming, lang: Lang) -> str:
    """The word that makes a plan of it, between the name and the verb; empty where there is none."""
    match = _PLANNED_RE[lang].search(text, one.first.end, one.verb)
    return match[0] if match else ""


_KNOWN: Final = "□"
"""Stands for a character of a name that is known."""


@cache
def _patterns(lang: Lang) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, _chinese() if lang == "zh" else _english()))


def _english() -> Iterator[str]:
    nouns = "|".join(any_of(words, "en") for kind, words in lists("markers.en")["noun"].items() if kind != "Character")
    word = r"[A-Z][\w’-]{0,30}"
    name = rf"{_KNOWN}+|(?:the\s)?{word}(?:\s(?:of\s(?:the\s)?)?{word}){{0,3}}(?:\s(?:{nouns}))?"
    first = rf"(?<![\w’'{_KNOWN}])(?P<a>{name})"
    second = rf"[“\"‘]?(?P<b>{name})(?![\w{_KNOWN}]|['’]s\b)"
    adverb = r"(?:then|later|soon|also|now|finally|since|once|henceforth|still|always|at\slast|[a-z]+ly)"
    mood = (
        r"(?:has|had|have|will|would|must|may|might|should|could|can|did|does|do|not|never|[a-z]+n['’]t|to|going|about"
        r"|wants|wanted|plans|planned|intends|intended|decides|decided|refuses|refused|hopes|hoped|wishes|wished|is|was)"
    )
    between = rf"(?:,?\swho)?(?:\s(?:{adverb}|{mood}))*"
    be = r"(?:is|was|be|been|being|got|gets|are)"
    called = r"(?:called|known\sas|named)"
    now = r"(?:now|nowadays|henceforth|from\snow\son|from\sthen\son|these\sdays|today|ever\ssince)"
    yield rf"{first}(?:{between}\s{be}|,)?\s(?P<v>{now}\s{called})\s{second}"
    yield rf"{first}(?:{between}\s{be}|,)\s(?:{adverb}\s)?(?P<v>(?:renamed|rechristened|rebaptised)(?:\sas)?)\s{second}"
    yield (
        rf"{first}{between}\s(?P<v>(?:renam(?:e|ed|es)|calls?|called|styles?|styled)\s(?:him|her|it)self(?:\sas)?)"
        rf"\s{second}"
    )
    yield rf"{first}(?:{between}\s{be}|,)\s(?P<v>(?:best|better|once)?\s?known\sas)\s{second}"
    yield rf"{first}['’]s\s(?P<v>(?:new|real|true|actual|birth|maiden|former|old|original)\sname)\s(?:is|was)\s{second}"
    yield (
        rf"{first}{between}\s(?P<v>(?:took|takes?|taken|adopt(?:s|ed)?|assum(?:e|es|ed)|choos(?:e|es)|chose|bears?|bore"
        rf"|go(?:es)?\sby|went\sby|gone\sby|liv(?:es|ed)\sunder|travel(?:s|led|ed)\sunder)\s(?:on\s)?(?:the|a)"
        rf"\s(?:new\s|false\s|assumed\s)?name(?:\sof)?)\s{second}(?!\sfor\b)"
    )
    own = r"(?:his|her|its)\sname(?:\sfrom\s[^.,;:!?]{1,30}?)?"
    yield rf"{first}{between}\s(?P<v>chang(?:e|es|ed)\s{own}\sto)\s{second}"
    before = rf"(?:formerly|previously|originally)(?:\s{called})?|once\s{called}|née|born"
    yield rf"{first},?\s(?P<v>{before})\s{second}(?=[,.;!)]|$)"
    yield rf"\b(?P<v>renam(?:ed|es))\s(?:the\s)?(?P<a>{_KNOWN}+)\s(?:as\s|to\s)?{second}"
    yield rf"\b(?P<v>chang(?:ed|es)\sthe\sname\sof)\s(?:the\s)?(?P<a>{_KNOWN}+)\sto\s{second}"


def _chinese() -> Iterator[str]:
    surnames = "".join(sorted(set(SURNAMES)))
    person = rf"(?<![{CJK}{_KNOWN}])[{surnames}][{CJK}]{{1,2}}?(?<!的)"
    first = rf"(?P<a>(?<!{_KNOWN}){_KNOWN}+|{person})"
    ends = r"(?=[，。；！、,.;!？?）)\s]|$|(?:之|以)?后[，离便就才又来去])"
    second = rf"(?P<b>(?<=[“「《『])[{CJK}{_KNOWN}]{{2,6}}(?=[”」》』])|{_KNOWN}+{ends}|[{CJK}]{{2,6}}?{ends})"
    adverb = (
        r"后来|从此|如今|现在|现|今|便|就|也|都|已经|已|又|曾|正式|于是|自此|此后|以后|今后|往后|索性|干脆|终于|其实|原来|本来"
        r"|将要|将会|将|会|要|想要|想|打算|准备|决定|可能|应该|没有|没|并未|并没有|未曾|未|不曾|不肯|不愿|不|在?第[^，。；：]{1,5}[章回]里?"
    )
    between = rf"，?(?:{adverb})*"
    as_ = r"(?:叫做|叫作|叫|为|作|做|成|是)?[“「《『]?"
    yield rf"{first}{between}(?P<v>改名|更名|易名|改称|改叫|化名){as_}{second}"
    yield rf"{first}，?(?:的)?(?P<v>新名字?|本名|原名|旧名|曾用名|真名)(?:其实|原来|就)?{as_}{second}"
    when = "如今|现在|现今|今|现|原来|原|本来|本|从前|以前|原先|后来"
    yield rf"{first}，?(?P<v>(?:{when})(?:名叫|叫做|叫作|叫|(?<=[今现])名)){as_}{second}"


_NO_NAME_ZH: Final = re.compile(
    r"^(?:[人他她它我你您谁咱苦屈]|大家|众人|什么)|[来去了着过的]$|[岁年章回卷]|^[一二三四五六七八九十\d]"
)


def is_name(name: str, lang: Lang) -> bool:
    """Whether a word that stands where a new name would is one."""
    return lang == "en" or _NO_NAME_ZH.search(name) is None
