"""The names of a claim and of what is disputed, in the words of a `Claim`'s fields and no others.

The attribute of a claim that was parsed is the rest of its clause, with a gap where the value stands: "The Tarrow
Bridge", "is … long". A model's is a noun: "length".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memorybank.language.names import names_in
from memorybank.language.quotation import names
from memorybank.language.text import HAN_RE, detect_lang, fold_space
from memorybank.language.values import scan
from memorybank.memory.types import Claim, Lang
from memorybank.prompts import say

GAP: Final = "…"
"""The sign that stands in an attribute for the value."""
LONGEST: Final = 60
"""The most characters of a subject."""
LONGEST_LISTED: Final = 40
"""The most characters of values that commas part; longer ones have the word between all of them."""
_EDGES: Final = " ,，:：;；.。"
_WHOLLY_QUOTED_RE: Final = re.compile(r"“[^“”]*”")


def matter(subject: str, attribute: str, claims: Iterable[Claim] = (), lang: Lang | None = None) -> str:
    """Return what these claims are on, to open a line or to stand before their values; empty where nothing names it.

    `lang`: of the words between theirs; None: that of the claims.
    """
    stated = tuple(claims)
    attribute, name = fold_space(attribute), _named(subject)
    lang = lang or detect_lang(" ".join([subject, attribute, *(claim.text for claim in stated)]))
    if GAP in attribute or GAP in subject:
        return _clause(name, attribute)
    if stated and not any(claim.value for claim in stated):  # the two sentences say the rest
        return name
    if not name or not attribute or attribute.casefold() in name.casefold():
        return name or attribute
    if any(
        names(subject, name) for name in names_in(attribute)
    ):  # "number of qubits of Willow" says itself whose it is
        return attribute
    if "的" in attribute or (lang == "zh" and attribute[0].isdigit()):
        # 石蟾坝的坝高 says itself whose it is; “九章”探测到的光子数; 青雀一号2024年3月有无信号
        return attribute if attribute.partition("的")[0] in subject else f"{name}{attribute}"
    return say("matter_of", lang, subject=name, attribute=attribute)


def _clause(subject: str, attribute: str) -> str:
    """Return a clause with its gap; without it where the value stands at the end."""
    rest = attribute.removesuffix(GAP).rstrip(_EDGES)
    clause = f"{subject}{'' if HAN_RE.search(rest) else ' '}{rest}".strip()
    return clause.replace(GAP, 2 * GAP) if HAN_RE.search(clause) else clause


def _named(subject: str) -> str:
    """Return a subject, in quotation marks where it is cut or reads as a sentence itself."""
    name = fold_space(subject).strip(_EDGES)
    cut = short(name, LONGEST)
    return quoted(cut) if cut != name or re.search(r"[:：;；]", name) else name


def shown(claim: Claim) -> str:
    """Return a value with what it counts, as the text writes it: 105 superconducting qubits, 76个光子; but 2.8吨.

    Of a claim that is no more than yes or no, its sentence.
    """
    value, unit = claim.value.strip(), claim.unit.strip()
    if not value:
        return fold_space(claim.text).rstrip(".。!！;； ")
    if not unit or unit.casefold() in value.casefold() or any(size.unit for size in scan(value)):
        return value
    written = re.search(rf"{re.escape(value)}[^,.;:()，。；：、（）]{{0,24}}?{re.escape(unit)}", claim.text)
    return written[0] if written else value


def listed(values: Sequence[str], about: str, lang: Lang) -> str:
    """Put opposed values behind the matter that they are on: The Tarrow Bridge is … long: 412 or 389 metres."""
    joined = alternatives(values, lang)
    return say("dispute", lang, about=opened(about), values=joined) if about else joined


def alternatives(values: Sequence[str], lang: Lang) -> str:
    """Join values as "A, B or C"."""
    between = say("dispute_between", lang)
    if len(values) < 3 or max(map(len, values)) > LONGEST_LISTED:
        return between.join(values)
    return between.join([say("sources_between", lang).join(values[:-1]), values[-1]])


def opened(words: str) -> str:
    """Return words that begin a line: with a capital, but for a name that is written without one (iPhone, n2)."""
    first = words.partition(" ")[0]
    return words[:1].upper() + words[1:] if first.isalpha() and first.islower() else words


def quoted(text: str) -> str:
    """Put a text in quotation marks; those inside become single ones, in both languages (GB/T 15834 for Chinese)."""
    if _WHOLLY_QUOTED_RE.fullmatch(text):
        return text
    return f"“{text.replace('“', '‘').replace('”', '’')}”"


def short(text: str, longest: int = 120) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
