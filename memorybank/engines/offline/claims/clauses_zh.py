"""Chinese sentences into predicates: verbs and prepositions of a list, the runs between them, clauses at commas.

A clause without its own subject takes that of the clause before it, as Chinese prose does.
"""

from __future__ import annotations

from dataclasses import replace

from memorybank.engines.offline.claims import lookahead_zh as look
from memorybank.engines.offline.claims import words_zh as words
from memorybank.engines.offline.claims.cuts_zh import after_speaker, clauses, is_hedge
from memorybank.engines.offline.claims.kinds_zh import Token
from memorybank.engines.offline.claims.phrases import NOTHING, Phrase, Predicate
from memorybank.engines.offline.claims.phrases_zh import build_phrase
from memorybank.engines.offline.claims.sources import parted, source_zh
from memorybank.engines.offline.claims.tokens_zh import tokenise


def read(sentence: str) -> tuple[Predicate, ...]:
    """The predicates of one sentence, in order; without those of a source that what is told does not lean on."""
    tokens = tokenise(sentence)
    if source := source_zh(sentence):
        told = parted(source, _read(sentence, _after(tokens, source.end)))
        if told:
            return told
    return _read(sentence, tokens)


def _after(tokens: list[Token], at: int) -> list[Token]:
    """The tokens from `at` on; a run of characters that goes past it is cut."""
    return [
        replace(token, text=token.text[at - token.start :], start=at) if token.start < at else token
        for token in tokens
        if token.start >= at or (token.kind == "han" and token.end > at)
    ]


def _read(sentence: str, tokens: list[Token]) -> tuple[Predicate, ...]:
    found: list[Predicate] = []
    previous = NOTHING
    for clause, aside in clauses(tokens):
        clause = after_speaker(clause)
        predicates = _Clause(sentence, clause, previous).read()
        if aside:  # 拉各斯（Lagos）: the same name again says nothing
            predicates = [one for one in predicates if one.verb or one.subject.measures or one.phrases]
        found += predicates
        if predicates and not aside and predicates[-1].subject is not NOTHING:
            previous = predicates[-1].subject
            if found and found[0].subject is NOTHING and not found[0].verb:  # 凭借469个量子比特，渡鸦……
                found[0] = replace(found[0], subject=previous)
    return tuple(found)


class _Clause:
    """Reads one clause left to right: noun phrases gather until a verb takes them."""

    def __init__(self, sentence: str, tokens: list[Token], inherited: Phrase) -> None:
        self.sentence = sentence
        self.tokens = tokens
        self.inherited = inherited
        self.subject: Phrase = NOTHING
        self.before: list[Phrase] = []
        self.found: list[Predicate] = []
        self.hedges = frozenset(
            token.text for at, token in enumerate(tokens) if token.kind == "hedge" and is_hedge(tokens, at)
        )

    def read(self) -> list[Predicate]:
        at, begin, role, negated = 0, 0, "", False
        if (
            self.tokens[-1].text == "的"
            and (copula := next((t for t in self.tokens if t.text == "是"), None)) is not None
        ):
            self.tokens = [token for token in self.tokens[:-1] if token is not copula]  # 是1966年成立的
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind == "prep" and look.is_preposition(self.tokens, at):
                self._take(begin, at, role)
                role, begin = words.PREPOSITIONS[token.text], at + 1
            elif token.text in words.MODALS and token.kind == "adverb" and look.acts(self.tokens, at):
                self._take(begin, at, role)
                at = self._predicate("", at + 1, negated, "")
                begin, role, negated = at, "", False
                continue
            elif token.kind == "neg":
                self._take(begin, at, role)
                role, begin, negated = "", at + 1, not negated
                if not look.verb_follows(self.tokens, at):
                    at = self._predicate(words.NEGATED_VERBS.get(token.text, ""), at + 1, negated, "")
                    begin, negated = at, False
                    continue
            elif token.kind == "verb" and not (role and at == begin) and not look.is_nominal(self.tokens, at):
                first = self.subject is NOTHING and begin == at and not role
                if first and (cleft := look.cleft_span(self.tokens, at)):
                    return self._cleft(words.VERB_CLASS[token.text], at, cleft, negated)
                span = look.relative_span(self.tokens, at) if first else None
                self._take(begin, at, role)
                role = ""
                if span:
                    at = self._leading_relative(words.VERB_CLASS[token.text], at, span, negated)
                else:
                    at = self._predicate(words.VERB_CLASS[token.text], at + 1, negated, self._role_after(at))
                begin, negated = at, False
                continue
            elif token.kind == "attr" and look.number_next(self.tokens, at) and not role:
                self._take(begin, at, role)
                at = self._predicate("be", at, negated, "")
                begin, role, negated = at, "", False
                continue
            at += 1
        self._take(begin, at, role)
        if not self.found and (self.before or self.subject is not NOTHING):
            self._add("", (), negated)
        return self.found

    def _take(self, begin: int, end: int, role: str) -> None:
        """A finished phrase: the subject if it is plain and none is there yet, else something said of it."""
        tokens = self._plain(begin, end)
        if not role:
            moments = [token for token in tokens if token.kind == "date"]
            tokens = [token for token in tokens if token.kind != "date"]
            self.before += [build_phrase(self.sentence, [token], "in") for token in moments]
        phrase = build_phrase(self.sentence, tokens, role)
        if phrase is NOTHING:
            return
        if role or not (phrase.names or phrase.keys or phrase.back):
            self.before.append(replace(phrase, role=role or "in"))
        elif self.subject is NOTHING:
            self.subject = phrase
        else:
            self.before.append(phrase)

    def _predicate(self, verb: str, begin: int, negated: bool, role: str) -> int:
        """The predicate of a verb whose object begins at `begin`; returns where reading goes on."""
        if (
            begin < len(self.tokens)
            and self.tokens[begin].text == "的"
            and begin > 0
            and self.tokens[begin - 1].kind == "verb"
        ):
            return self._relative(verb, begin + 1, negated)
        phrases: list[Phrase] = []
        while begin < len(self.tokens) and self.tokens[begin].kind == "adverb":
            begin += 1
        index = begin
        while index < len(self.tokens):
            token = self.tokens[index]
            if token.kind == "verb" and not look.is_nominal(self.tokens, index):
                span = look.relative_span(self.tokens, index)
                if (
                    verb == "be" and index > begin and look.ends_relative(self.tokens, index)
                ):  # 青鸾是瓦利实验室研制的处理器
                    agent = build_phrase(self.sentence, self._plain(begin, index), "by")
                    self._emit(words.VERB_CLASS[token.text], self._subject(), (agent,), False, True, reduced=True)
                    begin = index = index + 2
                    role = ""
                    continue
                if span and index == begin:  # 发布了拥有1121个量子比特的处理器
                    noun = build_phrase(self.sentence, self._plain(span[0] + 1, span[1]))
                    inner = build_phrase(self.sentence, self._plain(index + 1, span[0]), self._role_after(index))
                    self._emit(words.VERB_CLASS[token.text], noun, (inner,), False, False)
                    begin, index = span[0] + 1, span[1]
                    continue
                if index > begin and not self._modifies(index):
                    break
                if index == begin and verb in ("be", "have") and not role:
                    break
            if token.kind == "neg":
                break
            if token.kind == "prep" and look.is_preposition(self.tokens, index):
                phrases.append(build_phrase(self.sentence, self._plain(begin, index), role))
                role, begin = words.PREPOSITIONS[token.text], index + 1
            index += 1
        phrases.append(build_phrase(self.sentence, self._plain(begin, index), role))
        self._add(verb, tuple(phrase for phrase in phrases if phrase is not NOTHING), negated)
        return index

    def _subject(self) -> Phrase:
        return self.subject if self.subject is not NOTHING else self.inherited

    def _cleft(self, verb: str, at: int, stop: int, negated: bool) -> list[Predicate]:
        patient = build_phrase(self.sentence, self._plain(at + 1, stop))
        agent = build_phrase(self.sentence, self._plain(stop + 2, len(self.tokens)), "by")
        self._emit(verb, patient, (*self.before, agent), negated, True)
        return self.found

    def _leading_relative(self, verb: str, at: int, span: tuple[int, int], negated: bool) -> int:
        """拥有53个量子比特的悬铃木处理器…: said of the noun, which is the subject of what follows."""
        noun = build_phrase(self.sentence, self._plain(span[0] + 1, span[1]))
        inner = build_phrase(self.sentence, self._plain(at + 1, span[0]), self._role_after(at))
        self._emit(
            verb, noun, (*self.before, inner), negated, any(phrase.role == "by" for phrase in self.before), reduced=True
        )
        self.subject, self.before = noun, []
        return span[1]

    def _modifies(self, index: int) -> bool:
        """Whether a verb at the end of an object is part of a noun: 量子计算研发."""
        return index + 1 >= len(self.tokens) and self.tokens[index].start == self.tokens[index - 1].end

    def _role_after(self, at: int) -> str:
        """位于, 生于, 设在: what follows is a place or a date."""
        word = self.tokens[at].text
        return "in" if word.endswith(("于", "在", "至", "到")) or words.VERB_CLASS.get(word) == "locate" else ""

    def _plain(self, begin: int, end: int) -> list[Token]:
        run = self.tokens[begin:end]
        last = run[-1] if len(run) > 1 else None
        return [
            token for token in run if token.kind not in ("adverb", "hedge") or (token is last and len(token.text) > 1)
        ]

    def _relative(self, verb: str, begin: int, negated: bool) -> int:
        """由谷歌研发的悬铃木…: the verb is said of the noun after 的, which may be the subject of what follows."""
        end = begin
        while end < len(self.tokens) and self.tokens[end].kind not in ("verb", "prep", "neg", "punct", "adverb"):
            end += 1
        noun = build_phrase(self.sentence, self._plain(begin, end))
        agent = self.subject
        by = any(phrase.role == "by" for phrase in self.before)
        phrases = tuple(self.before)
        if agent is not NOTHING and not by and not self._is_copula_object():
            phrases = (*phrases, replace(agent, role="by"))
        elif by and agent.names:  # 流萤用一面由44块子镜拼成的主镜: its mirror
            noun = replace(noun, names=(*agent.names, *noun.names))
        self._emit(verb, noun, phrases, negated, passive=True, reduced=True)
        if agent is NOTHING or not self._is_copula_object():
            self.subject, self.before = noun if by else replace(noun, names=(*agent.names, *noun.names)), []
        return end

    def _is_copula_object(self) -> bool:
        return bool(self.found) and self.found[-1].verb == "be"

    def _add(self, verb: str, phrases: tuple[Phrase, ...], negated: bool) -> None:
        subject = self._subject()
        if not verb and subject.measures and self.inherited is not NOTHING and not phrases:
            subject, phrases = self.inherited, (subject,)  # 每年接待800名病人: a verb that is not listed
        if (
            not subject.names and not subject.back and self.inherited.names
        ):  # 总部位于…: of what the last clause was about
            text = f"{self.inherited.text}的{subject.text}" if subject.text else self.inherited.text
            subject = replace(subject, names=self.inherited.names, text=text)
        everything = (*self.before, *phrases)
        passive = any(phrase.role == "by" for phrase in everything)
        has_object = any(not phrase.role and (phrase.names or phrase.keys) for phrase in phrases)
        if verb in words.PASSIVE_EVENTS and not has_object:
            passive = True
        self._emit(verb, subject, everything, negated, passive)
        self.before = []

    def _emit(
        self,
        verb: str,
        subject: Phrase,
        phrases: tuple[Phrase, ...],
        negated: bool,
        passive: bool,
        *,
        reduced: bool = False,
    ) -> None:
        extra = frozenset({verb} if verb and verb != "be" else ())
        self.found.append(
            Predicate(verb=verb, subject=subject, phrases=phrases, passive=passive, negated=negated, hedges=self.hedges,
                      reduced=reduced, start=self.tokens[0].start, end=self.tokens[-1].end, extra=extra)
        )  # fmt: skip
