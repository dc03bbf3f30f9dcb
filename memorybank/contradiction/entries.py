"""Entries as sentences: a card, a table of two columns, or a sentence without a verb says its value of the title's
thing. "Height: 17 m" under "Larkfield Windmill" is "The height of Larkfield Windmill is 17 m".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.names import names_in
from memorybank.language.text import HAN, is_han

_ROW_RE: Final = re.compile(
    r"^[-*•| \t]*(?P<key>[^\W\d][^:：|\d\n]{0,24}?)\W*?\s*[:：|]\s*(?P<value>[^|\n。！？]{1,60}?)[\s|]*$", re.MULTILINE
)
_TITLE_RE: Final = re.compile(
    r"(?:title|name|[片书剧刊馆站校桥船馆园塔库厂村]名称?|名称|工程名称|项目名称)", re.IGNORECASE
)
_DONE: Final = (
    "built|opened|completed|finished|founded|established|discovered|found|launched|erected|constructed|designed|released|"
    "published|born|died|cast|cut|laid|begun|lit|invented|inaugurated|commissioned|unveiled|demolished|painted"
)
_DONE_RE: Final = re.compile(rf"(?:(?:year|date) )?(?P<act>(?:first )?(?:{_DONE}))", re.IGNORECASE)
_DONE_ZH_RE: Final = re.compile(
    r"(?P<act>始?建成?|竣工|落成|完工|通车|投产|启用|开[业馆放工幕]|动工|成立|创[办建立]|出版|首[映播飞]|[上公]映|下水|发[现行布])(?:于|时间|日期|年[份月]?)?"
)
_FRAGMENT_RE: Final = re.compile(rf"(?:first )?(?:{_DONE}) (?=(?:in|on|by|at)\b|\d)", re.IGNORECASE)


_GENERAL: Final = (
    "key|basic|general|technical|main|quick|facts?|data|details|overview|summary|specifications?|info(?:rmation)?|profile|"
    "history|timeline|chronology|notes|introduction|figures|and|the|at|a|glance"
)
_GENERAL_ZH: Final = "基本|主要|技术|信息|参数|数据|资料卡?|概[况述]|简[介表况]|历史|沿革|说明|规格|档案|大事记|一览表?"
"""Words of a heading that names nothing: "Key facts", 基本信息."""
_WORK_RE: Final = re.compile("[片书剧刊]名")
_MEASURED_RE: Final = re.compile(rf"\d(?:\s*[{HAN}]|\s[a-z]+\b)")


def title_in(heading: str) -> str:
    """Return what a heading names; empty where it names nothing: "Key facts"."""
    title = re.sub(rf"^[#\s]+|(?:{_GENERAL_ZH})*[\s#=*.。-]*$", "", heading)
    says = [word for word in re.findall(r"\w+", title) if not re.fullmatch(_GENERAL, word, re.IGNORECASE)]
    named = bool(says) and (is_han(title) or len(names_in(title)) == 1)
    return title if named and "\n" not in title and len(title) <= 60 else ""


def fragment(sentence: str, title: str) -> str:
    """Return a sentence without a subject with that of its title: "Built in 1812 of brick"; empty for any other."""
    head = _FRAGMENT_RE.match(sentence)
    act, rest = (head[0].lower(), sentence[head.end() :]) if head else ("", "")
    return f"{title or 'It'} was {act}{'in ' if rest[0].isdigit() else ''}{rest}" if head else ""


def _days(value: str) -> list[Date]:
    return [day for day in dates.scan(value) if not day.bare or value.isdigit()]


def rows(block: str, title: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a card or table that have a number or a day, each with the sentence that it stands for.

    Of what has a day of its own, as a fair has, no number is told: the next one has another.
    """
    found = list(_ROW_RE.finditer(block))
    heads = (row["value"].strip("《》 ") for row in found if _TITLE_RE.fullmatch(row["key"].strip()))
    named = next(heads, title)
    lines = [line for line in block.splitlines() if re.search(r"\w", line)]
    if not named or len(found) < 2 or len({row["key"] for row in found}) < len(found) or len(lines) - len(found) > 1:
        return
    thing = f"《{named}》" if _WORK_RE.search(block) else named
    acts = {row: (_DONE_ZH_RE if is_han(row["key"]) else _DONE_RE).fullmatch(row["key"].strip()) for row in found}
    dated = any(_days(row["value"]) for row, act in acts.items() if act is None)
    for row, act in acts.items():
        key, value, chinese = row["key"].strip(), row["value"].strip(), is_han(row["key"])
        days, lead = _days(value), "on" if re.search(r"\D", value) else "in"
        if act is not None and len(days) == 1:
            said = f"{thing}于{value}{act['act']}" if chinese else f"{named} was {act['act'].lower()} {lead} {value}"
            yield row[0].strip(), said
        elif not (dated or days) and len(values.scan(value)) == 1 and _MEASURED_RE.search(value):
            said = f"{thing}{key}为{value}" if chinese else f"The {key.lower()} of {named} is {value}"
            yield row[0].strip(), said
