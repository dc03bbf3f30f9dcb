"""Chinese noun phrases: names, keys, measures and dates of a run of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorybank.contradiction import words_zh as words
from memorybank.contradiction.phrases import NOTHING, Measure, Name, Phrase, Role
from memorybank.contradiction.tokens_zh import ZhToken, keys
from memorybank.language.dates import Date
from memorybank.language.numerals import HAN_NUMBER, read_han
from memorybank.language.values import Quantity

_STRIPPED = (word for word in words.GENERIC - words.STANDING if len(word) > 1 or word in "市省县区镇村号")
_GENERIC_ENDS = tuple(sorted(_STRIPPED, key=len, reverse=True))
_PROPER_ENDS = tuple(word for word in words.STANDING | words.GENERIC if len(word) > 1)
_SCOPE_WORDS = frozenset(word for word in words.SCOPE if len(word) > 1)
_SCOPE_CHARACTERS = words.SCOPE - _SCOPE_WORDS
_QUOTES = "《》“”「」"
_CONTENT = frozenset({"han", "latin", "title", "attr", "role", "verb", "mark"})


def build_phrase(sentence: str, run: Sequence[ZhToken], role: str = "") -> Phrase:
    """Names, keys, measures and dates of a run of tokens."""
    tokens = [token for token in run if token.kind != "punct" or token.text in "、·-—"]
    while tokens and (tokens[0].kind in ("de", "punct", "conj") or tokens[0].text in ("过", "了", "着")):
        tokens = tokens[1:]
    if not tokens:
        return NOTHING
    first, last = tokens[0], tokens[-1]
    if role == "in" and last.kind == "han" and len(last.text) > 2 and last.text[-1] in "上里中内下":  # 芯片上
        tokens[-1] = last = replace(last, text=last.text[:-1], end=last.end - 1)
    content = [token for token in tokens if token.kind in _CONTENT]
    things = [token for token in content if token.kind not in ("attr", "role", "mark")]
    owned = first.kind in ("back", "number")
    names = tuple(name for name in _names(tokens) if not owned or not name.text.isalpha() or name.text.isascii())
    text = sentence[first.start : last.end].strip()
    return Phrase(
        start=first.start,
        end=last.end,
        text=text,
        role=role,
        names=names,
        keys=frozenset(key for token in content for key in _keys(token)),
        attributes=frozenset(
            key
            for token in content
            if token.kind in ("attr", "role") or (owned and token.kind == "han" and token.text not in words.GENERIC)
            for key in _keys(token)
        ),
        roles=tuple(
            Role(name=words.ROLE_OF[token.text], start=token.start, end=token.end)
            for token in tokens
            if token.kind == "role"
        ),
        head=things[-1].text if things else first.text.lstrip("该这本此它其的"),
        measures=tuple(_measure(tokens, at) for at, token in enumerate(tokens) if token.kind == "number"),
        dates=tuple(token.value for token in tokens if isinstance(token.value, Date)),
        back=owned
        or any(token.kind == "back" for token in tokens[:2])
        or (not names and bool(content) and content[-1].text in words.GENERIC),
        listed=any(token.kind == "conj" or token.text == "、" for token in tokens),
        marks=frozenset(f"#{_number_of(token.text)}" for token in tokens if token.kind == "mark"),
        possessive=first.text in ("其", "该", "它", "他", "她"),
        scope=frozenset(word for word in _SCOPE_WORDS if word in text),
    )


def _number_of(mark: str) -> str:
    """The number of a mark in digits: 19 of 第十九届, 1 of 首任."""
    written = re.sub(rf"[^\d{HAN_NUMBER}]", "", mark.replace("首", "一"))
    return str(int(read_han(written)))


def _keys(token: ZhToken) -> frozenset[str]:
    if token.text in words.PLACE_NOUNS:
        return frozenset({words.PLACE_NOUNS[token.text]})
    if token.kind == "attr":
        return frozenset({"@" + words.ATTRIBUTE_OF[token.text]})
    if token.kind == "role":
        return frozenset({"&" + words.ROLE_OF[token.text]})
    if token.kind == "verb":
        return frozenset({words.VERB_CLASS[token.text]})
    return keys(token.text.strip(_QUOTES))


def _names(tokens: Sequence[ZhToken]) -> Iterator[Name]:
    """Runs that may name something: what is left when generic ends and words that refer back are taken off."""
    for before, token in zip((None, *tokens), tokens, strict=False):
        if token.kind not in ("han", "latin", "title", "mark"):
            continue
        run = token.text.strip(_QUOTES)
        if before is not None and token.kind == "han":
            joined = before.kind == "title" and before.end == token.start  # “九章”探测到: said of the quoted name
            if before.kind == "number" or joined or (before.kind == "back" and run in words.GENERIC):
                continue
        core = _core(run) if token.kind == "han" else run
        if token.kind == "mark" and run[0] in "第首":
            core = f"第{_number_of(run)}"
        if not core:
            continue
        yield Name(
            text=run,
            start=token.start,
            end=token.end,
            units=tuple(core.lower().split()) if token.kind == "latin" else tuple(re.sub("[·•・ ]", "", core)),
            proper=token.kind != "han" or core != token.text or token.text.endswith(_PROPER_ENDS),
            quoted=token.kind == "title",
        )


def _core(run: str) -> str:
    """A run without the generic word at its end: 长江大桥 is 长江; 大桥 alone is nothing."""
    if run in words.GENERIC:
        return ""
    end = next((end for end in _GENERIC_ENDS if run.endswith(end) and len(run) - len(end) >= 2), "")
    return run.removesuffix(end)


def _measure(tokens: Sequence[ZhToken], at: int) -> Measure:
    """A quantity, and the noun behind it or before it: 800张床位, 床位800张."""
    token, before = (
        tokens[at],
        [earlier for earlier in tokens[max(0, at - 4) : at] if earlier.kind not in ("punct", "number")],
    )
    quantity = token.value
    assert isinstance(quantity, Quantity)
    text = "".join(earlier.text for earlier in before)
    following, previous = (tokens[at + 1] if at + 1 < len(tokens) else None), (tokens[at - 1] if at else None)
    noun = ""
    if following and following.kind in ("han", "latin", "attr", "role"):
        noun = following.text if not quantity.unit or quantity.dimension == "share" else ""
    if not noun and previous and previous.kind == tokens[0].kind == "han" and not quantity.unit:
        noun = previous.text
    if not noun and token.measure not in "个种项":
        noun = token.measure
    return Measure(
        quantity=quantity,
        noun=noun,
        noun_text=noun,
        counter=token.measure,
        scope=frozenset(word for word in _SCOPE_WORDS if word in text) | (_SCOPE_CHARACTERS & {text[-1:]}),
        near=frozenset(
            key for earlier in before if earlier.kind in ("han", "attr", "role", "verb") for key in _keys(earlier)
        ),
    )
