"""Chinese tokens: numbers, dates, Latin words, listed words (longest first), and the runs between them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from memorybank.engines.offline.claims import dates as date_reader
from memorybank.engines.offline.claims import values
from memorybank.engines.offline.claims import words_zh as words
from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.tokens_en import stem
from memorybank.engines.offline.claims.values import Quantity

Kind = Literal[
    "verb",
    "prep",
    "neg",
    "hedge",
    "adverb",
    "conj",
    "back",
    "attr",
    "role",
    "number",
    "date",
    "scope",
    "latin",
    "title",
    "han",
    "punct",
    "de",
    "mark",
]


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    start: int
    end: int
    value: Quantity | Date | None = None
    measure: str = ""
    """Of a number: its measure word (个, 台)."""


_PUNCT_RE = re.compile(r"[，；：。！？、（）()“”\"'‘’,;:!?\[\]【】…—–\-|/·~～\s.#*=•><]")
_LATIN_RE = re.compile(
    r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9]*(?:[-.&/+'’·][A-Za-zÀ-ɏ0-9]+)*(?: (?:[A-Z0-9][A-Za-z0-9À-ɏ.+-]*|of|de|van))*"
)
_TITLE_RE = re.compile(r"《[^》]{1,60}》|“[^”]{1,20}”|「[^」]{1,20}」")
_PERSON_RE = re.compile(r"[\u4e00-\u9fff]{1,7}(?:[·•・][\u4e00-\u9fff]{1,7})+")
_NOT_IN_PERSON = frozenset("由是为的被和与以将把对向给让者了在于名位")
_MARK_RE = re.compile(
    r"第\s?([一二三四五六七八九十百\d]+)(?:[届代期次任号批名座个款版季轮条艘颗枚架台部卷章]|大)?|(?<![\u4e00-\u9fff])([一二三四五六七八九十\d]+)号(?!线?码)"
)
_MEASURE_RE = re.compile("|".join(sorted((re.escape(word) for word in words.MEASURE_WORDS), key=len, reverse=True)))


def _kinds() -> dict[str, Kind]:
    """Every listed word with its kind; where a word is listed twice the more telling kind wins."""
    kinds: dict[str, Kind] = {}
    layers: tuple[tuple[Kind, frozenset[str]], ...] = (
        ("han", words.PLAIN),
        ("adverb", words.ADVERBS),
        ("conj", words.CONJUNCTIONS),
        ("prep", frozenset(words.PREPOSITIONS)),
        ("scope", words.RESTRICTING),
        ("verb", frozenset(words.VERB_CLASS)),
        ("attr", frozenset(words.ATTRIBUTE_OF)),
        ("role", frozenset(words.ROLE_OF)),
        ("attr", frozenset(words.PLACE_NOUNS)),
        ("han", words.NOT_NEGATIVE),
        ("hedge", words.HEDGES),
        ("neg", words.NEGATORS),
        ("back", words.BACK),
        ("de", frozenset("的之")),
    )
    for kind, listed in layers:
        kinds |= dict.fromkeys(listed, kind)
    return kinds


_KINDS = _kinds()
_MODALS = words.MODALS
_RISKY = frozenset("因同经当比据按供靠受距继除跟到至自以也还又都均就才已现仍极较仅约近逾且并而但很曾拟")
"""Small words that are also parts of names (因 in 爱因斯坦): they count only beside a listed word, number or border."""
_BEFORE_NOUN_HUI = frozenset("法员运动览博事大议国商协学社机集展晚宴年省工基委合")
"""立法会, 委员会: 会 after one of these is no modal."""
_KINDS |= dict.fromkeys(_MODALS, "adverb")
_LONGEST = max(map(len, _KINDS))
_BOTH = {word for word in words.VERB_CLASS if word in words.ATTRIBUTE_OF}


def tokenise(text: str) -> list[Token]:
    """The tokens of a sentence; together with the blanks between them they are the sentence."""
    found_dates = [date for date in date_reader.scan(text) if not date.bare or _is_year(text, date)]
    spans: dict[int, Token] = {
        date.start: Token("date", text[date.start : date.end], date.start, date.end, date) for date in found_dates
    }
    taken = [(date.start, date.end) for date in found_dates]
    for pattern, kind in ((_TITLE_RE, "title"), (_PERSON_RE, "title"), (_MARK_RE, "mark")):
        for match in pattern.finditer(text):
            start, end = _person(text, match) if pattern is _PERSON_RE else match.span()
            if not any(first < end and start < last for first, last in taken):
                spans[start] = Token(kind, text[start:end], start, end)  # type: ignore[arg-type]
                taken.append((start, end))
    for quantity in values.scan(text, dates=found_dates):
        if any(start < quantity.end and quantity.start < end for start, end in taken):
            continue
        token = _number(text, quantity)
        if quantity.unit or not (_in_name(text, quantity) or _is_word(token) or _is_model(text, token)):
            spans[quantity.start] = token
    return _merge(_compounds(_cut(text, spans)))


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


def _is_year(text: str, date: Date) -> bool:
    after = text[date.end : date.end + 2].strip()
    before = text[: date.start].rstrip()[-1:]
    return (
        (before in ("（", "(", "于", "在") and after[:1] in ("）", ")", "，"))
        or after == "赛季"
        or (
            bool(re.match(r"[A-Za-z\u4e00-\u9fff]", after[:1]))
            and before in ("", "，", "。", "》", "于", "在")
            and after[:1] not in words.MEASURE_WORDS
        )
    )


def _in_name(text: str, quantity: Quantity) -> bool:
    """Digits that belong to a Latin word (Falcon 9) or a Han name (长征5号, 嫦娥五号)."""
    before = text[: quantity.start]
    return bool(re.search(r"[A-Za-z][A-Za-z-]* ?$", before)) and not re.match(
        r"\s?[\u4e00-\u9fff%]", text[quantity.end :]
    )


def _is_word(token: Token) -> bool:
    """三 in 三峡, 四 in 四川: one numeral that counts nothing."""
    return not token.measure and len(token.text) == 1 and not token.text.isdigit()


def _is_model(text: str, token: Token) -> bool:
    """骁龙810处理器: digits between two unlisted words, with no measure word, name a model."""
    before = text[max(0, token.start - 2) : token.start].strip()
    joined = (
        len(before) == 2
        and all("\u4e00" <= char <= "\u9fff" for char in before)
        and not any(_KINDS.get(before[at:]) not in (None, "han") for at in (0, 1))
    )
    return joined and not token.measure and token.text.isdigit()


def _person(text: str, match: re.Match[str]) -> tuple[int, int]:
    """A transliterated name without the words that touch it: 由亚历山大·弗莱明于 is 亚历山大·弗莱明."""
    start, end = match.span()
    first, last = text.index("·", start) if "·" in match[0] else start, end
    for at in range(start, first):
        size = next(
            (
                size
                for size in (5, 4, 3, 2)
                if at + size <= first and _KINDS.get(text[at : at + size]) in ("role", "verb")
            ),
            0,
        )
        if text[at] in _NOT_IN_PERSON or size:
            start = at + max(size, 1)
    dot = max(match[0].rfind(char) for char in "·•・") + match.start()
    for at in range(dot + 2, end):
        if text[at] in _NOT_IN_PERSON or any(
            _KINDS.get(text[at : at + size]) in ("verb", "role", "neg", "hedge") for size in (2, 3)
        ):
            last = at
            break
    return start, last


def _number(text: str, quantity: Quantity) -> Token:
    end, measure = quantity.end, ""
    if not quantity.unit:
        skip = 1 if text[end : end + 1] in "多余几" and text[end : end + 1] else 0
        skip += 1 if text[end + skip : end + skip + 1] == " " else 0
        if match := _MEASURE_RE.match(text, end + skip):
            measure, end = match[0], match.end()
    return Token("number", text[quantity.start : end], quantity.start, end, quantity, measure)


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
        (start for start in range(at + 1, min(len(text), at + _LONGEST) + 1) if start in spans), default=at + _LONGEST
    )
    for size in range(min(_LONGEST, limit - at, len(text) - at), 0, -1):
        word = text[at : at + size]
        kind = _KINDS.get(word)
        if kind is None:
            continue
        if word in _RISKY and not _stands_free(text, at, at + size, spans):
            continue
        if word in _MODALS and (text[at - 1 : at] in _BEFORE_NOUN_HUI if word == "会" and at else False):
            continue
        if word in _MODALS and not _verb_near(text, at + size):
            kind = "verb" if word in words.VERB_CLASS else "adverb" if _ends_soon(text, at + size) else None
            if kind is None:
                continue
        if word in words.NEEDS_NUMBER and not _number_follows(text, at + size, spans):
            continue
        return Token(kind, word, at, at + size)
    return Token("han", text[at], at, at + 1)


def _stands_free(text: str, start: int, end: int, spans: dict[int, Token]) -> bool:
    """Whether a listed word, a number, a border or Latin letters touch this place on one side."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    listed_after = end in spans or any(_KINDS.get(text[end : end + size]) not in (None, "han") for size in (4, 3, 2))
    listed_after |= bool(after) and after in "其它他她该这此有是为在由于被不没未对"
    if _KINDS[text[start:end]] in ("adverb", "conj", "hedge"):
        return listed_after
    if (
        not before
        or not after
        or not "\u3400" <= before <= "\u9fff"
        or not "\u3400" <= after <= "\u9fff"
        or end in spans
    ):
        return True
    listed_before = any(
        _KINDS.get(text[start - size : start]) not in (None, "han") for size in (3, 2, 1) if start >= size
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
    rest = re.match(r"[\u3400-\u9fff]{1,3}(?=[，。；！？,.!?]|$)", text[at:])
    return bool(rest)


def _verb_near(text: str, at: int) -> bool:
    """Whether a verb follows a modal: at once, or after 在 and its place."""
    for begin in range(at, min(len(text), at + 10)):
        for size in (4, 3, 2):
            if begin + size <= len(text) and _KINDS.get(text[begin : begin + size]) == "verb":
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
    han = re.sub(r"[^\u3400-\u9fff]", "", run)
    return frozenset(han[i : i + 2] for i in range(len(han) - 1)) or frozenset({han} if han else ())
