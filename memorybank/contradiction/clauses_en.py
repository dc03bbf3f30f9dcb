"""English sentences into predicates: verb groups, what stands before them, what follows them.

The reading is shallow on purpose. Where it cannot tell (who does "which" refer to?) it takes the reading that makes
fewer claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.contradiction import words_en as words
from memorybank.contradiction.keys import key
from memorybank.contradiction.phrases import NOTHING, Phrase, Predicate
from memorybank.contradiction.phrases_en import build_phrase
from memorybank.contradiction.sources import parted, source_en
from memorybank.contradiction.tokens_en import EnToken, tokenise
from memorybank.contradiction.verbs_en import BREAKS, VerbGroup, tag, verb_groups
from memorybank.language.inflection import lemma_of

_CLAUSE_RE = re.compile(rf"[^{BREAKS}CR]*$")
"""What may be the subject before a verb: back to a break, a conjunction or a relative."""
_BEFORE_CLAUSE_RE = re.compile(rf"[{BREAKS}CR]*$")
_NOUN_RE = re.compile(rf"[^{BREAKS}PtCRBHW]*$")
"""The noun phrase that a participle or a relative clause is said of."""
_OPENER_RE = re.compile("[Ca]*")
_LEADING_RE = re.compile(
    rf"a*(?:D[{BREAKS}]*|[Pto](?:[^D]*?D(?!D)[{BREAKS}]*|(?=[AM])[^O]*?(?:(?<=[wpsN])(?=[AO])|(?<=[wps])(?=N))|.*)|d.*)"
)
"""A phrase before the subject: "in 2019", "in the first week" up to the next article or pronoun, "built in 1937"."""
_LABELS = frozenset({":", "|", "–", "—", "="})
_HEDGING_ALL = frozenset({"without"})
"""Deny a part of a sentence, and it is not told which: "crosses without paying a toll"."""
_NO_SUBJECT = frozenset({"no", "nobody", "none", "neither"})


def read(
    sentence: str, known: frozenset[str] = frozenset(), common: frozenset[str] = frozenset()
) -> tuple[Predicate, ...]:
    """The predicates of one sentence, in order; a sentence without a verb gives one predicate without a verb.

    Those of a source that what is told does not lean on are left out.
    """
    tokens = tokenise(sentence, known, common)
    if source := source_en(sentence):
        predicates = parted(source, _read(sentence, [token for token in tokens if token.start >= source.end]))
        if predicates:
            return predicates
    return _read(sentence, tokens)


def _read(sentence: str, tokens: list[EnToken]) -> tuple[Predicate, ...]:
    tags = tag(tokens)
    groups = verb_groups(tokens, tags)
    if not groups:
        return _verbless(sentence, tokens)
    if all(group.participle for group in groups):
        groups[-1].participle = False  # "Work on the canal stopped in 1934": every sentence has a finite verb
    return tuple(_Reader(sentence, tokens, tags, groups).read())


def _verbless(sentence: str, tokens: list[EnToken]) -> tuple[Predicate, ...]:
    """A heading, a table row, "Release date: 1 December 2017": what stands before the colon is the attribute."""
    if not tokens:
        return ()
    colon = next((at for at, token in enumerate(tokens[:8]) if token.kind in _LABELS), 0)
    subject = build_phrase(sentence, tokens[:colon])
    rest = build_phrase(sentence, tokens[colon + 1 if colon else 0 :])
    hedges = words.HEDGES.intersection(token.low for token in tokens)
    span = tokens[0].start, tokens[-1].end
    return (Predicate(verb="", subject=subject, phrases=(rest,), hedges=hedges, start=span[0], end=span[1]),)


class _Reader:
    """Reads the predicates of one sentence; holds what the steps share."""

    def __init__(self, sentence: str, tokens: list[EnToken], tags: str, groups: list[VerbGroup]) -> None:
        self.sentence = sentence
        self.tokens = tokens
        self.tags = tags
        self.groups = groups
        self.hedges = _HEDGING_ALL.intersection(token.low for token in tokens)

    def read(self) -> Iterator[Predicate]:
        previous: Phrase | None = None
        for index, group in enumerate(self.groups):
            subject, begin, leading = self._subject(index)
            is_named = subject is not None and bool(subject.names) and not (group.participle and subject.indefinite)
            if subject is None or (group.participle and not is_named and previous is not None):
                subject = _inherit(subject, previous)
            limit = self._limit(index)
            predicate = self._predicate(group, subject, leading + self._phrases(group.end, limit), begin, limit)
            if predicate is not None:
                yield predicate
            if not group.participle or previous is None:
                previous = subject

    def _predicate(
        self, group: VerbGroup, subject: Phrase, phrases: tuple[Phrase, ...], begin: int, limit: int
    ) -> Predicate | None:
        verb = _class_of(group)
        inside = self.tokens[begin : max(limit, group.end)]
        lows = [token.low for token in inside]
        written = " ".join(lows)
        negated = group.negated != (not _NO_SUBJECT.isdisjoint(lows[: group.start - begin]))
        if negated and any(phrase in written for phrase in words.NOT_NEGATIVE):
            return None
        hedges = self.hedges | group.hedges | words.HEDGES.intersection(lows)
        hedges |= {self.tokens[begin - 1].low if begin else ""} & {"if", "whether", "unless"}
        if verb == "be" and subject.text.lower() == "there":
            verb, subject, phrases = self._existential(group, phrases, limit)
        verb_keys = {verb} if group.lemma == "be" else {verb, key(group.lemma)}
        return Predicate(
            verb=verb, subject=subject, phrases=phrases, passive=group.passive, negated=negated,
            hedges=frozenset(hedges), reduced=group.participle, start=inside[0].start, end=inside[-1].end,
            extra=frozenset(group.extra | (verb_keys if verb not in ("be", "do") else set())),
        )  # fmt: skip

    def _existential(
        self, group: VerbGroup, phrases: tuple[Phrase, ...], limit: int
    ) -> tuple[str, Phrase, tuple[Phrase, ...]]:
        """ "There is no man playing a guitar" is said of the man, "there are 40 books in the library" of that."""
        if match := re.search(r"(?<=[wpNs])g", self.tags[group.end : limit]):
            begin, doing = group.end + (self.tokens[group.end].low == "no"), group.end + match.start()
            lemma = lemma_of(self.tokens[doing].low)
            subject = self._phrase(begin, doing)
            return words.VERB_CLASS.get(lemma, lemma), subject, self._phrases(doing + 1, limit)
        where = next((phrase for phrase in phrases if phrase.role in ("in", "on", "at") and not phrase.dates), None)
        return "have", where or NOTHING, tuple(phrase for phrase in phrases if phrase is not where)

    # -- where clauses begin and end ----------------------------------------------------------------------------------

    def _back(self, pattern: re.Pattern[str], end: int, floor: int = 0) -> int:
        """Where the tags begin that match up to `end`."""
        match = pattern.search(self.tags[floor:end])
        return floor + match.start() if match else end

    def _limit(self, index: int) -> int:
        """Where the phrases of a group end: before what belongs to the next group."""
        if index + 1 == len(self.groups):
            return len(self.tokens)
        following, floor = self.groups[index + 1], self.groups[index].end
        begin = following.start if following.participle else self._back(_CLAUSE_RE, following.start, floor)
        return max(self._back(_BEFORE_CLAUSE_RE, begin, floor), floor)

    def _subject(self, index: int) -> tuple[Phrase | None, int, tuple[Phrase, ...]]:
        """The subject before a group, the first token of the clause, and phrases that lead it ("In 2019, …")."""
        group = self.groups[index]
        if index == 0:
            return self._opening(group)
        floor = self.groups[index - 1].end
        if group.participle:
            return self._noun_before(group.start, floor), group.start, ()
        begin = self._back(_CLAUSE_RE, group.start, floor)
        if begin < group.start:
            rest = self._leading(begin, group.start)
            subject = self._phrase(rest, group.start)
            return subject if subject.text else None, begin, self._phrases(begin, rest)
        relative = begin > 0 and self.tags[begin - 1] == "R"
        return self._noun_before(begin - 1, 0) if relative else None, begin, ()

    def _opening(self, group: VerbGroup) -> tuple[Phrase | None, int, tuple[Phrase, ...]]:
        """The subject of the first group, behind what leads the sentence and before its appositions."""
        leading: tuple[Phrase, ...] = ()
        subject: Phrase | None = None
        for piece in re.finditer(rf"[^{BREAKS}]+", self.tags[: group.start]):
            opener = _OPENER_RE.match(self.tags, piece.start(), piece.end())
            start = self._leading(opener.end() if opener else piece.start(), piece.end())
            leading += self._phrases(piece.start(), start)
            if start == piece.end() or self.tags[start] == "R":
                continue
            phrase = self._phrase(start, piece.end())
            if subject is None or not subject.names:
                subject = phrase
            else:  # "Willow, a 105-qubit chip, was …"
                leading += (replace(phrase, role=","),)
        if subject is None and group.participle and len(self.groups) > 1:  # "Built in 1937, the bridge spans"
            following = self.groups[1].start
            subject = self._phrase(self._back(_CLAUSE_RE, following, group.end), following)
        return subject, 0, leading

    def _leading(self, begin: int, end: int) -> int:
        """Where the subject begins behind the phrases that lead it."""
        match = _LEADING_RE.match(self.tags[begin:end])
        return begin + match.end() if match else begin

    def _noun_before(self, end: int, floor: int) -> Phrase | None:
        end = self._back(_BEFORE_CLAUSE_RE, end, floor)
        begin = self._back(_NOUN_RE, end, floor)
        return self._phrase(begin, end) if begin < end else None

    # -- phrases ------------------------------------------------------------------------------------------------------

    def _phrase(self, begin: int, end: int, role: str = "") -> Phrase:
        return build_phrase(self.sentence, self.tokens[begin:end], role)

    def _phrases(self, begin: int, end: int) -> tuple[Phrase, ...]:
        """A stretch cut at prepositions other than of, and at breaks."""
        phrases: list[Phrase] = []
        role, start = "", begin
        for at in range(begin, end + 1):
            cut = at == end or (self.tags[at] in "Pt" and self.tags[at : at + 2] != "tb") or self._parts(at, end)
            if not cut:
                continue
            if start < at:
                phrases.append(self._phrase(start, at, role))
            if at < end:
                low = self.tokens[at].low
                role, start = low if self.tags[at] in "Pt" or low == "(" else ",", at + 1
        return tuple(phrases)

    def _parts(self, at: int, end: int) -> bool:
        """Whether a break parts two phrases: no comma in a list of names or a place ("Santa Barbara, California")."""
        if self.tags[at : at + 1] not in tuple(BREAKS):
            return False
        listed = self.tags[at - 1 : at] == "N" and re.match(r"N|CN", self.tags[at + 1 : end])
        return self.tokens[at].kind != "," or not listed


def _class_of(group: VerbGroup) -> str:
    if group.lemma == "bear":
        return "born"
    if group.lemma == "hold" and not group.passive:
        return "have"
    return words.VERB_CLASS.get(group.lemma, group.lemma)


def _inherit(subject: Phrase | None, previous: Phrase | None) -> Phrase:
    """A clause without its own subject takes the last one; a participle keeps its noun beside the sentence's names."""
    if subject is None or previous is None:
        return subject or previous or NOTHING
    return replace(subject, names=previous.names, text=previous.text, back=previous.back, indefinite=False)
