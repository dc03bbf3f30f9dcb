"""Sentences that say who says so, and what is left of them without it.

A verdict puts another value into a losing sentence. "A guide says the mill was built in 1931" would then tell that the
guide says 1912, which it does not; so the frame has to go, and where it cannot be cut out, the sentence.
"""

from __future__ import annotations

import re

_SAYS = (
    "says?|said|claims|claimed|reports|reported|writes?|wrote|notes|noted|insists?|insisted|recalls?|recalled"
    "|asserts?|asserted|believes?|believed|thinks?|thought|reckons?|reckoned|maintains?|maintained|tells?|told"
)
_SAYS_THAT = (
    f"{_SAYS}|states?|stated|mentions?|mentioned|estimates?|estimated|records?|recorded|argues?|argued|explains?"
    "|explained|adds?|added|shows?|showed|announces?|announced|declares?|declared|suggests?|suggested|finds?|found"
)
"""These also take a plain object: they report only before "that" or a colon."""
_HEARER = r"(?:\s(?:us|me|them|him|her|you|readers|visitors|reporters|guests))?"
_WHO = r"[^,.;:!?“”\"\d]{1,80}?"
_CLAUSE = (
    r"(?=(?:the|an?|it|its|they|he|she|we|this|that|these|there|his|her|their|both|all|(?-i:[A-Z])\w*)\b"
    r"[^,.;]{1,80}\b(?:is|are|was|were|has|have|had|will|would|can|could|did|does|\w+ed)\b)"
)
"""Something is said of something: not "claimed the prize"."""
_TELLING = (
    "guide|guidebook|handbook|brochure|leaflet|booklet|pamphlet|catalogue|catalog|plaque|sign|report|article|blog|website"
    "|chronicle|almanac|newspaper|magazine|register|survey|archive|encyclopedia|encyclopaedia|textbook|book|page|source"
)
"""What can be read, and says so without a word of saying."""
_TELLING_ZH = (
    "手册|指南|说明书|宣传册|小册子|传单|目录|铭牌|告示牌|报告|文章|博客|网站|网页|年鉴|县志|地方志|报纸|杂志"
    "|档案|百科|教科书|书(?=[里中])"
)
_FRAMES_EN = (
    re.compile(rf"\A{_WHO}\s(?:{_SAYS_THAT}){_HEARER}(?:\s+that\s|\s*[,:]\s*)", re.IGNORECASE),
    re.compile(rf"\A{_WHO}\s(?:{_SAYS}){_HEARER}\s+(?:(?=[“\"])|{_CLAUSE})", re.IGNORECASE),
    re.compile(r"\A(?:according to|as per|per)\s[^,;.!?\d]{1,80},\s+", re.IGNORECASE),
    re.compile(rf"\A(?:in|on|from)\s[^,;.!?\d]{{0,40}}\b(?:{_TELLING})s?,\s+", re.IGNORECASE),
    re.compile(rf"\Aas\s{_WHO}\s(?:{_SAYS_THAT}|has)(?:\sit)?,\s+", re.IGNORECASE),
    re.compile(rf"\Afrom\s{_WHO}\swe\s(?:learn|know|hear)(?:\sthat)?\s+", re.IGNORECASE),
    re.compile(rf"\A[^,;.!?:\d]{{0,40}}\b(?:{_TELLING})s?:\s+", re.IGNORECASE),
    re.compile(r"\s?[(\[](?:source|per|according to|via|from|see)\b[^()\[\]\d]{1,60}[)\]]", re.IGNORECASE),
    re.compile(r"\A(?:reportedly|allegedly|supposedly),?\s+", re.IGNORECASE),
    re.compile(rf",\s(?:as\s)?{_WHO}\s(?:{_SAYS}){_HEARER}(?:,|(?=\s*[.!?]|\Z))", re.IGNORECASE),
    re.compile(rf",?[”\"]?\s(?:{_SAYS})\s{_WHO}(?=\s*[.!?]|\Z)", re.IGNORECASE),
    re.compile(r",?\s(?:according to|as per)\s[^,;.!?\d]{1,80}(?=\s*[.!?,;]|\Z)", re.IGNORECASE),
)
_SAYS_ZH = (
    r"(?<![小传学解演名简俗通又合统全昵尊号职])"
    r"(?:说(?!明|法)|称(?!为)|表示|介绍|指出|透露|写道|写着|记载|显示|回忆|认为|告诉[我你他她们记者]{1,2})"
)
_FRAMES_ZH = (
    re.compile(r"\A(?:据说|听说|相传|据传|传说|据悉)[，,:：]?"),
    re.compile(r"\A[^，。；！？\d]{1,20}的(?:说法|记载|记录|介绍|报道)(?:是|为)[，,:：]?"),
    re.compile(rf"\A在?[^，。；！？\d]{{0,12}}(?:{_TELLING_ZH})(?:[里中上内]|当中|上面)?[，,:：]"),
    re.compile(r"[（(](?:据|来源|引自|摘自|出自|见)[^（）()\d]{1,20}[）)]"),
    re.compile(r"\A[据按依](?:照|据)?[^，,。；！？\d]{1,30}[，,:：]"),
    re.compile(rf"\A[^，,。；！？\d]{{1,30}}?{_SAYS_ZH}(?:[，,:：]|(?=[“「]?[\u4e00-\u9fff]))"),
    re.compile(rf"[，,][^，,。；！？\d]{{1,20}}?{_SAYS_ZH}(?=[。！？]|\Z)"),
)
_FRAMES = (*_FRAMES_EN, *_FRAMES_ZH)
_LEFT_RE = re.compile(
    r"\b(?:says?|said|insists?|insisted|told|according to|reportedly|allegedly|supposedly)\b"
    r"|\b(?:gives?|gave|lists?|listed)\b[^.;]{1,60}\bas\b|\bputs?\b[^.;]{1,60}\bat\b|\bclaim(?:s|ed)\b(?! the\b)"
    r"|\b(?:dates?|dated)\s(?:the|its|his|her|their|this|that)\b[^.;]{1,60}\bto\b"
    rf"|\b(?:{_TELLING})\s(?:puts?|places?|placed|sets?|has|had|dates?|dated|names?|named|credits?|credited)"
    r"\s(?:the|its|his|her|their|this|that|it\b|[^.;]{1,20}\sfor\b)"
    rf"|\b(?:{_TELLING})['’]s\s(?:date|year|figure|number|value|account|version|estimate|count|claim|answer)\b"
    r"|\bputs?\s(?:the|its|his|her|their|this|that)\b[^.;]{1,60}\bin\b"
    r"|把[^，。]{1,20}(?:定为|写成|写作|说成|记为|记作|算作|定在)"
    rf"|(?:{_TELLING_ZH})[^，。]{{0,6}}(?:写的|给出的|列出的|标注|标的)"
    rf"|{_SAYS_ZH}|[据按][^，,。]{{1,20}}(?:记载|介绍|报道|统计)",
    re.IGNORECASE,
)
"""What names somebody who says so where it cannot be cut out."""


def without_attribution(sentence: str, said: str) -> str | None:
    """The sentence without who says so; itself when nobody is named; None when the two cannot be parted.

    `said` is the value that is reported: a frame that holds it is none.
    """
    for frame in _FRAMES:
        match = frame.search(sentence)
        if match and said not in match[0]:
            rest = sentence[: match.start()] + sentence[match.end() :]
            return None if _LEFT_RE.search(rest) or said not in rest else _whole(rest.strip())
    return None if _LEFT_RE.search(sentence) else sentence


def _whole(rest: str) -> str:
    """As a sentence of its own: without the quotation marks around it, with a capital and an end."""
    marked = rest[:1] in '“"「' or rest.count('"') % 2
    text = rest.strip('“”"「」 ').rstrip("，,") if marked else rest.rstrip("，,")
    end = "" if text[-1:] in ".!?。！？" else "." if text.isascii() else "。"
    return text[:1].upper() + text[1:] + end
