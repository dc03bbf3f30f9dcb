"""English verb groups by patterns over a row of tags, one letter a token (Abney 1996, "Partial Parsing via Finite-State
Cascades"): where a verb stands, its lemma, voice, negation and hedges.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from memorybank.contradiction import words_en as words
from memorybank.contradiction.keys import key
from memorybank.contradiction.tokens_en import EnToken
from memorybank.language.inflection import form_of, is_plural, lemma_of

HYPHENS = frozenset({"-", "‐"})
_CLASSES = {
    **dict.fromkeys(words.PREPOSITIONS, "P"),
    **dict.fromkeys(words.DETERMINERS | {"no"}, "A"),
    **dict.fromkeys(words.ADVERBS - {"no"}, "a"),
    **dict.fromkeys(words.CONJUNCTIONS, "C"),
    **dict.fromkeys(words.PRONOUNS - words.DETERMINERS, "O"),
    **dict.fromkeys(words.RELATIVES, "R"),
    **dict.fromkeys(words.NEGATORS - {"no", "without", "nor", "neither", "nothing", "nobody", "none"}, "n"),
    **dict.fromkeys(words.AUXILIARIES, "W"),
    **dict.fromkeys("is are was were be been being am isn't aren't wasn't weren't 're".split(), "B"),
    **dict.fromkeys("has have had having".split(), "H"),
    "to": "t", "of": "o", "'s": "'",
}  # fmt: skip
_KINDS = {"name": "N", "number": "#", "date": "D", "mark": "M", "'": "'"}
_FORMS = {"past": "d", "ing": "g", "s": "s", "base": "b"}
BREAKS = ",("
"""The tags of punctuation that parts clauses and phrases: commas and stops, and all other."""

_VERB_RE = re.compile(
    r"""
      (?P<aux>[BHW](?:[BHWna]|M(?=d))*)
    | (?<![-'APot])(?<![AP\#,(]a)(?<!^a)(?<!\#(?=d[ps]))(?P<past>(?<=[^(])d|d(?=[PDt]))  # built; not: the newly built
    | (?P<plain>
          (?<=[NwbgORaM,(])s(?=[A\#NDPOagtwbpso])  # the bridge spans 480 m
        | (?<=C)s(?=[A\#N]) | (?<=O)s
        | (?<=[Nwb])p(?=[A\#Ow]) | (?<=R)p | (?<=N)p(?=N)  # a man peels a potato: a verb that is not listed
        | (?<=[psO])b(?=[\#NDAPatO]) | (?<=[OR])b  # the towers stand in
        | (?<=[,(])g(?=[wN\#A])                       # spanning 480 m
      )
    """,
    re.VERBOSE,
)
_TO_RE = re.compile(r"t(?P<be>B?)(?=[bdwsa])")


@dataclass(slots=True)
class VerbGroup:
    """`tokens[start:end]`: auxiliaries, adverbs and the main verb."""

    start: int
    end: int
    lemma: str
    passive: bool = False
    negated: bool = False
    hedges: set[str] = field(default_factory=set)
    participle: bool = False
    """Without an auxiliary after a noun: "a bridge built in 1937", or leading: "Built in 1937, the bridge"."""
    extra: set[str] = field(default_factory=set)


def tag(tokens: Sequence[EnToken]) -> str:
    """One letter a token."""
    beside = zip(tokens, [None, *tokens], [*tokens[1:], None], strict=False)
    return "".join(_tag(token, before, behind) for token, before, behind in beside)


def _tag(token: EnToken, previous: EnToken | None, following: EnToken | None) -> str:
    if token.kind != "word":
        return _KINDS.get(token.kind) or ("-" if token.kind in HYPHENS else "," if token.kind in ",.;" else "(")
    if token.low == "'s" and previous is not None and previous.low in words.PRONOUNS:
        return "B"
    if token.low == "no" and following is not None and following.low == "longer":
        return "n"
    if known := _CLASSES.get(token.low):
        return known
    return _FORMS.get(form_of(token.low)) or ("a" if token.low.endswith("ly") else "p" if is_plural(token.low) else "w")


def verb_groups(tokens: Sequence[EnToken], tags: str) -> list[VerbGroup]:
    groups: list[VerbGroup] = []
    for match in _VERB_RE.finditer(tags):
        at = match.start()
        if groups and at < groups[-1].end:
            continue
        group = VerbGroup(at, at + 1, lemma_of(tokens[at].low))
        if match["aux"]:
            _with_auxiliaries(group, tokens, tags, match.end())
        elif match["past"]:
            group.participle = _is_participle(tokens, tags, at)
            group.passive = group.participle and group.lemma not in words.INTRANSITIVE
        if not match["aux"] and tags[at - 1 : at] == "n":  # never opened
            group.negated = True
        _finish(group, tokens, tags)
        groups.append(group)
    return groups


def _with_auxiliaries(group: VerbGroup, tokens: Sequence[EnToken], tags: str, end: int) -> None:
    """The main verb behind auxiliaries, by the last of them."""
    led = [token.low for token in tokens[group.start : end]]
    group.negated = sum(tags[at] == "n" or tokens[at].low.endswith("n't") for at in range(group.start, end)) % 2 == 1
    group.hedges = set(led) & words.HEDGES
    last = next(tags[at] for at in range(end - 1, group.start - 1, -1) if tags[at] in "BHW")
    word, form = (tokens[end].low, tags[end]) if end < len(tokens) else ("", "")
    if last == "B" and word in ("able", "unable") and tags[end + 1 : end + 2] == "t" and end + 2 < len(tokens):
        group.negated ^= word == "unable"
        end, last, form = end + 2, "W", "b"
    group.end, group.lemma = end + 1, lemma_of(tokens[end].low if word else "")
    if last == "B" and form == "d":
        group.passive = True
    elif last == "B" and (to := _TO_RE.match(tags, end)):  # was to be completed
        group.hedges.add("to be")
        group.passive, group.end = bool(to["be"]), to.end() + 1
        group.lemma = lemma_of(tokens[to.end()].low)
    elif (
        (last == "B" and form == "g") or (last == "H" and form == "d") or (last == "W" and form in ("b", "d", "w", "H"))
    ):
        pass
    else:
        group.end, group.lemma = end, {"B": "be", "H": "have", "W": "do"}[last]


def _is_participle(tokens: Sequence[EnToken], tags: str, at: int) -> bool:
    """Whether a bare past form is a participle ("a bridge built by …") and no finite verb ("He built …")."""
    low, previous, following = tokens[at].low, tags[at - 1 : at], tags[at + 1 : at + 2]
    if lemma_of(low) in words.INTRANSITIVE or previous in ("O", "R") or tags[at + 1 : at + 3] == "tb":
        return False
    if following in ("", ",", "(", "D"):
        return True
    return following in ("P", "t") and (low in words.PARTICIPLES or low.endswith("ed"))


def _finish(group: VerbGroup, tokens: Sequence[EnToken], tags: str) -> None:
    """Phrasal verbs, "no" behind the verb, verbs that deny, and a second verb behind "to"."""
    if phrasal := words.PHRASAL.get((group.lemma, _low(tokens, group.end))):
        group.lemma, group.end = phrasal, group.end + 1
        group.passive &= phrasal != "have"  # composed of
    at = group.end
    while tags[at : at + 1] in ("a", "n") and tags[at : at + 1]:
        group.negated ^= tags[at] == "n"
        at += 1
    low = _low(tokens, at)
    if low in ("nothing", "none", "nobody") or (low == "no" and _low(tokens, at + 1) not in ("more", "less")):
        group.negated = not group.negated
    if group.lemma in words.NEGATIVE_VERBS:
        group.negated = not group.negated
        if low in ("to", "from") and at + 1 < len(tokens):  # failed to open, prevents from opening
            group.lemma, group.end = lemma_of(tokens[at + 1].low), at + 2
        elif group.lemma == "lack":
            group.lemma = "have"
    elif to := _TO_RE.match(tags, at):
        verb = to.end()
        if group.lemma in ("need", "have"):  # "needs to be cooled" is said of the cooling
            group.lemma, group.passive, group.end = lemma_of(tokens[verb].low), bool(to["be"]), verb + 1
        elif not to["be"]:
            group.extra.add(key(tokens[verb].low))


def _low(tokens: Sequence[EnToken], at: int) -> str:
    return tokens[at].low if at < len(tokens) else ""
