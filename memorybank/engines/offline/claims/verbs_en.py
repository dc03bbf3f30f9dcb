"""English verb groups: where a verb stands, its lemma, voice, negation and hedges. By form and order alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memorybank.engines.offline.claims import words_en as words
from memorybank.engines.offline.claims.inflection_en import form_kinds, is_plural, key, lemma_of
from memorybank.engines.offline.claims.tokens_en import Token

BREAKS = frozenset({",", ";", ":", "(", ")", "–", "—", "-", "|", ".", "!", "?", "…", "·", "•", "[", "]", "=", "→"})
HYPHENS = frozenset({"-", "‐"})
_BEFORE_OBJECT = words.ARTICLES | words.PREPOSITIONS | words.ADVERBS
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "isn't", "'s", "'re"})
_HAVE = frozenset({"has", "have", "had", "having"})
_DO = frozenset({"do", "does", "did"})
_AFTER_PARTICIPLE = frozenset("by in at on near from with for of as to until through under after".split())


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


def verb_groups(tokens: Sequence[Token]) -> list[VerbGroup]:
    groups: list[VerbGroup] = []
    index = 0
    while index < len(tokens):
        group = _group_at(tokens, index)
        if group:
            groups.append(group)
            index = max(group.end, index + 1)
        else:
            index += 1
    return groups


def _group_at(tokens: Sequence[Token], at: int) -> VerbGroup | None:
    token = tokens[at]
    if token.kind != "word":
        return None
    previous = tokens[at - 1] if at > 0 else None
    if token.low in words.AUXILIARIES and not (token.low == "'s" and not (previous and previous.low in words.PRONOUNS)):
        return _auxiliary_group(tokens, at)
    kinds = form_kinds(token.low)
    if not kinds:
        return None
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if previous and previous.kind in HYPHENS | {"'"}:
        return None
    if "past" in kinds and _is_finite_past(tokens, at, previous, following):
        participle = _reads_as_participle(tokens, at, previous, following)
        passive = participle and lemma_of(token.low) not in words.INTRANSITIVE
        return _finish(tokens, VerbGroup(at, at + 1, lemma_of(token.low), passive=passive, participle=participle))
    if "s" in kinds and _is_finite_present(previous, following):
        return _finish(tokens, VerbGroup(at, at + 1, lemma_of(token.low)))
    if "base" in kinds and _is_plural_present(tokens, at, previous, following):
        return _finish(tokens, VerbGroup(at, at + 1, lemma_of(token.low)))
    if (
        "ing" in kinds
        and previous
        and previous.kind == ","
        and following
        and following.kind in ("word", "name", "number")
    ):
        return _finish(tokens, VerbGroup(at, at + 1, lemma_of(token.low)))
    return None


def _auxiliary_group(tokens: Sequence[Token], at: int) -> VerbGroup:
    group = VerbGroup(at, at, "be")
    index, last = at, ""
    while index < len(tokens) and tokens[index].kind in ("word", "mark"):
        low = tokens[index].low
        if low in words.NEGATORS:
            group.negated = not group.negated
        elif low in words.AUXILIARIES or low == "ought":
            last = low
        elif (
            (low in words.HEDGES and low not in ("used", "claims", "plans", "estimated"))
            or low.endswith("ly")
            or low in words.ADVERBS
            or _is_at_first(tokens, index)
        ):
            pass
        else:
            break
        group.hedges |= {low} & words.HEDGES
        index += 1
    if last in _BE and index + 1 < len(tokens) and tokens[index].low == "to":  # "was to be completed"
        group.hedges.add("to be")
        last, index = tokens[index + 1].low, index + 1
        index += 1 if last in _BE else 0
    low = tokens[index].low if index < len(tokens) and tokens[index].kind == "word" else ""
    kinds = form_kinds(low)
    if last in _BE and low in ("able", "unable") and index + 2 < len(tokens) and tokens[index + 1].low == "to":
        group.negated ^= low == "unable"
        group.lemma, group.end = lemma_of(tokens[index + 2].low), index + 3
    elif last in _BE and "ing" in kinds:
        group.lemma, group.end = lemma_of(low), index + 1
    elif last in _BE and "past" in kinds:
        group.lemma, group.end, group.passive = lemma_of(low), index + 1, True
    elif (last in _HAVE and "past" in kinds) or (
        (last in _DO or last not in _BE | _HAVE) and ("base" in kinds or low == "have")
    ):
        group.lemma, group.end = lemma_of(low), index + 1
    else:
        group.end = index
        group.lemma = "have" if last in _HAVE else "do" if last in _DO else "be"
    return _finish(tokens, group)


def _is_at_first(tokens: Sequence[Token], at: int) -> bool:
    """ "First" as an adverb: "was first lit"; not as in "was first in the race"."""
    return tokens[at].low == "#1" and at + 1 < len(tokens) and "past" in form_kinds(tokens[at + 1].low)


def _finish(tokens: Sequence[Token], group: VerbGroup) -> VerbGroup:
    """Phrasal verbs, "used to cool", "no" after the verb, negative verbs."""
    at = group.end
    following = tokens[at].low if at < len(tokens) else ""
    if phrasal := words.PHRASAL.get((group.lemma, following)):
        group.lemma, group.end, at = phrasal, at + 1, at + 1
    if group.passive and group.lemma in ("make", "compose", "form", "build") and following == "of":
        group.lemma, group.passive = "have", False
        group.end = at = at + 1
    while at < len(tokens) and tokens[at].kind == "word" and tokens[at].low in words.ADVERBS | {"not"}:
        group.negated ^= tokens[at].low in words.NEGATORS
        at += 1
    if (
        at < len(tokens)
        and tokens[at].low == "no"
        and not (at + 1 < len(tokens) and tokens[at + 1].low in ("longer", "more", "fewer", "less"))
    ):
        group.negated = not group.negated
    if at < len(tokens) and tokens[at].low in ("nothing", "none", "nobody"):
        group.negated = not group.negated
    if group.lemma in words.NEGATIVE_VERBS and group.lemma not in ("miss", "stop", "cease", "decline"):
        group.negated = not group.negated
        if at + 1 < len(tokens) and tokens[at].low in ("to", "from"):  # failed to open, prevents from opening
            verb = tokens[at + 1].low
            group.lemma, group.end = lemma_of(verb), at + 2
        elif group.lemma == "lack":
            group.lemma = "have"
    elif (
        at + 1 < len(tokens)
        and tokens[at].low == "to"
        and "base" in form_kinds(tokens[at + 1].low) | _base(tokens[at + 1].low)
    ):
        if group.lemma in ("need", "have"):  # "needs to be cooled" is said of the cooling
            verb = tokens[at + 1].low
            needed = _auxiliary_group(tokens, at + 1) if verb == "be" else VerbGroup(at, at + 2, lemma_of(verb))
            group.lemma, group.end, group.passive = needed.lemma, needed.end, needed.passive
        else:
            group.extra.add(key(tokens[at + 1].low))
    return group


def _base(low: str) -> frozenset[str]:
    return frozenset({"base"} if low == "be" else ())


def _is_finite_past(tokens: Sequence[Token], at: int, previous: Token | None, following: Token | None) -> bool:
    if previous is None or previous.kind in ("(", ":"):
        return (following is not None and following.low in words.PREPOSITIONS | {"by"}) or bool(
            following and following.kind == "date"
        )
    if previous.low in words.ARTICLES or previous.low == "'s" or previous.low in words.PREPOSITIONS - {"than"}:
        return False
    if previous.kind == "word" and following and following.kind == "word" and following.low not in words.FUNCTION:
        # "newly discovered species", "IBM built chips": an adjective unless a noun or name stands before it
        if previous.low.endswith("ly") and (at < 2 or tokens[at - 2].low in words.ARTICLES):
            return False
        if previous.low in ("and", "or") and at > 1 and tokens[at - 2].low in words.ARTICLES | words.PREPOSITIONS:
            return False
    return not (
        previous.kind == "number" and following is not None and following.kind == "word" and is_plural(following.low)
    )


def _reads_as_participle(tokens: Sequence[Token], at: int, previous: Token | None, following: Token | None) -> bool:
    """Whether a bare past form is a participle ("a bridge built by …") and no finite verb ("He built …")."""
    lemma = lemma_of(tokens[at].low)
    if (
        lemma in words.INTRANSITIVE
        or (following and following.low == "to" and lemma in words.CATENATIVE)
        or (previous and (previous.low in words.RELATIVES or previous.low in words.PRONOUNS))
    ):
        return False
    if following is None or following.kind in BREAKS or following.kind == "date":
        return True
    if following.low in _AFTER_PARTICIPLE:
        return tokens[at].low in words.PARTICIPLES or tokens[at].low.endswith("ed")
    return False


def _is_finite_present(previous: Token | None, following: Token | None) -> bool:
    if previous is None or previous.low in words.ARTICLES or previous.low in words.PREPOSITIONS or previous.low == "'s":
        return False
    if (
        previous.kind in ("number", "mark")
        or previous.kind in BREAKS - {",", ")"}
        or (previous.low in ("and", "or") and following is None)
    ):
        return previous.kind == ")"
    if previous.kind == "word" and is_plural(previous.low) and previous.low not in words.PRONOUNS:
        return False
    if following is None or following.kind in (".", ",", ";", ")"):
        return previous.low in words.PRONOUNS
    kinds = form_kinds(following.low)
    noun_follows = (
        following.low in words.AUXILIARIES
        or ("past" in kinds and following.low not in words.ARTICLES)
        or following.low in ("of", "and", "or")
    )
    return not noun_follows


def _is_plural_present(tokens: Sequence[Token], at: int, previous: Token | None, following: Token | None) -> bool:
    if previous is None or following is None or previous.kind == "number":
        return False
    if previous.low in ("they", "we", "you", "i", "which", "who", "that"):
        return following.kind not in BREAKS
    plural = previous.kind == "word" and is_plural(previous.low) and previous.low not in words.FUNCTION
    if not plural and not _plural_of(tokens, at):
        return False
    return following.kind in ("number", "name", "date") or following.low in _BEFORE_OBJECT


def _plural_of(tokens: Sequence[Token], at: int) -> bool:
    """ "The headquarters of the Greyfirn Institute stand in": the noun before "of" is the subject."""
    for index in range(at - 1, max(0, at - 7), -1):
        if tokens[index].low == "of":
            return tokens[index - 1].kind == "word" and is_plural(tokens[index - 1].low)
        if tokens[index].kind in BREAKS or tokens[index].low in words.PREPOSITIONS | words.AUXILIARIES:
            return False
    return False
