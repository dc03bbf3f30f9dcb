"""Stretches of an English clause as phrases: cut at prepositions and commas, before the subject and after the verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorybank.engines.offline.claims import words_en as words
from memorybank.engines.offline.claims.inflection_en import form_kinds, is_past
from memorybank.engines.offline.claims.phrases import Phrase
from memorybank.engines.offline.claims.phrases_en import build_phrase
from memorybank.engines.offline.claims.tokens_en import Token
from memorybank.engines.offline.claims.verbs_en import BREAKS, HYPHENS


@dataclass(frozen=True, slots=True)
class Stretches:
    """The tokens of one sentence; `begin` and `end` are positions in them."""

    sentence: str
    tokens: Sequence[Token]

    def pieces(self, begin: int, end: int) -> list[tuple[int, int]]:
        pieces: list[tuple[int, int]] = []
        start = begin
        for at in range(begin, end):
            if self.tokens[at].kind in (",", ";", ":", "(", ")", "–", "—", "“", "”", '"', "*", "#", "|", "•"):
                pieces.append((start, at))
                start = at + 1
        pieces.append((start, end))
        return [piece for piece in pieces if piece[0] < piece[1]]

    def leading(self, begin: int, end: int) -> tuple[tuple[Phrase, ...], int]:
        """Phrases before the subject: "in 2019 it" is a phrase and the subject "it"."""
        at = begin
        while at < end and (self.tokens[at].low in words.ADVERBS or self.tokens[at].kind == "date"):
            at += 1
        if at < end and self.tokens[at].low in words.PREPOSITIONS:
            stop = next((i + 1 for i in range(at, end) if self.tokens[i].kind == "date"), self._second_noun(at, end))
            while stop < end and self.tokens[stop].kind == ",":
                stop += 1
            return self.phrases(begin, stop), stop
        if at < end and is_past(self.tokens[at].low):
            return self.phrases(begin, end), end
        return (self.phrases(begin, at) if at > begin else (), at)

    def _second_noun(self, at: int, end: int) -> int:
        """Where the subject begins after "in the first week": at the next article or pronoun that opens a noun."""
        opening = self.tokens[at + 1] if at + 1 < end else None
        if opening is None or not (opening.low in words.ARTICLES or opening.low in words.MONTHS_AND_DAYS):
            return end  # "to see the archive one has to travel"
        for index in range(at + 2, end):
            opens = self.tokens[index].low in words.ARTICLES or self.tokens[index].low in words.PRONOUNS
            before = self.tokens[index - 1]
            if (
                opens
                and before.kind in ("word", "name", "mark")
                and before.low not in words.PREPOSITIONS | words.CONJUNCTIONS | words.ARTICLES
            ):
                return index
        return end

    def noun_before(self, end: int, floor: int) -> Phrase | None:
        """The noun phrase that ends before `end`: back to a break, a verb or a preposition other than of."""
        while end > floor and self.tokens[end - 1].kind in BREAKS | {"'"}:
            end -= 1
        at = end
        while at > floor:
            token = self.tokens[at - 1]
            if (
                token.kind in BREAKS
                or (token.low in words.PREPOSITIONS and token.low != "of")
                or token.low in words.AUXILIARIES | words.CONJUNCTIONS
            ):
                break
            at -= 1
        return self.phrase(at, end) if at < end else None

    def phrases(self, begin: int, end: int) -> tuple[Phrase, ...]:
        found: list[Phrase] = []
        role, start = "", begin
        at = begin
        while at < end:
            token = self.tokens[at]
            if token.low in words.PREPOSITIONS and token.low != "of" and not self._infinitive(at):
                if start < at:
                    found.append(self.phrase(start, at, role))
                role, start = token.low, at + 1
            elif token.kind in BREAKS and token.kind not in HYPHENS and not self._continues(at, end):
                if start < at:
                    found.append(self.phrase(start, at, role))
                role, start = "(" if token.kind == "(" else ",", at + 1
            at += 1
        if start < end:
            found.append(self.phrase(start, end, role))
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
        listed = after.low == "and" and at + 2 < end and self.tokens[at + 2].kind == "name"
        return before.kind == "name" and (after.kind == "name" or listed)

    def phrase(self, begin: int, end: int, role: str = "") -> Phrase:
        return build_phrase(self.sentence, self.tokens[begin:end], role)
