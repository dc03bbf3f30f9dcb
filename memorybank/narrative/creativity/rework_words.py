"""Which numbered options an author wants mixed or changed, by their words: "the beginning of 1 with the end of 3".

Of two options or more a part of one or a word for mixing must be named, of one option a change: "let us go with 2" asks
for nothing to be written.
"""

from __future__ import annotations

import re
from typing import Final

from memorybank.language.numerals import number

_EN_NUMBER: Final = r"(?:[1-9](?![\d.]\d|\d)|one|two|three|four|five|six|seven|eight|nine)"
_ZH_NUMBER: Final = r"(?:[1-9](?!\d)|[一二三四五六七八九](?![一二三四五六七八九十百]))"
_PART_EN: Final = (
    r"(?:beginning|opening|start|first\s+half|middle|second\s+half|end(?:ing)?|finale|last\s+(?:line|scene|part)|rest"
    r"|twist|tone|mood|voice|dialogue|setting|idea|conflict)"
)
_PART_ZH: Final = (
    r"(?:开头|开端|开篇|前半|前面|中间|中段|后半|后面|结尾|结局|收尾|尾声|其余|转折|语气|气氛|对话|场景|冲突|主意)"
)
_BEHIND_EN: Final = r"(?=\s*(?:$|[.,;:!?)’']|and\b|with\b|but\b|plus\b|so\b|to\b|into\b|in\b|as\b|for\b|together\b))"

_NAMED_RE: Final = re.compile(
    rf"\b(?:options?|proposals?|drafts?|versions?|outlines?|number|no\.)\s*#?(?P<head>{_EN_NUMBER})"
    rf"(?P<more>(?:\s*(?:,|and|&|\+|with|or)\s*(?:and\s+)?(?:options?\s+|proposals?\s+)?#?{_EN_NUMBER}\b)*)"
    rf"|#(?P<hash>[1-9])\b"
    rf"|\b(?P<own>{_EN_NUMBER})['’]s\b"
    rf"|\bthe\s+(?P<ordinal>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    rf"(?:['’]s\b|\s+(?:one|option|proposal|draft|version|outline)\b)"
    rf"|\b(?:of|from|with|and|plus|mix|combine|merge|blend|take|revise|rewrite|change)\s+(?P<bare>{_EN_NUMBER})\b{_BEHIND_EN}"
    rf"|(?:方案|选项|版本|草稿|大纲)\s*(?P<zh>{_ZH_NUMBER})(?P<zh_more>(?:\s*[和与跟、及加]\s*(?:方案|选项)?\s*{_ZH_NUMBER}(?![章节回步卷]))*)"
    rf"|第\s*(?P<zh_ordinal>{_ZH_NUMBER})\s*(?:个|种|版|篇|份|号)(?=\s*(?:[的方选，。；：、和与跟再更改但不太]|$))"
    rf"|(?P<zh_own>{_ZH_NUMBER})\s*(?:号)?(?=\s*的\s*{_PART_ZH})"
    rf"|[把将和与跟]\s*(?P<zh_bare>{_ZH_NUMBER})(?=\s*(?:[和与跟、]\s*{_ZH_NUMBER}|合|混|结合|揉|拼|[，。；！]|$))",
    re.IGNORECASE,
)
_DIGIT_RE: Final = re.compile(rf"{_EN_NUMBER}\b|{_ZH_NUMBER}", re.IGNORECASE)
_MIX_RE: Final = re.compile(
    rf"\b(?:mix|combine|merge|blend|fuse|join|splice|cross|put\s+together)\b|\b{_PART_EN}\s+(?:of|from|in)\b|['’]s\s+{_PART_EN}\b"
    rf"|合并|混合|结合|合[在到]一起|合起来|拼[在到接起]|揉[在到合]|融合|合成|的\s*{_PART_ZH}",
    re.IGNORECASE,
)
_CHANGE_RE: Final = re.compile(
    r"\b(?:revise|rewrite|redo|rework|change|edit|adjust|alter|shorten|expand|lengthen|tighten|soften|darken|cut|drop"
    r"|remove|replace|add|make|but|without|instead|shorter|longer|darker|lighter|less|slower|faster)\b"
    r"|修改|改[写成得为动]?|重写|替换|换成|缩短|加长|扩写|精简|去掉|删[去掉]|加上|增加|不要|少些|少一点|多些|多一点|再.{0,4}一[些点]|更[^多好喜]|但是?|只是",
    re.IGNORECASE,
)
_ORDER_RE: Final = re.compile(
    r"\s*(?:(?:please\s+)?(?:mix|combine|merge|change|revise|rewrite)\b|请?(?:合并|修改))", re.IGNORECASE
)
_ASKS_RE: Final = re.compile(r"[?？]\s*[”\"’」]?\s*$")


def options_named(text: str) -> tuple[int, ...]:
    """The numbers of the options to be mixed, or of the one to be changed; none when the text asks for neither."""
    numbers = _numbers(text)
    if not numbers or (_ASKS_RE.search(text) and not _ORDER_RE.match(text)):
        return ()
    wanted = _MIX_RE if len(numbers) > 1 else _CHANGE_RE
    return numbers if wanted.search(text) else ()


def _numbers(text: str) -> tuple[int, ...]:
    found: list[int | None] = []
    for match in _NAMED_RE.finditer(text):
        groups = {name: value for name, value in match.groupdict().items() if value}
        for name, value in groups.items():
            written = _DIGIT_RE.findall(value) if name.endswith("more") else [value]
            found += map(number, written)
    return tuple(dict.fromkeys(value for value in found if value is not None))
