"""Chinese noun phrases: names, keys, measures and dates of a run of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorybank.engines.offline.claims import words_zh as words
from memorybank.engines.offline.claims.kinds_zh import Token
from memorybank.engines.offline.claims.phrases import NOTHING, Measure, Name, Phrase, Role
from memorybank.engines.offline.claims.tokens_zh import keys
from memorybank.language.dates import Date
from memorybank.language.han import HAN
from memorybank.language.numerals import HAN_NUMBER, read_han
from memorybank.language.values import Quantity

_STRIPPED = (word for word in words.GENERIC - words.STANDING if len(word) > 1 or word in "市省县区镇村号")
_GENERIC_ENDS = tuple(sorted(_STRIPPED, key=len, reverse=True))
_NAME_KINDS = frozenset({"han", "latin", "title", "mark"})
_SCOPE_WORDS = frozenset(word for word in words.SCOPE if len(word) > 1)
_SCOPE_CHARACTERS = words.SCOPE - _SCOPE_WORDS
_INDEFINITE_RE = re.compile(f"过?[一数几两][{''.join(sorted(word for word in words.MEASURE_WORDS if len(word) == 1))}]")


def build_phrase(sentence: str, tokens: Sequence[Token], role: str = "") -> Phrase:
    """Names, keys, measures and dates of a run of tokens."""
    tokens = [token for token in tokens if not (token.kind == "punct" and token.text not in "、·-—")]
    if (
        role == "in"
        and tokens
        and tokens[-1].kind == "han"
        and len(tokens[-1].text) > 2
        and tokens[-1].text[-1] in "上里中内下"
    ):
        last = tokens[-1]  # 芯片上, 旧粮仓里
        tokens = [*tokens[:-1], replace(last, text=last.text[:-1], end=last.end - 1)]
    while tokens and (tokens[0].kind in ("de", "punct", "conj") or tokens[0].text in ("过", "了", "着")):
        tokens = tokens[1:]
    if not tokens:
        return NOTHING
    content = [token for token in tokens if token.kind in ("han", "latin", "title", "attr", "role", "verb", "mark")]
    owned = tokens[0].kind in ("back", "number") or (
        _is_generic(tokens[0].text) and len(tokens) > 1 and tokens[1].text == "的"
    )
    names = tuple(
        name
        for name in _names(tokens)
        if not owned or not name.text.isalpha() or name.text.isascii() or name.text[0] in "《“"
    )
    back = (
        owned
        or any(token.kind == "back" for token in tokens[:2])
        or (not names and bool(content) and _is_generic(content[-1].text))
    )
    start, end = tokens[0].start, tokens[-1].end
    text = sentence[start:end]
    return Phrase(
        start=start,
        end=end,
        text=text.strip(),
        role=role,
        names=names,
        keys=frozenset(key for token in content for key in token_keys(token)),
        attributes=frozenset(
            key
            for token in content
            if token.kind in ("attr", "role") or (owned and token.kind == "han" and not _is_generic(token.text))
            for key in token_keys(token)
        ),
        roles=tuple(
            Role(name=words.ROLE_OF[token.text], start=token.start, end=token.end)
            for token in tokens
            if token.kind == "role"
        ),
        head=_head(content) or tokens[0].text.lstrip("该这本此它其的"),
        measures=tuple(_measure(tokens, at) for at, token in enumerate(tokens) if token.kind == "number"),
        dates=tuple(token.value for token in tokens if isinstance(token.value, Date)),
        back=back,
        listed=any(token.kind == "conj" or token.text == "、" for token in tokens),
        marks=frozenset(f"#{_number_of(token.text)}" for token in tokens if token.kind == "mark"),
        possessive=tokens[0].text in ("其", "该", "它", "他", "她"),
        scope=frozenset(word for word in _SCOPE_WORDS if word in text),
        indefinite=bool(_INDEFINITE_RE.match(text)),
    )


def _number_of(mark: str) -> str:
    """The number of a mark in digits: 19 of 第十九届, 1 of 首任."""
    written = re.sub(rf"[^\d{HAN_NUMBER}]", "", mark.replace("首", "一"))
    return str(int(read_han(written)))


def _head(content: Sequence[Token]) -> str:
    """The last noun; one that only names an attribute or role (总投资, 院长) gives way to what it is of."""
    things = [token for token in content if token.kind not in ("attr", "role", "mark")]
    return things[-1].text if things else ""


def token_keys(token: Token) -> frozenset[str]:
    if token.text in words.PLACE_NOUNS:
        return frozenset({words.PLACE_NOUNS[token.text]})
    if token.kind == "attr":
        return frozenset({"@" + words.ATTRIBUTE_OF[token.text]})
    if token.kind == "role":
        return frozenset({"&" + words.ROLE_OF[token.text]})
    if token.kind == "verb":
        return frozenset({words.VERB_CLASS[token.text]})
    return keys(token.text.strip("《》“”「」"))


def _is_generic(run: str) -> bool:
    return run in words.GENERIC


def _names(tokens: Sequence[Token]) -> Iterator[Name]:
    """Runs that may name something: what is left when generic ends and words that refer back are taken off."""
    for index, token in enumerate(tokens):
        if token.kind not in _NAME_KINDS:
            continue
        run = token.text.strip("《》“”「」")
        if token.kind == "han" and index and tokens[index - 1].kind == "number":
            continue  # what is counted is no name
        if token.kind == "han" and index and tokens[index - 1].kind == "title" and tokens[index - 1].end == token.start:
            continue  # “九章”探测到: what follows a quoted name is said of it
        if index and tokens[index - 1].kind == "back" and _is_generic(run):
            continue
        start = token.start
        if token.kind == "han":
            begin, end = _person(run)
            start, run = start + begin, run[begin:end]
        core = _core(run) if token.kind == "han" else run
        if token.kind == "mark" and run[0] in "第首":
            core = f"第{_number_of(run)}"
        if not core:
            continue
        units = (
            tuple(core.lower().split())
            if token.kind == "latin"
            else tuple(char for char in core if char not in "·•・ ")
        )
        proper = token.kind != "han" or core != token.text or token.text.endswith(_PROPER_ENDS)
        yield Name(
            text=run,
            start=start,
            end=start + len(run) if token.kind == "han" else token.end,
            units=units,
            proper=proper,
            quoted=token.kind == "title",
        )


_PROPER_ENDS = tuple(word for word in words.STANDING | words.GENERIC if len(word) > 1)
_PERSON = f"[{''.join(sorted(words.SURNAMES))}][{HAN}]{{1,2}}"
_TITLED_RE = re.compile(f"({_PERSON})(?:{'|'.join(words.PERSON_TITLES)})|(?<=[家师者员])({_PERSON})$")


def _person(run: str) -> tuple[int, int]:
    """Where a person's name stands in a run: 郑惜时 in 物理学家郑惜时博士; the whole run if no title tells."""
    match = _TITLED_RE.search(run)
    if match is None:
        return 0, len(run)
    return match.span(1) if match[1] else match.span(2)


def _core(run: str) -> str:
    """A run without the generic word at its end: 长江大桥 is 长江; 大桥 alone is nothing."""
    if run in words.GENERIC:
        return ""
    for end in _GENERIC_ENDS:
        if run.endswith(end) and len(run) - len(end) >= 2:
            return run[: -len(end)]
    return run


def _measure(tokens: Sequence[Token], at: int) -> Measure:
    quantity = tokens[at].value
    assert isinstance(quantity, Quantity)
    before = [token for token in tokens[max(0, at - 4) : at] if token.kind not in ("punct", "number")]
    near = frozenset(
        key for token in before for key in token_keys(token) if token.kind in ("han", "attr", "role", "verb")
    )
    text = "".join(token.text for token in before)
    scope = frozenset(word for word in _SCOPE_WORDS if word in text) | (_SCOPE_CHARACTERS & {text[-1:]})
    noun = ""
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if (
        following is not None
        and following.kind in ("han", "latin", "attr", "role")
        and (not quantity.unit or quantity.dimension == "share")
    ):
        noun = following.text
    measure = tokens[at].measure
    previous = tokens[at - 1] if at else None
    if (
        not noun
        and previous is not None
        and previous.kind == "han"
        and not quantity.unit
        and at >= 1
        and tokens[0].kind == "han"
    ):
        noun = previous.text  # 床位800张
    if not noun and measure and measure not in "个种项":
        noun = "人" if measure in words.PERSON_WORDS else measure
    return Measure(quantity=quantity, noun=noun, noun_text=noun, counter=measure, scope=scope, near=near)
