"""Facts in plain words: the public claim of a fact, and the reason of a contradiction, in the language of the text."""

from __future__ import annotations

import re

from memorybank.engines.offline.claims.facts import Fact
from memorybank.text import detect_lang
from memorybank.types import Claim

_ATTRIBUTES_ZH = dict(
    pair.split("/")
    for pair in (
        "length/长度 height/高度 depth/深度 width/宽度 diameter/直径 distance/距离 weight/重量 speed/速度 price/价格 "
        "area/面积 duration/时长 capacity/容量 temperature/温度 population/人口 age/年龄 power/功率 revenue/营收 "
        "profit/利润 fidelity/保真度 rate/比率 mass/质量 time/时间 share/占比 output/产量"
    ).split()
)
_EVENTS_ZH = dict(
    pair.split("/")
    for pair in (
        "found/成立 announce/发布 release/上市 launch/发射 open/启用 begin/开始 end/完成 build/建造 born/出生 die/去世 "
        "discover/发现 invent/发明 publish/出版 happen/举行 fly/首飞 write/写作 design/设计 develop/研发 make/研制 "
        "lead/领导 buy/收购 direct/执导 locate/所在 close/关闭 win/获得 bury/安葬 propose/提出 name/命名 own/所属 "
        "create/创造 control/控制 defeat/击败 compose/作曲"
    ).split()
)


def is_chinese(text: str) -> bool:
    return detect_lang(text) == "zh"


def claim_of(fact: Fact) -> Claim:
    """The public form of a fact."""
    time = next((fact.sentence[date.start : date.end] for date in fact.times if date is not fact.date), "")
    return Claim(
        text=fact.sentence, kind=fact.kind, subject=subject_of(fact), attribute=attribute_of(fact), value=fact.value,
        unit=unit_of(fact), time=time, polarity=fact.polarity,
    )  # fmt: skip


_OPENING_RE = re.compile(r"(?:The|An?|This|That|These|Those|Its|His|Her|Their|Our)(?=\s+[a-zA-Z])")


_REPORTED_RE = re.compile(
    r"^[^“”《》，,的]{1,6}?(?<![小传学解演据])(?:介绍说|介绍|说|称|表示|写道|写着|记载|提到|指出|认为)[，,：:]?(?=..)"
)
"""Who says so, where no rule has parted it from what is spoken of: 导游说…"""


def subject_of(fact: Fact) -> str:
    return fact.entity.text


def unit_of(fact: Fact) -> str:
    """The counted noun, or the unit's name; a unit of measure is part of the value as well."""
    if fact.measure is None:
        return ""
    return fact.measure.noun_text or (fact.measure.quantity.unit.name if fact.measure.quantity.unit else "")


def attribute_of(fact: Fact) -> str:
    """What is said of the subject: number of qubits, date of founding, invented by."""
    chinese = is_chinese(fact.sentence)
    if fact.kind == "number":
        return _measured(fact, chinese)
    if fact.kind in ("negation", "text"):
        return fact.verb
    slot, _, verb = fact.relation.rpartition(":")
    word = _EVENTS_ZH.get(verb, verb) if chinese else verb
    if fact.kind == "date":
        return f"{word}的日期" if chinese else f"date ({word})"
    if slot == "role":
        return verb.lstrip("&")
    if slot == "by":
        return f"由谁{word}" if chinese else f"by whom ({word})"
    if slot == "in":
        return f"地点（{word}）" if chinese else f"place ({word})"
    return word or slot


def _measured(fact: Fact, chinese: bool) -> str:
    measure = fact.measure
    assert measure is not None
    if measure.noun and not measure.quantity.unit:
        return f"{measure.noun_text}的数量" if chinese else f"number of {measure.noun_text}"
    named = sorted(key[1:] for key in fact.attribute if key.startswith("@"))
    word = named[0] if named else measure.quantity.dimension.partition(":")[0] or "number"
    return _ATTRIBUTES_ZH.get(word, word) if chinese else word


def reason(left: Fact, right: Fact) -> str:
    """Why two facts contradict each other: subject, attribute and both values."""
    chinese = is_chinese(left.sentence)
    subject = subject_of(left) if left.entity.units or not right.entity.units else subject_of(right)
    if left.kind in ("negation", "text") or right.kind in ("negation", "text"):
        return opposed(_short(left), _short(right), subject, chinese=chinese)
    # The chief engineer of the bridge: the subject says it already.
    attribute = "" if left.relation.startswith("role:") else attribute_of(left)
    return differing(_shown(left), _shown(right), attribute, subject, chinese=chinese)


def differing(left: str, right: str, attribute: str, subject: str, *, chinese: bool) -> str:
    """Two values of one attribute, of a subject; either of these may be empty."""
    if chinese:
        subject = _REPORTED_RE.sub("", subject)
        subject = subject.removesuffix(f"的{attribute}") if attribute else subject
        of = f"{quoted(subject)}的{attribute}" if subject and attribute else attribute or quoted(subject)
        return f"{of}：一方为{quoted(left)}，另一方为{quoted(right)}"
    whose = _lowered(subject)
    if attribute and whose.startswith(f"the {attribute} of "):
        whose = whose.removeprefix(f"the {attribute} of ")
    of = " of ".join(part for part in (f"the {attribute}" if attribute else "", whose) if part)
    return f"{quoted(left)} against {quoted(right)}{' for ' if of else ''}{of}"


def opposed(left: str, right: str, subject: str, *, chinese: bool) -> str:
    """Two statements on a subject."""
    if chinese:
        return f"关于{quoted(_REPORTED_RE.sub('', subject))}，一方说{quoted(left)}，另一方说{quoted(right)}"
    return f"one says {quoted(left)}, the other {quoted(right)}, of {_lowered(subject)}"


def quoted(text: str) -> str:
    """In quotation marks; those inside become single ones, in both languages (GB/T 15834 for Chinese)."""
    return f"“{text.replace('“', '‘').replace('”', '’')}”"


def _lowered(subject: str) -> str:
    """An article that opened a sentence, within one."""
    return _OPENING_RE.sub(lambda match: match[0].lower(), subject)


def _shown(fact: Fact) -> str:
    measure = fact.measure
    if measure is not None and measure.noun_text and not measure.quantity.unit:
        gap = "" if is_chinese(fact.sentence) else " "
        return f"{fact.value}{gap}{measure.noun_text}"
    return fact.value


def _short(fact: Fact) -> str:
    return fact.value if len(fact.value) <= 120 else fact.value[:119] + "…"
