"""What of a text must not be lost: its numbers, dates and names, found by their shape, in English and Chinese.

No dictionary and no model: a name is what is written as one (capitals, codes, titles in 《》, a transliteration with ·,
a Han phrase that ends like an institution or a place). It errs towards too many, because a mention costs a little room
in a summary and a lost one costs a conflict. What the mentions *mean* is the business of `contradiction`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from memorybank.engines.offline.wordlists import CUTTING_HAN, FUNCTION_HAN, FUNCTION_WORDS
from memorybank.language.dates import MONTH
from memorybank.language.han import HAN
from memorybank.language.numerals import HAN_DIGITS, HAN_NUMBER, SMALL
from memorybank.language.remembering import remembered
from memorybank.language.text import fold_space

MentionKind = Literal["number", "date", "name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """`text[start:end]`. Two mentions with the same key say the same: case, width and thousands separators folded."""

    kind: MentionKind
    start: int
    end: int
    key: str
    certain: bool = True
    """False for a single capitalised word that may be there only because it opens a sentence."""


_HAN_DIGIT = "".join((*HAN_DIGITS, "十"))
_DAY = rf"(?:\d{{1,2}}|[{_HAN_DIGIT}]{{1,3}})"
_DATE_RE = re.compile(
    rf"""
    (?<![\d.])\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?!\d)
  | (?<!\d)\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{MONTH}(?:,?\s\d{{4}}\b)?
  | \b{MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s\d{{4}}\b)?
  | \b{MONTH},?\s\d{{4}}\b
  | (?<![\d{_HAN_DIGIT}])(?:公元前?)?(?:\d{{2,4}}|[{_HAN_DIGIT}]{{2,4}})\s?年(?![级龄轻])
        (?:\s?{_DAY}\s?月(?:\s?{_DAY}\s?[日号])?)?
  | (?<![\d{_HAN_DIGIT}]){_DAY}\s?月\s?{_DAY}\s?[日号]
  | (?<![\d{_HAN_DIGIT}])\d{{1,2}}\s?月(?!亮)
  | (?<![\d:])\d{{1,2}}[:：]\d{{2}}(?![\d:])(?:\s?[ap]\.?m\b\.?)?
  | (?<![\w.,$€£¥-])(?:1\d|20)\d{{2}}(?:s\b|(?![\w%]|[.,]\d))
    """,
    re.VERBOSE,
)
_HAN_MEASURE = (
    "个位名人件次种条台座家所架辆艘艇颗枚层级届任岁天周月年日时分秒元米里斤克吨升度倍成亩顷匹只头株本部篇章节项"
)
_COUNTED = "|".join(word for word, value in SMALL.items() if value > 1)
_NUMBER_RE = re.compile(
    rf"""
    (?:[$€£¥￥]\s?)?(?<![A-Za-z0-9.])\d+(?:[,，]\d{{3}})*(?:\.\d+)?
        (?:\s?(?:%|‰|％|(?:thousand|million|billion|trillion|bn)\b)|[百千万亿]+)?
  | 百分之[{HAN_NUMBER}点]+
  | (?<!第)(?!千万[别不要]|万一|一一)[{HAN_NUMBER}]{{2,}}
  | (?<!第)(?!十分(?!钟))[二两三四五六七八九十](?=[{_HAN_MEASURE}])
  | \b(?:{_COUNTED}|hundreds?|thousands?|millions?|billions?|dozens?|half|twice)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CAPITAL = r"[A-Z\u00c0-\u00de][A-Za-z\u00c0-\u024f0-9]*(?:(?:['’](?!s\b)|[.-])[A-Za-z\u00c0-\u024f0-9]+)*"
_PARTICLE = "of|de|van|von|der|da|del|di|la|le|bin|al|the|&"
_BEGINS = r"(?<![A-Za-z\u00c0-\u024f0-9_])"
"""Han characters touch a Latin name without a space: 是IBM于2007年."""
_NAME_RE = re.compile(
    rf"{_BEGINS}(?:{_CAPITAL}(?:(?:\s(?:{_PARTICLE})){{0,2}}\s{_CAPITAL}){{0,7}}"
    r"|[a-z]+[A-Z][A-Za-z0-9_]*|[A-Za-z]+-?\d[A-Za-z0-9_-]*)"
)
_INSTITUTION = (
    "公司|集团|大学|学院|中学|小学|研究所|研究院|实验室|银行|医院|法院|委员会|基金会|出版社|博物馆|图书馆|俱乐部|乐队|机场|车站|政府"
    "|省|市|县|镇|村|州|岛|山脉|湖(?![北南])|江(?![苏西])|河(?![北南])|寺|奖|杯|协会|学会|报社|电视台|公园|帝国|王国|共和国|条约|战争|战役|运动|计划"
)
_TRANSLITERATION = (
    "阿埃艾爱安昂奥巴班邦贝本比彼宾波伯博布查茨达戴丹道德登迪蒂丁东杜顿多厄恩尔法范菲费芬冯弗佛福夫盖冈高戈格根古哈海汉翰豪赫黑亨洪华"
    "怀霍基吉加贾杰金卡凯坎康考科克肯孔库夸拉莱兰朗劳勒雷黎里理利莉丽莲琳林龙卢鲁路露伦罗洛马玛麦迈曼梅门蒙米密敏明摩莫默姆穆娜纳奈南"
    "内尼妮涅宁纽诺努欧帕派潘培佩彭蓬皮平珀普契齐奇乔琼切让热日荣茹瑞若撒萨塞瑟森莎沙珊绍圣施诗什史士舒斯斯思苏索塔泰坦汤唐特提"
    "廷图托瓦万旺威韦维魏温文翁沃乌武西希锡夏香肖谢辛欣休逊雅亚延扬耶叶伊因英尤于约赞扎泽詹张哲珍朱兹佐"
)
"""Han characters that foreign names are written with."""
_NUMBERED_PLACES = "四川|三亚|九江|六安|五台|八达岭|三门峡|千岛湖|万州"
"""Places whose names begin with a numeral."""
_IN_NAME = f"(?:(?![{FUNCTION_HAN}{_HAN_DIGIT}])[{HAN}])"
_HAN_NAME_RE = re.compile(
    rf"""
    《[^》\n]{{1,40}}》 | “[^”\n]{{2,16}}” | 「[^」\n]{{2,16}}」
  | (?:[{_TRANSLITERATION}]{{1,7}}·)+[{_TRANSLITERATION}]{{1,7}}
  | (?P<run>(?:{_NUMBERED_PLACES}|(?!中(?<=其中)){_IN_NAME}{{2}}){_IN_NAME}{{0,6}}?)(?:{_INSTITUTION})
    """,
    re.VERBOSE,
)
_CUTTING_RE = re.compile("|".join(sorted(CUTTING_HAN, key=lambda word: (-len(word), word))))
_BEFORE_NAME = frozenset("任曾今现")
"""Verbs and the like of one character: 曾任|国家图书馆."""
_ARTICLES = frozenset(("The", "A", "An"))
_LOWER_RE = re.compile(r"(?<![A-Za-z])[a-z]+")
_PARTICLES = frozenset(_PARTICLE.split("|"))
_OPENING_RE = re.compile(r"(?:\A|[.!?。！？:：\n|])[\s”’\"')\]*#>•-]*[“\"‘'(\[]*\Z")


@remembered
def mentions(text: str) -> tuple[Mention, ...]:
    """All numbers, dates and names of the text, in order; what is part of a date or a name is not counted again."""
    taken = bytearray(len(text))
    collected: list[Mention] = []
    dates = [_mention("date", text, *match.span()) for match in _DATE_RE.finditer(text)]
    numbers = (_mention("number", text, *match.span()) for match in _NUMBER_RE.finditer(text))
    for mention in chain(dates, _names(text, dates), numbers):
        if not any(taken[mention.start : mention.end]):
            taken[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
            collected.append(mention)
    return tuple(sorted(collected, key=lambda mention: mention.start))


def _mention(kind: MentionKind, text: str, start: int, end: int, *, certain: bool = True) -> Mention:
    return Mention(kind=kind, start=start, end=end, key=fold(text[start:end]), certain=certain)


def keys(text: str) -> frozenset[str]:
    """What the text says in numbers, dates and names, ready to compare."""
    return frozenset(mention.key for mention in mentions(text))


_FOLD_RE = re.compile(
    r"(?<=\d),(?=\d)|['’]s$|[“”「」《》.]+$|^[“「《]+|(?<=[\d%])\s(?=[%百千万亿年月日号])|(?<=[年月])\s"
)


def fold(written: str) -> str:
    """A mention's key: "1,121" and "１１２１", "IBM's" and "ibm" are the same."""
    plain = unicodedata.normalize("NFKC", written).casefold()
    return fold_space(_FOLD_RE.sub("", plain).replace(",", " ").replace(". ", " "))


def _names(text: str, dates: Iterable[Mention]) -> Iterator[Mention]:
    rest = list(text)
    for date in dates:
        rest[date.start : date.end] = "," * (date.end - date.start)
    text = "".join(rest)  # a name neither begins nor ends within a date: 2020年|清华大学
    lower = frozenset(_LOWER_RE.findall(text))
    for match in _NAME_RE.finditer(text):
        start, end = match.span()
        opens = bool(_OPENING_RE.search(text, max(0, start - 12), start))
        words = match[0].split(" ")
        while len(words) > 1 and _no_part_of_name(words[0], opens=opens):
            start += len(words.pop(0)) + 1
            opens = False
        if len(words) > 1 or _is_name(words[0], lower, opens=opens):
            plain = len(words) == 1 and opens and words[0][1:].islower()
            yield _mention("name", text, start, end, certain=not plain)
    for match in _HAN_NAME_RE.finditer(text):
        yield _mention("name", text, match.start() + _foreign_to_name(match), match.end())


def _foreign_to_name(match: re.Match[str]) -> int:
    """How many characters of a run that ends like an institution are no part of its name: 担任|中央图书馆.

    A verb stands before the name; what is left of it must be two characters beside the word it ends with.
    """
    run = match["run"] or ""
    cut = max((cutting.end() for cutting in _CUTTING_RE.finditer(run) if len(run) - cutting.end() >= 2), default=0)
    if match[0].endswith("省") and len(run) - cut > 3 and run.startswith("中国", cut):
        cut += 2  # 中国江苏省 is 江苏省
    while run[cut : cut + 1] in _BEFORE_NAME and len(run) - cut > 2:
        cut += 1
    return cut


def _no_part_of_name(word: str, *, opens: bool) -> bool:
    return word in _ARTICLES or word in _PARTICLES or (opens and word.lower() in FUNCTION_WORDS)


def _is_name(word: str, lower: frozenset[str], *, opens: bool) -> bool:
    """Whether one word with a capital is a name: not a plain word that opens a sentence, nor one used in lower case."""
    plain = re.split("['’]", word)[0].lower()
    if plain == "i" or len(word) == 1 or plain in FUNCTION_WORDS:
        return word.isupper() and len(word) > 1 and not opens  # US, WHO
    if not opens or any(char.isupper() or char.isdigit() for char in word[1:]):
        return True
    return plain not in lower and not plain.endswith(("ly", "ing"))
