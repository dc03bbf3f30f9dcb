"""English sentences into predicates, by surface form: verb groups, what stands before them, what follows them.

The reading is shallow on purpose. Where it cannot tell (who does "which" refer to? is "plans" a verb?) it takes the
reading that makes fewer claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memorybank.engines.offline.claims import words_en as words
from memorybank.engines.offline.claims.inflection_en import form_kinds, is_past, key, lemma_of
from memorybank.engines.offline.claims.phrases import NOTHING, Phrase, Predicate
from memorybank.engines.offline.claims.phrases_en import build_phrase
from memorybank.engines.offline.claims.sources import parted, source_en
from memorybank.engines.offline.claims.stretches_en import Stretches
from memorybank.engines.offline.claims.tokens_en import Token, tokenise
from memorybank.engines.offline.claims.verbs_en import BREAKS, VerbGroup, verb_groups


def read(
    sentence: str, known: frozenset[str] = frozenset(), common: frozenset[str] = frozenset()
) -> tuple[Predicate, ...]:
    """The predicates of one sentence, in order; a sentence without a verb gives one predicate without a verb.

    Those of a source that what is told does not lean on are left out.
    """
    tokens = tokenise(sentence, known, common)
    if source := source_en(sentence):
        told = parted(source, _read(sentence, [token for token in tokens if token.start >= source.end]))
        if told:
            return told
    return _read(sentence, tokens)


def _read(sentence: str, tokens: list[Token]) -> tuple[Predicate, ...]:
    tokens = _uncleft(tokens)
    groups = verb_groups(tokens)
    if groups and all(group.participle for group in groups):
        groups[-1].participle = False  # "Work on the canal stopped in 1934": every sentence has a finite verb
    if not groups:
        return _verbless(sentence, tokens)
    return tuple(_Reader(sentence, tokens, groups).read())


def _uncleft(tokens: list[Token]) -> list[Token]:
    """ "It was in 1889 that it opened" as "it opened in 1889", "It was Gray who built it" as "Gray built it"."""
    if len(tokens) < 6 or tokens[0].low != "it" or tokens[1].low not in ("is", "was"):
        return tokens
    at = next((at for at, token in enumerate(tokens[2:9], start=2) if token.low in ("that", "who", "which")), 0)
    focus, rest = tokens[2:at], tokens[at + 1 :]
    if not focus or not rest:
        return tokens
    if focus[0].low in words.PREPOSITIONS:
        end = len(rest) - (rest[-1].kind == ".")
        return [*rest[:end], *focus, *rest[end:]]
    return [*focus, *rest] if any(token.kind == "name" for token in focus) else tokens


class _Reader:
    """Reads the predicates of one sentence; holds what the steps share."""

    def __init__(self, sentence: str, tokens: list[Token], groups: list[VerbGroup]) -> None:
        self.sentence = sentence
        self.tokens = tokens
        self.groups = groups
        self.stretches = Stretches(sentence, tokens)
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
            phrases = leading + self.stretches.phrases(group.end, limit)
            found += self._predicates(group, subject, phrases, begin, limit)
            if not group.participle or previous is None:
                previous = subject
        return found

    def _predicates(
        self, group: VerbGroup, subject: Phrase, phrases: tuple[Phrase, ...], begin: int, limit: int
    ) -> list[Predicate]:
        verb = words.VERB_CLASS.get(group.lemma, group.lemma)
        if group.lemma == "bear":
            verb = "born"
        elif group.lemma == "hold" and not group.passive:
            verb = "have"
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
        start = min((token.start for token in inside), default=0)
        end = max((token.end for token in inside), default=0)
        reduced = group.participle
        if verb == "be" and subject.text.lower() == "there":
            verb, subject, phrases = self._existential(group, phrases, limit)
        said = {verb} if group.lemma == "be" else {verb, key(group.lemma)}
        extra = frozenset(group.extra | (said if verb not in ("be", "do") else set()))
        lacking = tuple(phrase for phrase in phrases if phrase.role == "without")
        phrases = tuple(phrase for phrase in phrases if phrase.role != "without")
        predicate = Predicate(
            verb=verb, subject=subject, phrases=phrases, passive=group.passive, negated=negated, hedges=hedges,
            reduced=reduced, start=start, end=end, extra=extra,
        )  # fmt: skip
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

    def _existential(
        self, group: VerbGroup, phrases: tuple[Phrase, ...], limit: int
    ) -> tuple[str, Phrase, tuple[Phrase, ...]]:
        """ "There is no man playing a guitar" is said of the man, "there are 40 books in the library" of that."""
        for at in range(group.end + 1, limit):
            token = self.tokens[at]
            if token.kind == "word" and "ing" in form_kinds(token.low) and self.tokens[at - 1].kind in ("word", "name"):
                begin = group.end + 1 if self.tokens[group.end].low == "no" else group.end
                lemma = lemma_of(token.low)
                verb = words.VERB_CLASS.get(lemma, lemma)
                return verb, self.stretches.phrase(begin, at), self.stretches.phrases(at + 1, limit)
        where = next((phrase for phrase in phrases if phrase.role in ("in", "on", "at") and not phrase.dates), None)
        return "have", where or NOTHING, tuple(phrase for phrase in phrases if phrase is not where)

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

    def _boundary(self, group: VerbGroup, floor: int) -> int:
        """First token of what stands directly before a later group and may be its subject."""
        if group.participle:
            return group.start
        at = group.start
        while at > floor:
            token = self.tokens[at - 1]
            if token.kind in BREAKS or token.low in words.CONJUNCTIONS or token.low in words.RELATIVES:
                break
            at -= 1
        return at

    def _subject(self, group: VerbGroup, floor: int, *, first: bool) -> tuple[Phrase | None, int, tuple[Phrase, ...]]:
        """The subject before a group, the first token of the clause, and phrases that lead it ("In 2019, …")."""
        if first:
            return self._first_subject(group)
        begin = self._boundary(group, floor)
        before = self.tokens[begin - 1] if begin > 0 else None
        if group.participle:
            return self.stretches.noun_before(group.start, floor), group.start, ()
        if begin < group.start:
            leading, rest = self.stretches.leading(begin, group.start)
            subject = self.stretches.phrase(rest, group.start) if rest < group.start else None
            if before is not None and before.low in words.RELATIVES and subject is not None and before.low != "that":
                return subject, begin, leading
            return subject, begin, leading
        if before is not None and before.low in words.RELATIVES:
            return self.stretches.noun_before(begin - 1, 0), begin, ()
        return None, begin, ()

    def _first_subject(self, group: VerbGroup) -> tuple[Phrase | None, int, tuple[Phrase, ...]]:
        leading: list[Phrase] = []
        subject: Phrase | None = None
        for start, end in self.stretches.pieces(0, group.start):
            while start < end and self.tokens[start].low in words.SUBORDINATORS | words.CONJUNCTIONS | words.ADVERBS:
                start += 1
            head = self.tokens[start] if start < end else None
            if head is None or head.low in words.RELATIVES:
                continue
            if head.low in words.PREPOSITIONS or head.kind == "date" or (is_past(head.low) and head.kind == "word"):
                adjuncts, start = self.stretches.leading(start, end)
                leading += adjuncts
                if start >= end:
                    continue
            phrase = self.stretches.phrase(start, end)
            apposition = self.tokens[start].low in ("a", "an", "the", "one") and subject is not None and subject.names
            if subject is None or not (apposition or end < group.start):
                subject = phrase
            elif subject.names or not phrase.names or phrase.keys:  # "Willow, a 105-qubit chip, was …"
                leading.append(replace(phrase, role=","))
            else:  # "the commander of that flight, STS-93, was …"
                subject = replace(subject, names=phrase.names, back=False)
        return subject, 0, tuple(leading)

    def _late_subject(self, index: int) -> Phrase | None:
        """The subject of a leading participle ("Built in 1937, the bridge spans"): that of the next group."""
        if index + 1 >= len(self.groups):
            return None
        following = self.groups[index + 1]
        begin = self._boundary(following, self.groups[index].end)
        return self.stretches.phrase(begin, following.start) if begin < following.start else None


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
    if subject.names:
        return replace(subject, back=subject.back or previous.back)
    return replace(subject, names=previous.names, text=previous.text, back=previous.back, indefinite=False)


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
