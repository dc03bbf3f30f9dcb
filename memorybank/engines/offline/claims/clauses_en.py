"""English sentences into predicates, by surface form: verb groups, what stands before them, what follows them.

The reading is shallow on purpose. Where it cannot tell (who does "which" refer to? is "plans" a verb?) it takes the
reading that makes fewer claims.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from memorybank.engines.offline.claims import words_en as words
from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.phrases import NOTHING, Measure, Name, Phrase, Predicate, Role
from memorybank.engines.offline.claims.tokens_en import (
    CONNECTORS,
    TITLES,
    Token,
    form_kinds,
    is_past,
    is_plural,
    key,
    lemma_of,
    tokenise,
)
from memorybank.engines.offline.claims.values import Quantity

_BREAKS = frozenset({",", ";", ":", "(", ")", "–", "—", "-", "|", ".", "!", "?", "…", "·", "•", "[", "]", "=", "→"})
_DESCRIBES = re.compile(
    r"(?:ing|ed|al|ic|ous|ive|able|ible|ary|ful|less|ate|ant|ent|some|ern|ite)$|^(?:different|known|full|whole|large|small|big|great|main)$"
)
"""Adjectives say what a counted thing is like; a bare noun before it (gold medals) mostly says which ones are counted."""
_HYPHEN = frozenset({"-", "‐"})
_TRIMMED = (words.ADVERBS | words.NEGATORS) - set(words.ATTRIBUTE_OF)
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "isn't", "'s", "'re"})
_HAVE = frozenset({"has", "have", "had", "having"})
_DO = frozenset({"do", "does", "did"})


def read(
    sentence: str, known: frozenset[str] = frozenset(), common: frozenset[str] = frozenset()
) -> tuple[Predicate, ...]:
    """The predicates of one sentence, in order; a sentence without a verb gives one predicate without a verb."""
    tokens = tokenise(sentence, known, common)
    groups = list(_groups(tokens))
    if not groups:
        return _verbless(sentence, tokens)
    return tuple(_Reader(sentence, tokens, groups).read())


# -- verb groups ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
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


def _groups(tokens: Sequence[Token]) -> list[_Group]:
    groups: list[_Group] = []
    index = 0
    while index < len(tokens):
        group = _group_at(tokens, index, groups[-1].end if groups else 0)
        if group:
            groups.append(group)
            index = max(group.end, index + 1)
        else:
            index += 1
    return groups


def _group_at(tokens: Sequence[Token], at: int, floor: int) -> _Group | None:
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
    if previous and previous.kind in _HYPHEN | {"'"}:
        return None
    if "past" in kinds and _is_finite_past(tokens, at, previous, following):
        participle = _reads_as_participle(tokens, at, previous, following, floor)
        passive = participle and lemma_of(token.low) not in words.INTRANSITIVE
        return _finish(tokens, _Group(at, at + 1, lemma_of(token.low), passive=passive, participle=participle))
    if "s" in kinds and _is_finite_present(previous, following):
        return _finish(tokens, _Group(at, at + 1, lemma_of(token.low)))
    if "base" in kinds and _is_plural_present(tokens, at, previous, following):
        return _finish(tokens, _Group(at, at + 1, lemma_of(token.low)))
    if (
        "ing" in kinds
        and previous
        and previous.kind == ","
        and following
        and following.kind in ("word", "name", "number")
    ):
        return _finish(tokens, _Group(at, at + 1, lemma_of(token.low)))
    return None


def _auxiliary_group(tokens: Sequence[Token], at: int) -> _Group:
    group = _Group(at, at, "be")
    index, last = at, ""
    while index < len(tokens) and tokens[index].kind in ("word", "mark"):
        low = tokens[index].low
        if low in words.NEGATORS:
            group.negated = not group.negated
        elif low in words.AUXILIARIES or low == "ought":
            last = low
        elif (
            (low in words.HEDGES
            and low not in ("used", "claims", "plans", "estimated"))
            or low.endswith("ly")
            or low in words.ADVERBS
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
    elif (
        (last in _HAVE
        and "past" in kinds)
        or ((last in _DO or last not in _BE | _HAVE)
        and ("base" in kinds or low == "have"))
    ):
        group.lemma, group.end = lemma_of(low), index + 1
    else:
        group.end = index
        group.lemma = "have" if last in _HAVE else "do" if last in _DO else "be"
    return _finish(tokens, group)


def _finish(tokens: Sequence[Token], group: _Group) -> _Group:
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
            inner = tokens[at + 1].low
            group.lemma, group.end = lemma_of(inner), at + 2
        elif group.lemma == "lack":
            group.lemma = "have"
    elif (
        at + 1 < len(tokens)
        and tokens[at].low == "to"
        and "base" in form_kinds(tokens[at + 1].low) | _base(tokens[at + 1].low)
    ):
        if group.lemma in ("need", "have"):  # "needs to be cooled" is said of the cooling
            inner = (
                _auxiliary_group(tokens, at + 1)
                if tokens[at + 1].low == "be"
                else _Group(at, at + 2, lemma_of(tokens[at + 1].low))
            )
            group.lemma, group.end, group.passive = inner.lemma, inner.end, inner.passive
        else:
            group.extra.add(key(tokens[at + 1].low))
    return group


def _base(low: str) -> frozenset[str]:
    return frozenset({"base"} if low == "be" else ())


def _is_finite_past(tokens: Sequence[Token], at: int, previous: Token | None, following: Token | None) -> bool:
    if previous is None or previous.kind in ("(", ":"):
        return (
            (following is not None
            and following.low in words.PREPOSITIONS | {"by"})
            or bool(following and following.kind == "date")
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


def _reads_as_participle(
    tokens: Sequence[Token], at: int, previous: Token | None, following: Token | None, floor: int
) -> bool:
    """Whether a bare past form is a participle ("a bridge built by …") and no finite verb ("He built …")."""
    lemma = lemma_of(tokens[at].low)
    if (
        lemma in words.INTRANSITIVE
        or (following and following.low == "to" and lemma in words.CATENATIVE)
        or (previous and (previous.low in words.RELATIVES or previous.low in words.PRONOUNS))
    ):
        return False
    if following is None or following.kind in _BREAKS or following.kind == "date":
        return True
    if following.low in (
        "by",
        "in",
        "at",
        "on",
        "near",
        "from",
        "with",
        "for",
        "of",
        "as",
        "to",
        "until",
        "through",
        "under",
        "after",
    ):
        return tokens[at].low in _ALSO_PARTICIPLE or tokens[at].low.endswith("ed")
    return False


_ALSO_PARTICIPLE = frozenset(
    "built found held made set cut laid led left lost met paid put read sent sold shot spent told won written known taken given "
    "grown drawn driven shown seen hidden chosen broken spoken stolen worn torn flown begun born bound bought brought caught kept".split()
)


def _is_finite_present(previous: Token | None, following: Token | None) -> bool:
    if previous is None or previous.low in words.ARTICLES or previous.low in words.PREPOSITIONS or previous.low == "'s":
        return False
    if (
        previous.kind in ("number", "mark")
        or previous.kind in _BREAKS - {",", ")"}
        or (previous.low in ("and", "or")
        and following is None)
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
        return following.kind not in _BREAKS
    plural = previous.kind == "word" and is_plural(previous.low) and previous.low not in words.FUNCTION
    if not plural and not _plural_of(tokens, at):
        return False
    starts_object = following.low in words.ARTICLES | words.PREPOSITIONS | words.ADVERBS or following.kind in (
        "number",
        "name",
        "date",
    )
    return starts_object


def _plural_of(tokens: Sequence[Token], at: int) -> bool:
    """ "The headquarters of the Greyfirn Institute stand in": the noun before "of" is the subject."""
    for index in range(at - 1, max(0, at - 7), -1):
        if tokens[index].low == "of":
            return tokens[index - 1].kind == "word" and is_plural(tokens[index - 1].low)
        if tokens[index].kind in _BREAKS or tokens[index].low in words.PREPOSITIONS | words.AUXILIARIES:
            return False
    return False


# -- predicates -----------------------------------------------------------------------------------------------------


class _Reader:
    """Reads the predicates of one sentence; holds what the steps share."""

    def __init__(self, sentence: str, tokens: list[Token], groups: list[_Group]) -> None:
        self.sentence = sentence
        self.tokens = tokens
        self.groups = groups
        self.denied = False

    def read(self) -> list[Predicate]:
        found: list[Predicate] = []
        previous: Phrase | None = None
        for index, group in enumerate(self.groups):
            floor = self.groups[index - 1].end if index else 0
            subject, begin, leading = self._subject(group, floor, first=index == 0)
            if subject is None and group.participle and index == 0:
                subject = self._late_subject(index)
            if subject is None or (group.participle and not subject.names and previous is not None):
                subject = _inherit(subject, previous)
            limit = self._limit(index)
            phrases = leading + self._phrases(group.end, limit)
            found += self._predicates(group, subject, phrases, begin, limit)
            if not group.participle or previous is None:
                previous = subject
        return found

    def _predicates(
        self, group: _Group, subject: Phrase, phrases: tuple[Phrase, ...], begin: int, limit: int
    ) -> list[Predicate]:
        verb = words.VERB_CLASS.get(group.lemma, group.lemma)
        if group.lemma == "bear":
            verb = "born"
        inside = self.tokens[begin:limit]
        lows = " ".join(token.low for token in inside)
        negated = group.negated
        if (
            group.start and self.tokens[group.start - 1].low == "to" and self.denied
        ):  # "was not designed to be serviced"
            negated = not negated
        self.denied = negated
        if negated and any(phrase in lows for phrase in words.NOT_NEGATIVE):
            return []
        if not negated and any(
            token.low in ("no", "nobody", "none", "neither", "without") for token in self.tokens[begin : group.start]
        ):
            negated = not any(token.low == "without" for token in self.tokens[begin : group.start])
        hedges = frozenset(group.hedges | ({token.low for token in inside} & words.HEDGES) | self._conditions(begin))
        start = inside[0].start if inside else 0
        end = inside[-1].end if inside else 0
        reduced = group.participle
        if verb == "be" and subject.text.lower() == "there":  # "there are 40 books in the library"
            verb = "have"
            subject = next(
                (phrase for phrase in phrases if phrase.role in ("in", "on", "at") and not phrase.dates), subject
            )
            phrases = tuple(phrase for phrase in phrases if phrase is not subject)
        extra = frozenset(group.extra | ({verb, key(group.lemma)} if verb not in ("be", "do") else set()))
        lacking = tuple(phrase for phrase in phrases if phrase.role == "without")
        phrases = tuple(phrase for phrase in phrases if phrase.role != "without")
        predicate = Predicate(verb=verb, subject=subject, phrases=phrases, passive=group.passive, negated=negated, hedges=hedges,
                              reduced=reduced, start=start, end=end, extra=extra)  # fmt: skip
        if not lacking:
            return [predicate]
        # "crosses without paying a toll" denies the paying; "does not work without helium" affirms the need.
        paired = [
            replace(
                predicate,
                verb=_lacked(phrase),
                phrases=(replace(phrase, role=""),),
                negated=not negated,
                extra=frozenset(),
            )
            for phrase in lacking
        ]
        return paired if negated else [predicate, *paired]

    def _conditions(self, begin: int) -> set[str]:
        """The word that makes the clause a condition, if one stands before it."""
        return {self.tokens[begin - 1].low} & {"if", "whether", "unless"} if begin > 0 else set()

    def _limit(self, index: int) -> int:
        """Where the phrases of a group end: before what belongs to the next group."""
        if index + 1 >= len(self.groups):
            return len(self.tokens)
        following = self.groups[index + 1]
        begin = self._boundary(following, self.groups[index].end)
        while begin > self.groups[index].end and self.tokens[begin - 1].low in words.CONJUNCTIONS | words.RELATIVES | {
            ",",
            ";",
        }:
            begin -= 1
        return begin

    def _boundary(self, group: _Group, floor: int) -> int:
        """First token of what stands directly before a later group and may be its subject."""
        if group.participle:
            return group.start
        at = group.start
        while at > floor:
            token = self.tokens[at - 1]
            if token.kind in _BREAKS or token.low in words.CONJUNCTIONS or token.low in words.RELATIVES:
                break
            at -= 1
        return at

    def _subject(self, group: _Group, floor: int, *, first: bool) -> tuple[Phrase | None, int, tuple[Phrase, ...]]:
        """The subject before a group, the first token of the clause, and phrases that lead it ("In 2019, …")."""
        if first:
            return self._first_subject(group)
        begin = self._boundary(group, floor)
        before = self.tokens[begin - 1] if begin > 0 else None
        if group.participle:
            return self._noun_before(group.start, floor), group.start, ()
        if begin < group.start:
            leading, rest = self._split_leading(begin, group.start)
            subject = self._phrase(rest, group.start) if rest < group.start else None
            if before is not None and before.low in words.RELATIVES and subject is not None and before.low != "that":
                return subject, begin, leading
            return subject, begin, leading
        if before is not None and before.low in words.RELATIVES:
            return self._noun_before(begin - 1, 0), begin, ()
        return None, begin, ()

    def _first_subject(self, group: _Group) -> tuple[Phrase | None, int, tuple[Phrase, ...]]:
        leading: list[Phrase] = []
        subject: Phrase | None = None
        for start, end in self._pieces(0, group.start):
            while start < end and self.tokens[start].low in words.SUBORDINATORS | words.CONJUNCTIONS | words.ADVERBS:
                start += 1
            head = self.tokens[start] if start < end else None
            if head is None or head.low in words.RELATIVES:
                continue
            if head.low in words.PREPOSITIONS or head.kind == "date" or (is_past(head.low) and head.kind == "word"):
                adjuncts, start = self._split_leading(start, end)
                leading += adjuncts
                if start >= end:
                    continue
            phrase = self._phrase(start, end)
            apposition = self.tokens[start].low in ("a", "an", "the", "one") and subject is not None and subject.names
            if subject is None or not (apposition or end < group.start):
                subject = phrase
            elif subject.names or not phrase.names or phrase.keys:  # "Willow, a 105-qubit chip, was …"
                leading.append(replace(phrase, role=","))
            else:  # "the commander of that flight, STS-93, was …"
                subject = replace(subject, names=phrase.names, back=False)
        return subject, 0, tuple(leading)

    def _pieces(self, begin: int, end: int) -> list[tuple[int, int]]:
        pieces: list[tuple[int, int]] = []
        start = begin
        for at in range(begin, end):
            if self.tokens[at].kind in (",", ";", ":", "(", ")", "–", "—", "“", "”", '"', "*", "#", "|", "•"):
                pieces.append((start, at))
                start = at + 1
        pieces.append((start, end))
        return [piece for piece in pieces if piece[0] < piece[1]]

    def _split_leading(self, begin: int, end: int) -> tuple[tuple[Phrase, ...], int]:
        """Phrases before the subject: "in 2019 it" is a phrase and the subject "it"."""
        at = begin
        while at < end and (self.tokens[at].low in words.ADVERBS or self.tokens[at].kind == "date"):
            at += 1
        if at < end and self.tokens[at].low in words.PREPOSITIONS:
            stop = next((i + 1 for i in range(at, end) if self.tokens[i].kind == "date"), end)
            while stop < end and self.tokens[stop].kind == ",":
                stop += 1
            return self._phrases(begin, stop), stop
        if at < end and is_past(self.tokens[at].low):
            return self._phrases(begin, end), end
        return (self._phrases(begin, at) if at > begin else (), at)

    def _late_subject(self, index: int) -> Phrase | None:
        """The subject of a leading participle ("Built in 1937, the bridge spans"): that of the next group."""
        if index + 1 >= len(self.groups):
            return None
        following = self.groups[index + 1]
        begin = self._boundary(following, self.groups[index].end)
        return self._phrase(begin, following.start) if begin < following.start else None

    def _noun_before(self, end: int, floor: int) -> Phrase | None:
        """The noun phrase that ends before `end`: back to a break, a verb or a preposition other than of."""
        while end > floor and self.tokens[end - 1].kind in _BREAKS | {"'"}:
            end -= 1
        at = end
        while at > floor:
            token = self.tokens[at - 1]
            if (
                token.kind in _BREAKS
                or (token.low in words.PREPOSITIONS and token.low != "of")
                or token.low in words.AUXILIARIES | words.CONJUNCTIONS
            ):
                break
            at -= 1
        return self._phrase(at, end) if at < end else None

    # -- phrases ----------------------------------------------------------------------------------------------------

    def _phrases(self, begin: int, end: int) -> tuple[Phrase, ...]:
        found: list[Phrase] = []
        role, start = "", begin
        at = begin
        while at < end:
            token = self.tokens[at]
            if token.low in words.PREPOSITIONS and token.low != "of" and not self._infinitive(at):
                if start < at:
                    found.append(self._phrase(start, at, role))
                role, start = token.low, at + 1
            elif token.kind in _BREAKS and token.kind not in _HYPHEN and not self._continues(at, end):
                if start < at:
                    found.append(self._phrase(start, at, role))
                role, start = "(" if token.kind == "(" else ",", at + 1
            at += 1
        if start < end:
            found.append(self._phrase(start, end, role))
        return tuple(found)

    def _infinitive(self, at: int) -> bool:
        """ "To see": no preposition."""
        return (
            self.tokens[at].low == "to" and at + 1 < len(self.tokens) and "base" in form_kinds(self.tokens[at + 1].low)
        )

    def _continues(self, at: int, end: int) -> bool:
        """Whether a comma stands inside a list or a place ("Santa Barbara, California")."""
        if self.tokens[at].kind != "," or at + 1 >= end or at == 0:
            return False
        before, after = self.tokens[at - 1], self.tokens[at + 1]
        if before.kind == "name" and (
            after.kind == "name" or (after.low == "and" and at + 2 < end and self.tokens[at + 2].kind == "name")
        ):
            return True
        return False

    def _phrase(self, begin: int, end: int, role: str = "") -> Phrase:
        return build_phrase(self.sentence, self.tokens[begin:end], role)


def _lacked(phrase: Phrase) -> str:
    """The verb of "without paying", or having for "without a toll"."""
    first = phrase.text.split()[0].lower()
    if "ing" in form_kinds(first):
        lemma = lemma_of(first)
        return words.VERB_CLASS.get(lemma, lemma)
    return "have"


def _inherit(subject: Phrase | None, previous: Phrase | None) -> Phrase:
    """A clause without its own subject takes the last one; a participle keeps its noun beside the sentence's names."""
    if previous is None:
        return subject or NOTHING
    if subject is None:
        return previous
    return replace(subject, names=subject.names or previous.names, back=subject.back or previous.back)


def _verbless(sentence: str, tokens: Sequence[Token]) -> tuple[Predicate, ...]:
    """A heading, a table row, "Release date: 1 December 2017": what stands before the colon is the attribute."""
    if not tokens:
        return ()
    colon = next((at for at, token in enumerate(tokens) if token.kind in (":", "|", "–", "—", "=") and 0 < at < 8), 0)
    subject = build_phrase(sentence, tokens[:colon]) if colon else NOTHING
    rest = build_phrase(sentence, tokens[colon + 1 if colon else 0 :])
    hedges = frozenset(token.low for token in tokens) & words.HEDGES
    return (
        Predicate(verb="", subject=subject, phrases=(rest,), hedges=hedges, start=tokens[0].start, end=tokens[-1].end),
    )


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
        if (token.low in words.PREPOSITIONS and head) or token.kind in _BREAKS:
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
            if token.low not in CONNECTORS | TITLES and token.kind in ("name", "mark")
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
    return token.low in CONNECTORS - {"of", "the", "for", "&"} and following is not None and following.kind == "name"


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
        if token.kind in _HYPHEN:
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
        if tokens[at + 1].kind in _HYPHEN:
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
