"""Documents made from a document by rules: a paraphrase, an overlap, and a near miss. Deterministic, both languages.

A paraphrase says the same: sentences in another order, every value written otherwise (`rewording`), common words
exchanged for others of their meaning, and a frame such as "it is reported that". An overlap has two thirds of the
sentences as they are, and a paragraph on something else, its own in every copy. A near miss is a text about a sibling:
the same sentences with another name ("X II", X二号) and other numbers. The engine knows none of these rules and none of
these words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from memorybank.engines.offline.salience import mentions
from memorybank.lab.bench.texts import long_text
from memorybank.lab.evaluation.rewording import rewordings
from memorybank.language.text import blocks, fold_space, sentences
from memorybank.memory.types import Lang

FEWEST: Final = 3
"""Sentences that a document must have to be copied."""
OTHER_BYTES: Final = 300

_EXCHANGED: Final[dict[Lang, dict[str, str]]] = {
    "en": dict(
        pair.split("=")
        for pair in (
            "built=constructed|about=roughly|because=since|large=big|showed=demonstrated|made=produced|"
            "began=started|needs=requires|needed=required|used=employed|uses=employs|also=likewise|"
            "fast=quick|small=little|whole=entire|many=numerous|only=merely|almost=nearly|"
            "helped=aided|kept=maintained|people=persons|shown=displayed"
        ).split("|")
    ),
    "zh": dict(
        pair.split("=")
        for pair in (
            "因为=由于|所以=因此|但是=不过|但=不过|可以=能够|使用=采用|建成=落成|研制=研发|大约=约|目前=现在|没有=并无|"
            "非常=十分|开始=着手|发现=找到|需要=须要|如果=倘若|已经=业已|来自=出自|以及=和|人们=大家|负责=主管|"
            "称为=叫作|获得=取得|帮助=协助|全部=所有|完成=做完|提出=提议"
        ).split("|")
    ),
}
_FRAMES: Final[dict[Lang, tuple[str, ...]]] = {
    "en": ("It is reported that ", "According to this account, ", "As is known, ", ""),
    "zh": ("据介绍，", "资料显示，", "众所周知，", ""),
}
_LEANS_RE: Final = re.compile(
    r"(?:It|Its|He|His|She|Her|They|Their|This|That|These|Those|Such|Both|Since|But|And|The (?:first|second|other))\b"
    r"|[他她它]们?|该|其|这|那|此|两者|前者|后者|但|不过|因此|所以|同"
)
"""Begins a sentence that needs the one before it."""
_WORDS_RE: Final = re.compile(r"[a-z]+")
_INTEGER_RE: Final = re.compile(
    r"(?<![\w.,/:-])\d{1,3}(?:,\d{3})*(?![\w,/:]|\.\d|-\d)|(?<![\d.,])\d{1,3}(?=[个根块米吨条台])"
)
_QUOTED_RE: Final = re.compile(r"“([^”\n]{2,8})”")
_SIBLING: Final[dict[Lang, str]] = {"en": "{} II", "zh": "{}二号"}


def statements(text: str) -> list[str]:
    """The sentences of a document's prose, headings left out."""
    return [
        said
        for block in blocks(text)
        if block.kind in ("prose", "list")
        for start, end in sentences(text[block.start : block.end])
        if (said := fold_space(text[block.start + start : block.start + end]))
    ]


def paraphrase(text: str, lang: Lang) -> str:
    """Every sentence of the text, reworded, in another order."""
    frames = _FRAMES[lang]
    reworded = [_reworded(said, lang) for said in _reordered(statements(text))]
    framed = [_framed(said, frames[place % len(frames)], lang) for place, said in enumerate(reworded)]
    return _joined(framed, lang)


def overlap(text: str, lang: Lang) -> str:
    """The first two thirds of the sentences as they are, and a paragraph on something else (`lab/bench/texts.py`)."""
    given = statements(text)
    kept = given[: max(2, -(-2 * len(given) // 3))]
    other = long_text(lang, OTHER_BYTES, seed=crc32(text.encode("utf-8"))).partition("\n\n")[0]
    return f"{_joined(kept, lang)}\n{other}\n"


def near_miss(name: str, text: str, lang: Lang) -> str | None:
    """The text about a sibling of what the document is named for, with other numbers.

    None when no name of the text is in the document's name, or when it has no number.
    """
    subject = _subject(name.rpartition(".")[0], text, lang)
    numbered = _INTEGER_RE.sub(_other, text)
    if subject is None or numbered == text:
        return None
    return numbered.replace(subject, _SIBLING[lang].format(subject))


def _reordered(given: Sequence[str]) -> list[str]:
    """Neighbours exchanged, where neither leans on the one before it; the first stays, for it says what "it" is."""
    order = list(given)
    for place in range(1, len(order) - 1, 2):
        after = order[place + 2] if place + 2 < len(order) else ""
        if not any(_LEANS_RE.match(said) for said in (order[place], order[place + 1], after)):
            order[place], order[place + 1] = order[place + 1], order[place]
    return order


def _reworded(said: str, lang: Lang) -> str:
    for form in rewordings(said, lang):
        said = form.restated
        break
    words = _EXCHANGED[lang]
    if lang == "en":
        return _WORDS_RE.sub(lambda match: words.get(match[0], match[0]), said)
    for word, other in words.items():
        if word in said:
            said = said.replace(word, other, 1)
    return said


def _framed(said: str, frame: str, lang: Lang) -> str:
    """A frame before the sentence; an opening article is written small after it."""
    if not frame or _LEANS_RE.match(said):
        return said
    if lang == "en" and said.startswith(("The ", "A ", "An ", "In ", "On ", "At ")):
        said = said[0].lower() + said[1:]
    return frame + said


def _joined(given: Sequence[str], lang: Lang) -> str:
    return (" " if lang == "en" else "").join(given) + "\n"


def _subject(stem: str, text: str, lang: Lang) -> str | None:
    """The name in the prose that stands in the document's, of several the last: of `ibm_eagle` Eagle."""
    text = "\n".join(statements(text))
    if lang == "zh":
        names = {match[1] for match in _QUOTED_RE.finditer(text)}
    else:
        names = {text[one.start : one.end] for one in mentions(text) if one.kind == "name"}
    low = stem.casefold()
    standing = [name for name in names if name.casefold() in low]
    return max(standing, key=lambda name: (low.rindex(name.casefold()), len(name), name), default=None)


def _other(match: re.Match[str]) -> str:
    value = int(match[0].replace(",", ""))
    return f"{value + max(2, value * 2 // 5):,}" if "," in match[0] else str(value + max(2, value * 2 // 5))
