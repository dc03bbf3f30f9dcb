"""Names in a text, and whether two phrases name one thing: by how they are written, and by no list of things.

A name is a run of words with capitals, of codes and numbers, or what stands in Chinese quotation marks. Words that are
written small may be added to one (“Willow”, “its Willow chip”), not exchanged. Whatever is left undecided by that is
two things: a version, a number or one more word of a name makes another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from memorybank.language.quotation import names
from memorybank.language.text import FUNCTION_WORDS, HAN, is_han

_QUOTED_RE: Final = re.compile(r"[“‘《「『](?P<name>[^”’》」』，。？！；]{1,24})[”’》」』]")
_WORD_RE: Final = re.compile(rf"[^\W_{HAN}](?:[^\W_{HAN}]|[.&+-](?=[^\W_{HAN}]))*(?P<owner>['’]s?(?!\w))?")
_JOINED_RE: Final = re.compile(r"\s+(?:of\s+(?:the\s+)?)?")
_VERSION_RE: Final = re.compile(r"[一二三四五六七八九十百\d]+[号代期型版](?!的)|\d(?!\d*年)|[A-Za-z]")
"""Behind a Chinese name it makes another one: 九章二号; a year says when."""


class _Phrase(NamedTuple):
    """The parts of a phrase that are compared; its words in one case."""

    named: frozenset[str]
    """The words with a capital or a number; of a Chinese phrase the name."""
    small: frozenset[str]
    """The others; of a Chinese phrase what stands around the name."""
    heads: frozenset[str]
    """Small ones with a function word between them and the name: “castle” of “the castle of Brenn”."""
    owners: frozenset[str]
    """The names in the possessive, of which another phrase may say nothing: “Google's Willow”."""


@lru_cache(maxsize=16_384)
def names_in(text: str) -> tuple[str, ...]:
    """Return the names as they are written, each once; of “Google's Willow” the thing, not whose it is."""
    placed = [(match.start(), match["name"]) for match in _QUOTED_RE.finditer(text) if is_han(match["name"])]
    run: list[re.Match[str]] = []
    for word in [*_WORD_RE.finditer(text), None]:
        if run and word and word[0] in ("of", "the"):
            continue
        joins = word and (_is_name(word) or word[0].isdigit()) and run
        if run and not (joins and word and _JOINED_RE.fullmatch(text, run[-1].end(), word.start())):
            first = max((at for at, owner in enumerate(run[:-1], 1) if owner["owner"]), default=0)
            whole = text[run[first].start() : run[-1].end()].removesuffix(run[-1]["owner"] or "")
            placed += [(run[first].start(), whole)] if any(map(str.isalpha, whole)) else []
            run = []
        if word and (run or _is_name(word)):
            run.append(word)
    ordered = dict.fromkeys(name for _, name in sorted(placed))
    return tuple(name for name in ordered if not any(name != other and name in other for other in ordered))


def _is_name(word: re.Match[str]) -> bool:
    plain = word[0].removesuffix(word["owner"] or "")
    if any(map(str.isdigit, plain)):
        return any(map(str.isalpha, plain)) and not (plain[0].isdigit() and plain.islower())  # r2, but 105-qubit
    return plain[0].isupper() and (plain.casefold() not in FUNCTION_WORDS or (len(plain) > 1 and plain.isupper()))


@lru_cache(maxsize=65_536)
def same_name(left: str, right: str) -> bool:
    """Whether two phrases name one thing."""
    first, second = read_name(left), read_name(right)
    if not (first.named and second.named):
        return first.named == second.named and first.small == second.small != frozenset()
    more, others = first.small - second.small - second.named, second.small - first.small - first.named
    if (more and others) or (more & first.heads) or (others & second.heads):
        return False
    if first.owners - second.owners and second.owners - first.owners:
        return False
    return first.named <= second.named | second.small and second.named <= first.named | first.small


@lru_cache(maxsize=16_384)
def read_name(phrase: str) -> _Phrase:
    if is_han(phrase):
        # A Chinese phrase is read by the one name in it, quoted or in Latin letters, and its surroundings; else whole.
        inside = names_in(phrase)
        core = inside[0] if len(inside) == 1 else phrase
        before, _, after = phrase.partition(core)
        after = after.lstrip("”’》」』")
        if after.startswith("的") or _VERSION_RE.match(after):
            core, before, after = phrase, "", ""
        around = frozenset(filter(None, (re.sub(rf"[^\w{HAN}]", "", before + after),)))
        return _Phrase(frozenset((core.strip("“”‘’《》「」『』 ").casefold(),)), around, frozenset(), frozenset())
    words = list(_WORD_RE.finditer(phrase))
    named, small, owners, heads = set[str](), list[str](), set[str](), frozenset[str]()
    for at, word in enumerate(words):
        plain = word[0].removesuffix(word["owner"] or "").casefold()
        if word["owner"] and at + 1 < len(words):
            owners.add(plain)
        elif _is_name(word) or plain[0].isdigit():
            named.add(plain)
        elif plain in FUNCTION_WORDS:
            heads = heads if named else frozenset(small)
        else:
            small.append(plain)
    return _Phrase(frozenset(named), frozenset(small), heads if named else frozenset(), frozenset(owners))


def is_named_in(text: str, wanted: Iterable[str]) -> bool:
    """Whether a text names one of these."""
    return any(_stands(name, text) for name in wanted)


def _stands(name: str, text: str) -> bool:
    if is_han(name):
        places = (match.end() for match in re.finditer(re.escape(name), text))
        return any(not _VERSION_RE.match(text[end:]) for end in places)
    phrase = read_name(name)
    if phrase.heads or not phrase.named:  # "the castle of Brenn" is in no text that names Brenn alone
        words = name.split()
        return names(text, " ".join(words[1:] if words[0].casefold() in FUNCTION_WORDS else words)) if words else False
    return any(same_name(name, other) for other in names_in(text))
