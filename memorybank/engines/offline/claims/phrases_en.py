"""English noun phrases: names, keys, measures and dates of a run of tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memorybank.engines.offline.claims import words_en as words
from memorybank.engines.offline.claims.inflection_en import form_kinds, is_plural, key
from memorybank.engines.offline.claims.phrases import NOTHING, Measure, Name, Phrase, Role
from memorybank.engines.offline.claims.tokens_en import Token
from memorybank.engines.offline.claims.verbs_en import BREAKS, HYPHENS
from memorybank.language.dates import Date
from memorybank.language.values import Quantity

_DESCRIBES = re.compile(
    r"(?:ing|ed|al|ic|ous|ive|able|ible|ary|ful|less|ate|ant|ent|some|ern|ite)$|^(?:different|known|full|whole|large|small|big|great|main)$"
)
"""Adjectives say what a counted thing is like; a bare noun before it (gold medals) mostly says which are counted."""
_TRIMMED = (words.ADVERBS | words.NEGATORS) - set(words.ATTRIBUTE_OF)


def build_phrase(sentence: str, tokens: Sequence[Token], role: str = "") -> Phrase:
    """Names, keys, measures and dates of a run of tokens."""
    tokens = list(tokens)
    while tokens and tokens[-1].low in _TRIMMED and tokens[-1].kind == "word":
        tokens.pop()
    if not tokens:
        return NOTHING
    plain = [token for token in tokens if token.kind == "word"]
    content = [token for token in plain if _is_content(token.low)]
    names = _names(sentence, tokens)
    nouns = _head(tokens)
    keys = frozenset(key(token.low) for token in content)
    first = tokens[0].low
    definite = first in ("the", "this", "that", "its", "their", "these", "his", "her")
    back = not names and (
        (first in words.PRONOUNS and len(tokens) <= 2) or (definite and bool(nouns) and nouns[0] in words.GENERIC_NOUNS)
    )
    return Phrase(
        start=tokens[0].start,
        end=tokens[-1].end,
        text=sentence[tokens[0].start : tokens[-1].end],
        role=role,
        names=names,
        keys=keys,
        attributes=keys,
        roles=_roles(tokens),
        head=key(nouns[0]) if nouns else "",
        measures=tuple(_measure(tokens, at) for at, token in enumerate(tokens) if token.kind == "number"),
        dates=tuple(token.value for token in tokens if isinstance(token.value, Date)),
        back=back,
        listed=any(token.low in ("and", "or", "&") for token in tokens),
        marks=frozenset(token.low for token in tokens if token.kind == "mark"),
        possessive=first in ("its", "their", "his", "her"),
        scope=frozenset(token.low for token in tokens if token.low in words.SCOPE),
        indefinite=first in ("a", "an", "some", "several", "many", "another", "one"),
    )


def _roles(tokens: Sequence[Token]) -> tuple[Role, ...]:
    pairs = {f"{one.low}-{other.low}": (one, other) for one, other in pairwise(tokens)}
    found = [
        Role(name=words.ROLE_OF[pair], start=one.start, end=other.end)
        for pair, (one, other) in pairs.items()
        if pair in words.ROLE_OF
    ]
    taken = [(role.start, role.end) for role in found]
    for token in tokens:
        if token.low in words.ROLE_OF and not any(start <= token.start < end for start, end in taken):
            found.append(Role(name=words.ROLE_OF[token.low], start=token.start, end=token.end))
    return tuple(sorted(found, key=lambda role: role.start))


def _is_content(low: str) -> bool:
    return len(low) > 1 and (low not in words.FUNCTION or low in words.ATTRIBUTE_OF)


def _head(tokens: Sequence[Token]) -> list[str]:
    """The head noun: the last plain word before "of", a comma or the end."""
    head: list[str] = []
    for token in tokens:
        if (token.low in words.PREPOSITIONS and head) or token.kind in BREAKS:
            break
        if token.kind == "word" and token.low not in words.FUNCTION:
            head = [token.low]
    return head


def _names(sentence: str, tokens: Sequence[Token]) -> tuple[Name, ...]:
    names: list[Name] = []
    at = 0
    while at < len(tokens):
        if tokens[at].kind != "name":
            at += 1
            continue
        start = at
        at += 1
        while at < len(tokens) and (tokens[at].kind == "name" or _joins(tokens, at)):
            at += 1
        units = tuple(
            token.low.rstrip(".")
            for token in tokens[start:at]
            if token.low not in words.CONNECTORS | words.TITLES and token.kind in ("name", "mark")
        )
        if units:
            begin, end = tokens[start].start, tokens[at - 1].end
            names.append(Name(text=sentence[begin:end], start=begin, end=end, units=units))
    return tuple(names)


def _joins(tokens: Sequence[Token], at: int) -> bool:
    """Whether a small word stands inside a name: University of Science."""
    token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
    if token.low == "of" and following is not None and following.kind == "name":
        return tokens[at - 1].low not in words.ROLE_OF
    return (
        token.low in words.CONNECTORS - {"of", "the", "for", "&"} and following is not None and following.kind == "name"
    )


def _measure(tokens: Sequence[Token], at: int) -> Measure:
    quantity = tokens[at].value
    assert isinstance(quantity, Quantity)
    before = [token for token in tokens[max(0, at - 6) : at] if token.kind == "word"]
    near = frozenset(key(token.low) for token in before if token.low not in words.FUNCTION)
    noun, noun_text, modifiers = _counted(tokens, at, quantity)
    after = [token.low for token in tokens[at + 1 : at + 6] if token.kind in ("word", "mark")]
    scope = frozenset(low for low in [token.low for token in before] + after if low in words.SCOPE)
    if quantity.unit:  # "5 km long", "99.9 % fidelity"
        near |= frozenset(key(low) for low in after[:2] if low not in words.FUNCTION or low in words.ATTRIBUTE_OF)
    return Measure(quantity=quantity, noun=noun, noun_text=noun_text, modifiers=modifiers, scope=scope, near=near)


def _counted(tokens: Sequence[Token], at: int, quantity: Quantity) -> tuple[str, str, frozenset[str]]:
    """What a number counts: the first plural after it, else the last word of the noun phrase."""
    run: list[Token] = []
    index = at + 1
    while index < len(tokens) and len(run) < 6:
        token = tokens[index]
        if token.kind in HYPHENS:
            index += 1
            continue
        if token.low == "of" and not run and index + 1 < len(tokens):
            index += 2 if tokens[index + 1].low in words.ARTICLES else 1
            continue
        if token.kind not in ("word", "name") or (
            token.low in words.FUNCTION and token.low not in ("more", "other", "new")
        ):
            break
        if run and ("past" in form_kinds(token.low) or "ing" in form_kinds(token.low)) and is_plural(run[-1].low):
            break
        run.append(token)
        if is_plural(token.low) and token.kind == "word" and tokens[at].kind == "number" and quantity.high != 1:
            break
        if tokens[at + 1].kind in HYPHENS:
            break
        index += 1
    if not run or (quantity.unit and quantity.dimension not in ("share", "factor")):
        return "", "", frozenset()
    head = run[-1]
    # "superconducting", "coupled" describe; "gold", "research" may restrict.
    restricting = [
        token.low for token in run[:-1] if not _DESCRIBES.search(token.low) and token.low not in words.FUNCTION
    ]
    return key(head.low), head.text, frozenset(map(key, restricting))
