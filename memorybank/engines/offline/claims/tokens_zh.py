"""Chinese tokens: numbers, dates, Latin words, listed words (longest first), and the runs between them."""

from __future__ import annotations

import re
from functools import lru_cache

from memorybank.engines.offline.claims import words_zh as words
from memorybank.engines.offline.claims.inflection_en import stem
from memorybank.engines.offline.claims.kinds_zh import KINDS, LONGEST, Token
from memorybank.engines.offline.claims.spans_zh import find_spans
from memorybank.language.han import HAN, HAN_RE, is_han

_PUNCT_RE = re.compile(r"[，；：。！？、（）()“”\"'‘’,;:!?\[\]【】…—–\-|/·~～\s.#*=•><]")
_LATIN_RE = re.compile(
    r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:[-.&/+'’·][A-Za-zÀ-ɏ0-9]+)*(?: (?:[A-Z0-9][A-Za-z0-9À-ɏ.+-]*|of|de|van))*"
)


_RISKY = frozenset("因同经当比据按供靠受距继除跟到至自以也还又都均就才已现仍极较仅约近逾且并而但很曾拟")
"""Small words that are also parts of names (因 in 爱因斯坦): they count only beside a listed word, number or border."""
_BEFORE_NOUN_HUI = frozenset("法员运动览博事大议国商协学社机集展晚宴年省工基委合")
"""立法会, 委员会: 会 after one of these is no modal."""


def tokenise(text: str) -> list[Token]:
    """The tokens of a sentence; together with the blanks between them they are the sentence."""
    return _merge(_compounds(_cut(text, find_spans(text))))


_NOUN_HEAD_RE = re.compile(
    "中心|公司|大学|学院|研究|部门|基地|系统|平台|计划|工程|项目|技术|能力|作品|机构|团队|委员|[院部厂站局所处室馆机器者员家师商权费率量数法史学业场区线期队组奖]"
)


def _compounds(tokens: list[Token]) -> list[Token]:
    """A verb inside a noun is no verb: 酒泉卫星发射中心, 设计院."""
    found: list[Token] = []
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        touches = following is not None and following.kind in ("han", "role", "attr") and following.start == token.end
        if (
            token.kind == "verb"
            and len(token.text) == 2
            and touches
            and following is not None
            and _NOUN_HEAD_RE.match(text_of(tokens, at + 1))
        ):
            found.append(Token("han", token.text, token.start, token.end))
        else:
            found.append(token)
    return found


def text_of(tokens: list[Token], at: int) -> str:
    """The run of characters that begins at a token, up to the next token of another kind."""
    run = ""
    for token in tokens[at:]:
        if token.kind != "han":
            break
        run += token.text
    return run


def _cut(text: str, spans: dict[int, Token]) -> list[Token]:
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        if at in spans:
            token = spans[at]
        elif text[at].isspace():
            at += 1
            continue
        elif match := _LATIN_RE.match(text, at):
            token = Token("latin", match[0], at, match.end())
        elif _PUNCT_RE.match(text, at):
            token = Token("punct", text[at], at, at + 1)
        else:
            token = _listed(text, at, spans)
        tokens.append(token)
        at = token.end
    return tokens


def _listed(text: str, at: int, spans: dict[int, Token]) -> Token:
    """The longest listed word here, else one character of a run."""
    limit = min(
        (start for start in range(at + 1, min(len(text), at + LONGEST) + 1) if start in spans), default=at + LONGEST
    )
    for size in range(min(LONGEST, limit - at, len(text) - at), 0, -1):
        word = text[at : at + size]
        kind = KINDS.get(word)
        if kind is None:
            continue
        if word in _RISKY and not _stands_free(text, at, at + size, spans):
            continue
        if kind == "conj" and size == 1 and not _joins(text, at):
            continue
        if word in words.MODALS and (text[at - 1 : at] in _BEFORE_NOUN_HUI if word == "会" and at else False):
            continue
        if word in words.MODALS and not _verb_near(text, at + size):
            kind = "verb" if word in words.VERB_CLASS else "adverb" if _ends_soon(text, at + size) else None
            if kind is None:
                continue
        if word in words.NEEDS_NUMBER and not _number_follows(text, at + size, spans):
            continue
        return Token(kind, word, at, at + size)
    return Token("han", text[at], at, at + 1)


def _joins(text: str, at: int) -> bool:
    """Whether 和 joins two things here, and does not stand in a name at the border: 万和纺织厂, 孟庆和."""
    run = re.search(f"[{HAN}]*$", text[:at])
    after = text[at + 1 : at + 2]
    return (run is None or len(run[0]) != 1) and bool(after) and not _PUNCT_RE.match(after)


def _stands_free(text: str, start: int, end: int, spans: dict[int, Token]) -> bool:
    """Whether a listed word, a number, a border or Latin letters touch this place on one side."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    listed_after = end in spans or any(KINDS.get(text[end : end + size]) not in (None, "han") for size in (4, 3, 2))
    listed_after |= bool(after) and after in "其它他她该这此有是为在由于被不没未对"
    if KINDS[text[start:end]] in ("adverb", "conj", "hedge"):
        return listed_after
    if not before or not after or not is_han(before) or not is_han(after) or end in spans:
        return True
    listed_before = any(
        KINDS.get(text[start - size : start]) not in (None, "han") for size in (3, 2, 1) if start >= size
    )
    return listed_after or listed_before


def _number_follows(text: str, at: int, spans: dict[int, Token]) -> bool:
    """Whether a number comes next; 为, 含, 任 also stand before a name."""
    word = text[at - 1]
    rest = re.match(r"[\s约大达到超过近有为是至逾仅共了第高]{0,4}", text[at:])
    position = at + (rest.end() if rest else 0)
    if any(spot in spans and spans[spot].kind == "number" for spot in range(at, position + 1)):
        return True
    return (
        word == "为"
        and text[at - 2 : at] not in ("分为", "称为", "因为", "作为")
        and text[at : at + 1] not in ("了", "主", "何", "止")
    )


def _ends_soon(text: str, at: int) -> bool:
    """Whether a few unlisted characters follow up to the end of the clause: 企鹅会飞."""
    rest = re.match(f"[{HAN}]{{1,3}}(?=[，。；！？,.!?]|$)", text[at:])
    return bool(rest)


def _verb_near(text: str, at: int) -> bool:
    """Whether a verb follows a modal: at once, or after 在 and its place."""
    for begin in range(at, min(len(text), at + 10)):
        for size in (4, 3, 2):
            if begin + size <= len(text) and KINDS.get(text[begin : begin + size]) == "verb":
                return begin == at or text[at] in "在被由与通在用以靠于不"
        if text[begin] in "，。；、":
            break
    return False


def _merge(tokens: list[Token]) -> list[Token]:
    """Characters of one run become one token."""
    merged: list[Token] = []
    for token in tokens:
        last = merged[-1] if merged else None
        if token.kind == "han" and last and last.kind == "han" and last.end == token.start:
            merged[-1] = Token("han", last.text + token.text, last.start, token.end)
        else:
            merged.append(token)
    return merged


@lru_cache(maxsize=65_536)
def keys(run: str) -> frozenset[str]:
    """What a run of text is compared by: pairs of characters; stems of Latin words."""
    if run.isascii():
        return frozenset(stem(word) for word in re.findall(r"[a-z0-9]+", run.lower()))
    han = "".join(HAN_RE.findall(run))
    return frozenset(han[i : i + 2] for i in range(len(han) - 1)) or frozenset({han} if han else ())
