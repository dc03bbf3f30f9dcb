"""Deeds in Chinese sentences. Without word borders, what stands beside a name tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from memorybank.language.han import HAN
from memorybank.narrative.continuity.deed import DOES, HANDLED, Deed, deed_words
from memorybank.narrative.reading.lists import any_of
from memorybank.narrative.reading.statements import ANY_NAME, PERSON, Encoded
from memorybank.narrative.types import EntityKind

_BREAKS: Final = "，,；;：:。．！!？?“”‘’「」『』…—\n（）()"
_PERSON: Final = f"[{PERSON}]"
_NAME: Final = f"[{ANY_NAME}]"
_FRONT: Final = 14
"""Characters before a subject within its clause."""
_MEASURED: Final = "(?:[那这]|自己的)?一?[把柄支只口本块枚盏张面条件]?$"


@cache
def _re(template: str) -> re.Pattern[str]:
    """`{name}` is one of a list's words."""
    words = deed_words("zh")
    return re.compile(re.sub(r"\{(\w+[a-z])\}", lambda match: f"(?:{any_of(words[match[1]], 'zh')})", template))


def deeds(encoded: Encoded) -> Iterator[Deed]:
    for match in re.finditer(_NAME, encoded.text):
        place = match.start()
        named = encoded.named(match[0])
        if named is None or _is_left_out(encoded, place):  # the clause that names its subject tells enough
            continue
        before, after = _clause(encoded.text, place)
        if named.kind is EntityKind.CHARACTER:
            offset = _acts(before, after)
            if offset is not None:
                at = place + 1 + offset
                yield Deed(DOES, named, place, at + 1, at)
        elif named.kind is EntityKind.ITEM:
            handled = _in_use(before, after, place)
            if handled is not None:
                yield Deed(HANDLED, named, min(place, handled), max(place, handled) + 1, handled)


def _is_left_out(encoded: Encoded, place: int) -> bool:
    mention = encoded.mention(encoded.text[place])
    return mention is not None and mention.start == mention.end


def _clause(text: str, place: int) -> tuple[str, str]:
    """What stands before and after a name in its clause."""
    first = max((text.rfind(mark, 0, place) for mark in _BREAKS), default=-1) + 1
    ends = [end for mark in _BREAKS if (end := text.find(mark, place + 1)) >= 0]
    return text[first:place], text[place + 1 : min(ends, default=len(text))]


# -- who acts ---------------------------------------------------------------------------------------------------------


def _acts(before: str, after: str) -> int | None:
    """Where in `after` a deed begins of the one named between; None where the name is no subject."""
    joined = re.match(rf"[和与跟同、]{_PERSON}", after)  # 谢婉与谢长风对坐
    shift = joined.end() if joined else 0
    before = re.sub(rf"{_PERSON}[和与跟同、]$", "", before)
    if not _is_subject(before.strip()):
        return None
    rest = after[shift:]
    if _re(r"^(?:也|都|早|已|已经|早已|就|便|还|才|又|倒)?{afterlife}").match(rest):
        return None
    for template in (
        r"^[也便就却都还如今现]{0,3}(?P<v>在)(?!世|天之|地下|九泉|坟|墓|棺)[^的，]{1,8}[^的，]",
        rf"^[^的，]{{2,8}}地(?P<v>[{HAN}])",
        r"^[^的没不未曾被，]{0,6}?(?P<v>{verbs})",
        rf"^[^的没不未曾被，]{{0,10}}?(?P<v>[{HAN}])(?:[着了]|起来|[出过下进回上]来|一[声口眼下遍])(?!后|以后|之后|年|的)",
    ):
        match = _re(template).match(rest)
        if match and not _of_another_time(rest, match.end()):
            return shift + match.start("v")
    return None


def _is_subject(before: str) -> bool:
    """Whether what stands before a name in its clause leaves it the subject."""
    if not before:
        return True
    if len(before) > _FRONT:
        return False
    if re.search(r"[的把被将给对向替为让使叫跟和与比像除连]$", before) and not before.endswith(("只见", "连")):
        return False
    if _re(rf"(?:^|[{HAN}]){{openings}}$").search(before):
        return True
    return re.search(deed_words("zh")["place_or_time"] + "$", before) is not None


def _of_another_time(rest: str, at: int) -> bool:
    """A deed that describes a thing (谢长风留下的椅子), or that was once done (来过)."""
    after = rest[at:]
    return re.match(r"[^，]{0,3}过(?![来去头身])", after) is not None or _RELATIVE_RE.match(after) is not None


_RELATIVE_RE: Final = re.compile(r"(?!.{0,4}[了着把])(?!.{0,2}(?:自己|他|她|我|手里|手中)的)[^，]{0,5}的(?!时候)[^，]")


# -- things in use ----------------------------------------------------------------------------------------------------


def _in_use(before: str, after: str, place: int) -> int | None:
    """Where in the sentence the words stand that have a thing at hand."""
    if _re("{absent}").search(before) or re.match(deed_words("zh")["thing_after"], after):
        return None
    start = place - len(before)
    match = re.search(rf"(?P<v>[{HAN}](?:着|起|住|出|开))(?:[^，]{{0,6}}的)?" + _MEASURED, before)
    if match:
        return start + match.start("v")
    match = _re(r"(?P<v>{by_hand})(?:[^，]{0,8}的)?" + _MEASURED).search(before)
    return start + match.start("v") if match and after and not _re("{not_by_hand}").search(after) else None
