"""Deeds in Chinese sentences; see `deeds`. Without word borders, what stands beside a name tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from memorybank.narrative.continuity.deeds import DOES, HANDLED, KIN_DOES, USES, Deed, deed_words
from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.statements import Encoded
from memorybank.narrative.types import EntityKind

_BREAKS: Final = "，,；;：:。．！!？?“”‘’「」『』…—\n（）()"
_PERSON: Final = "[\ue000-\ue3ff]"
_NAME: Final = "[\ue000-\uf3ff]"
_FRONT: Final = 14
"""Characters before a subject within its clause."""


@cache
def _any(name: str) -> str:
    return f"(?:{any_of(deed_words('zh')[name], 'zh')})"


@cache
def _re(template: str) -> re.Pattern[str]:
    """`{name}` is one of a list's words."""
    return re.compile(re.sub(r"\{(\w+[a-z])\}", lambda match: _any(match[1]), template))


@cache
def _relied_on_re() -> re.Pattern[str]:
    """林霜又一次倚仗照夜剑: who relies on what comes next, and is not only said to want to."""
    gap = rf"(?:不得不|不慌不忙|(?!{_NAME}|[的没未曾勿别不]|{_any('unwilled')})[^，]){{0,8}}?"
    return re.compile(
        rf"{_PERSON}(?![和与跟同、]){gap}(?P<v>{_any('relying')})[着了起出上]?(?:那|这|一|手中的|手里的)?[把柄支只口本块枚盏张面条件]?$"
    )


@cache
def _kin_re() -> re.Pattern[str]:
    return re.compile(rf"(?:的|那|他|她)?({any_of(lists('relations.zh')['words']['kin'], 'zh')})(?!{_NAME}|的|们)")


@cache
def _kin_met_re() -> re.Pattern[str]:
    """ "陪父亲吃了晚饭": with someone's father."""
    with_them = _any("with_them")
    kin = any_of(lists("relations.zh")["words"]["kin"], "zh")
    return re.compile(
        rf"[^，的{_NAME[1:-1]}没不未想像]{{0,4}}?(?P<v>{with_them}|[\u4e00-\u9fff]着)了?(?P<w>{kin})(?!{_NAME}|的|们|家|[死生]|去世|一样)(?=[^，])"
    )


def deeds(encoded: Encoded) -> Iterator[Deed]:
    text = encoded.text
    for match in re.finditer(_NAME, text):
        place = match.start()
        named = encoded.named(text[place])
        if named is None:
            continue
        before, after = _clause(text, place)
        if _is_left_out(encoded, place):  # the clause that names its subject tells enough; this one may have another
            shown = re.match(r"(?:原来|竟然|竟|果然|正|就)?是", after)  # 抬头一看，是父亲赶来了
            yield from _kin_deeds(named, before, after[shown.end() :], place + shown.end()) if shown else ()
            yield from _kin_deeds(named, before, after, place)
        elif named.kind is EntityKind.CHARACTER:
            found = _acts(before, after)
            at = place + 1 + found if found is not None else _met(text, before, after, place)
            if at is not None:
                yield Deed(DOES, named, min(place, at), max(place, at) + 1, at, after[:4])
            yield from _kin_deeds(named, before, after, place)
        elif named.kind is EntityKind.ITEM:
            if (at := _in_use(before, after, place)) is not None:
                yield Deed(HANDLED, named, min(place, at), max(place, at) + 1, at, "")
            relied = _relied_on_re().search(before)
            user = encoded.named(before[relied.start()]) if relied else None
            if relied and user is not None:
                start = place - len(before)
                first, verb = start + relied.start(), start + relied.start("v")
                yield Deed(USES, user, first, place + 1, verb, relied["v"], thing=named)


def _kin_deeds(named: Named, before: str, after: str, place: int) -> Iterator[Deed]:
    """ "父亲端出一碗面", "陪父亲吃了饭": someone's father, whose son was named just before."""
    met = _kin_met_re().match(after)
    if met:
        yield Deed(KIN_DOES, named, place, place + 1 + met.end(), place + 1 + met.start("v"), met["w"])
    kin = _kin_re().match(after)
    found = _acts(before, after[kin.end() :]) if kin else None
    if kin and found is not None:
        at = place + 1 + kin.end() + found
        yield Deed(KIN_DOES, named, place, at + 1, at, kin[1])


def _is_left_out(encoded: Encoded, place: int) -> bool:
    mention = encoded.mentions[(ord(encoded.text[place]) - 0xE000) % 0x400]
    return mention.start == mention.end


def _clause(text: str, place: int) -> tuple[str, str]:
    """What stands before and after a name in its clause."""
    first = max((text.rfind(mark, 0, place) for mark in _BREAKS), default=-1) + 1
    ends = [end for mark in _BREAKS if (end := text.find(mark, place + 1)) >= 0]
    return text[first:place], text[place + 1 : min(ends, default=len(text))]


# -- someone as the subject -------------------------------------------------------------------------------------------


def _acts(before: str, after: str) -> int | None:
    """Where in `after` a deed begins of the one named between; None where the name is no subject."""
    joined = re.match(rf"[和与跟同、]{_PERSON}", after)  # 谢婉与谢长风对坐
    shift = joined.end() if joined else 0
    before = re.sub(rf"{_PERSON}[和与跟同、]$", "", before)
    if not is_subject(before.strip()):
        return None
    rest = after[shift:]
    if _re(r"^(?:也|都|早|已|已经|早已|就|便|还|才|又|倒)?{afterlife}").match(rest):
        return None
    for how in (
        r"^(?:[也便就却都]|已经?|刚刚?)?(?P<v>{manner})",
        r"^(?:[也便就却都]|已经?|刚刚?)?(?P<v>{coverbs})(?!来|军|要)",
        r"^[也便就却都还如今现]{0,3}(?P<v>在)(?!世|天之|地下|九泉|坟|墓|棺)[^的，]{1,8}[^的，]",
        r"^(?P<v>到)[^，的]{1,6}(?:时|后)$",
    ):
        match = _re(how).match(rest)
        if match and not re.search(r"过(?![来去头身])", rest[match.end() : match.end() + 6]):
            return shift + match.start("v")
    for template in (
        r"^[^的，]{2,8}地(?P<v>[\u4e00-\u9fff])",
        r"^[^的没不未曾被，]{0,6}?(?P<v>{verbs})",
        rf"^[^的没不未曾被，]{{0,10}}?(?P<v>[\u4e00-\u9fff])(?:{deed_words('zh')['aspects']})(?!后|以后|之后|年|的)",
        r"^的(?P<v>{body})(?:" + deed_words("zh")["limb_acts"] + ")",
    ):
        match = _re(template).match(rest)
        if match and (template.startswith("^的") or not _of_another_time(rest, match.end())):
            return shift + match.start("v")
    told = _re(r"^(?!{no_deed}|[\ue000-\uf3ff])(?:[\u4e00-\u9fff]{3}|[\u4e00-\u9fff]{5,})$").match(rest)
    when = re.search(r"(?:之?[前后]|以[前后]|[时年天日夜刻]|时候)$", rest)
    return shift if told and not before and not when and not _of_another_time(rest, 1) else None


def is_subject(before: str) -> bool:
    """Whether what stands before a name in its clause leaves it the subject."""
    if not before:
        return True
    if len(before) > _FRONT:
        return False
    if re.search(r"[的把被将给对向替为让使叫跟和与比像除连]$", before) and not before.endswith(("只见", "连")):
        return False
    if _re(r"(?:^|[\u4e00-\u9fff]){openings}$").search(before):
        return True
    return re.search(deed_words("zh")["place_or_time"] + "$", before) is not None


def _of_another_time(rest: str, at: int) -> bool:
    """A deed that describes a thing (谢长风留下的椅子), or that was once done (来过)."""
    after = rest[at:]
    if re.match(r"[^，]{0,3}过(?![来去头身])", after):
        return _PASSES_RE.match(rest) is None
    return _RELATIVE_RE.match(after) is not None


_PASSES_RE: Final = re.compile(
    r"[^的，]{0,6}?[走穿跨越绕渡掠拂擦闪迈踏冲]过(?![来去头身])"
    r"(?!.*[的多几遍次回趟千万百些年]|许|无数|不少|大半|[那这])"
    r"[\u4e00-\u9fff]{1,6}$"
)
"""Who goes through something, now: 走过城门. Without what is passed (走过), or often (走过许多桥), it is a past."""
_RELATIVE_RE: Final = re.compile(r"(?!.{0,4}[了着把])(?!.{0,2}(?:自己|他|她|我|手里|手中)的)[^，]{0,5}的(?!时候)[^，]")


# -- someone met, heard, seen -----------------------------------------------------------------------------------------


def _met(text: str, before: str, after: str, place: int) -> int | None:
    """Where in the sentence the words stand that have the one named here be there."""
    if _re("{not_there}").search(before + "□" + after):
        return None
    match = _re(r"(?P<v>{limb_met})(?:了|过)?$").search(before)
    if match and _re(r"^的(?:[^，的]{0,2})?{body}").match(after):
        return place - len(before) + match.start("v")
    if re.match(r"的(?!手|肩|胳膊|衣|脸|怀|背|头|袖|腿)|之|们|家|[、，]?死", after):
        return None
    match = _re(r"(?P<v>{with_them})(?:了|过)?$").search(before)
    if match and match["v"] in ("跟", "和", "同", "与"):
        match = match if after and match.start() > 0 else None
    if match and not re.search(r"[没不未]|想|要", before[: match.end()][-6:]) and not after.startswith("过"):
        return place - len(before) + match.start("v")
    if match is None:
        match = re.search(r"(?P<v>(?<![想念记盼惦瞒恨等随守])[\u4e00-\u9fff])着$", before)
        if match:
            return place - len(before) + match.start("v")
    match = _re(r"(?P<v>{towards})$").search(before)
    if match and after and not _re("^(?:{no_gesture})|的").search(after):
        return place - len(before) + match.start("v")
    match = re.search(r"(?:竟然|居然|竟|正|就|却|果然|便|分明|原来)?(?P<v>是)$", before)
    if match and not after and _re("{present_is}").search(before):
        return place - len(before) + match.start("v")
    return None


# -- things -----------------------------------------------------------------------------------------------------------


def _in_use(before: str, after: str, place: int) -> int | None:
    """Where in the sentence the words stand that have a thing at hand."""
    if _re("{absent}").search(before):
        return None
    part = re.search(r"(?P<v>把|将)$", before) and _re(r"^的(?!{broken_part})[^，的]{1,4}?{handling}").match(after)
    if part:  # 把灯的琉璃罩擦干净
        return place - 1
    if re.match(deed_words("zh")["thing_after"], after):
        return None
    start = place - len(before)
    match = _re(
        r"(?P<v>{handling})[了着起出下住回开好上进完过]?(?:[^，]{0,8}的)?(?:[那这]|自己的)?[一]?[把柄支只口本块枚盏张面条件]?$"
    ).search(before)
    if match:
        return start + match.start("v")
    match = re.search(
        r"(?P<v>[\u4e00-\u9fff](?:着|起|住|出|开))(?:[^，]{0,6}的)?[那这]?一?[把柄支只口本块枚盏张面条件]?$", before
    )
    if match:
        return start + match.start("v")
    match = _re(r"(?P<v>{by_hand})(?:[^，]{0,8}的)?(?:[那这])?[一]?[把柄支只口本块枚盏张面条件]?$").search(before)
    if match and after and not _re("{not_by_hand}").search(after):
        return start + match.start("v")
    match = _re(r"(?P<v>{on_body})(?:的|那|这)?[^，]{0,4}$").search(before)
    if match:
        return start + match.start("v")
    match = _re(r"(?P<v>{shown})[^，]{0,6}?是$").search(before)
    if match and not after:
        return start + match.start("v")
    lying = _re(r"^[^，的没不未]{0,6}?(?P<v>{lies})").match(after)
    if lying and not _re("{nowhere}").search(after) and not before.endswith(("的", "是", "叫")):
        return place + 1 + lying.start("v")
    return None
