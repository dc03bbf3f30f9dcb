"""English noun phrases: names, keys, measures and dates of a run of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from memorybank.contradiction import words_en as words
from memorybank.contradiction.keys import key
from memorybank.contradiction.phrases import NOTHING, Measure, Name, Phrase, Role
from memorybank.contradiction.tokens_en import EnToken
from memorybank.contradiction.verbs_en import HYPHENS
from memorybank.language.dates import Date
from memorybank.language.inflection import form_of, is_plural
from memorybank.language.values import Quantity

_DESCRIBES_RE = re.compile(r"(?:ing|ed|al|ic|ous|ive|able|ible|ary|ful|less|ate|ant|ent|some|ern|ite)$")
"""Adjectives say what a counted thing is like; a bare noun before it (gold medals) mostly says which are counted."""
_TRIMMED = (words.ADVERBS | words.NEGATORS) - set(words.ATTRIBUTE_OF)
_WITHIN_NOUNS = HYPHENS | {"word", "name", "number", "date", "mark"}
_NEAR = 6
"""Tokens around a number that may say what it measures."""


def build_phrase(sentence: str, tokens: Sequence[EnToken], role: str = "") -> Phrase:
    """Names, keys, measures and dates of a run of tokens."""
    while tokens and tokens[-1].low in _TRIMMED and tokens[-1].kind == "word":
        tokens = tokens[:-1]
    if not tokens:
        return NOTHING
    lows = [token.low for token in tokens]
    names = tuple(_names(sentence, tokens))
    head = _head(tokens)
    keys = frozenset(
        key(token.low)
        for token, after in zip_longest(tokens, tokens[1:])
        if token.kind == "word" and _is_content(token.low) and not _is_preposition(token, after)
    )
    own = lows[0] in words.POSSESSIVES
    pronoun = lows[0] in words.PRONOUNS and len(tokens) <= 2
    return Phrase(
        start=tokens[0].start,
        end=tokens[-1].end,
        text=sentence[tokens[0].start : tokens[-1].end],
        role=role,
        names=names,
        keys=keys,
        attributes=keys,
        roles=tuple(_roles(tokens)),
        head=key(head) if head else "",
        measures=tuple(_measure(tokens, at) for at, token in enumerate(tokens) if isinstance(token.value, Quantity)),
        dates=tuple(token.value for token in tokens if isinstance(token.value, Date)),
        back=not names and (pronoun or ((own or lows[0] in words.DEFINITE) and head in words.GENERIC_NOUNS)),
        listed=not {"and", "or", "&"}.isdisjoint(lows),
        marks=frozenset(token.low for token in tokens if token.kind == "mark"),
        possessive=own,
        scope=words.SCOPE.intersection(lows),
        indefinite=lows[0] in words.INDEFINITE,
    )


def _is_preposition(token: EnToken, after: EnToken | None) -> bool:
    """ "across Lake Perrin" says where; "40 km across", how wide."""
    if after is None or token.low not in words.FUNCTION:
        return False
    return after.kind == "name" or after.low in words.DETERMINERS


def _is_content(low: str) -> bool:
    return len(low) > 1 and (low not in words.FUNCTION or low in words.ATTRIBUTE_OF)


def _head(tokens: Sequence[EnToken]) -> str:
    """The head noun: the last plain word before a preposition, a comma or the end."""
    head = ""
    for token in tokens:
        if (head and token.low in words.PREPOSITIONS) or token.kind not in _WITHIN_NOUNS:
            break
        if token.kind == "word" and token.low not in words.FUNCTION:
            head = token.low
    return head


def _roles(tokens: Sequence[EnToken]) -> Iterator[Role]:
    end = 0
    for token, following in zip_longest(tokens, tokens[1:]):
        pair = f"{token.low}-{following.low}" if following else ""
        name = words.ROLE_OF.get(pair) or words.ROLE_OF.get(token.low)
        if name and token.start >= end:
            end = following.end if pair in words.ROLE_OF else token.end
            yield Role(name=name, start=token.start, end=end)


def _names(sentence: str, tokens: Sequence[EnToken]) -> Iterator[Name]:
    at = 0
    while at < len(tokens):
        start = at
        while at < len(tokens) and (tokens[at].kind == "name" or (at > start and _joins(tokens, at))):
            at += 1
        units = tuple(
            token.low.rstrip(".") for token in tokens[start:at] if token.low not in words.CONNECTORS | words.TITLES
        )
        if units:
            begin, end = tokens[start].start, tokens[at - 1].end
            yield Name(text=sentence[begin:end], start=begin, end=end, units=units)
        at = max(at, start + 1)


def _joins(tokens: Sequence[EnToken], at: int) -> bool:
    """Whether a small word stands inside a name: University of Science, Leonardo da Vinci; not "CEO of Nordwind"."""
    if tokens[at].low not in words.CONNECTORS or at + 1 == len(tokens) or tokens[at + 1].kind != "name":
        return False
    return tokens[at].low != "of" or tokens[at - 1].low not in words.ROLE_OF


# -- measures ---------------------------------------------------------------------------------------------------------


def _measure(tokens: Sequence[EnToken], at: int) -> Measure:
    quantity = tokens[at].value
    assert isinstance(quantity, Quantity)
    before = [token.low for token in tokens[max(0, at - _NEAR) : at] if token.kind == "word"]
    after = [token.low for token in tokens[at + 1 : at + _NEAR] if token.kind in ("word", "mark")]
    near = [low for low in before if low not in words.FUNCTION]
    if quantity.unit:  # "5 km long", "99.9 % fidelity"
        near += filter(_is_content, after[:2])
    run = _counted(tokens, at, quantity)
    # "superconducting", "coupled" describe; "gold", "research" may restrict.
    restricting = [
        token.low for token in run[:-1] if not _DESCRIBES_RE.search(token.low) and token.low not in words.FUNCTION
    ]
    return Measure(
        quantity=quantity,
        noun=key(run[-1].low) if run else "",
        noun_text=run[-1].text if run else "",
        modifiers=frozenset(map(key, restricting)),
        scope=words.SCOPE.intersection(before + after),
        near=frozenset(map(key, near)),
    )


def _counted(tokens: Sequence[EnToken], at: int, quantity: Quantity) -> list[EnToken]:
    """What a number counts: up to the first plural behind it, else the rest of the noun phrase."""
    run: list[EnToken] = []
    if quantity.unit and quantity.dimension not in ("share", "factor"):
        return run
    for place in range(at + 1, min(at + _NEAR + 2, len(tokens))):
        token = tokens[place]
        if token.kind in HYPHENS or (not run and token.low in words.DETERMINERS | {"of"}):
            continue
        if token.kind not in ("word", "name") or (token.low in words.FUNCTION and token.low not in ("more", "other")):
            break
        if run and is_plural(run[-1].low) and form_of(token.low) in ("past", "ing"):
            break
        run.append(token)
        if (is_plural(token.low) and token.kind == "word" and quantity.high != 1) or tokens[at + 1].kind in HYPHENS:
            break
    return run
