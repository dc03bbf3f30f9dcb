"""Chinese sentences into predicates: verbs and prepositions of a list, the runs between them, clauses at commas.

A clause without its own subject takes that of the clause before it, as Chinese prose does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorybank.engines.offline.claims import words_zh as words
from memorybank.engines.offline.claims.phrases import NOTHING, Phrase, Predicate
from memorybank.engines.offline.claims.phrases_zh import build_phrase
from memorybank.engines.offline.claims.tokens_zh import Token, tokenise

_CLAUSE_ENDS = frozenset("，；。！？,;!?…")
_OPEN, _CLOSE = frozenset("（([【"), frozenset("）)]】")


def read(sentence: str) -> tuple[Predicate, ...]:
    """The predicates of one sentence, in order."""
    found: list[Predicate] = []
    previous = NOTHING
    for clause, aside in _clauses(tokenise(sentence)):
        predicates = _Clause(sentence, clause, previous).read()
        found += predicates
        if predicates and not aside and predicates[-1].subject is not NOTHING:
            previous = predicates[-1].subject
            if found and found[0].subject is NOTHING and not found[0].verb:  # 凭借469个量子比特，渡鸦……
                found[0] = replace(found[0], subject=previous)
    return tuple(found)


def _clauses(tokens: Sequence[Token]) -> Iterator[tuple[list[Token], bool]]:
    """Cut at commas; what stands in brackets is a clause after the one it stands in, an aside (True).

    A date alone joins the next clause.
    """
    clause: list[Token] = []
    inner: list[list[Token]] = []
    depth = 0
    for token in tokens:
        if token.text in _OPEN and token.kind == "punct":
            depth += 1
            inner.append([])
        elif token.text in _CLOSE and token.kind == "punct":
            depth = max(0, depth - 1)
        elif depth:
            inner[-1].append(token)
        elif token.kind == "punct" and token.text in _CLAUSE_ENDS:
            if not _only_adverbial(clause):
                yield from _close(clause, inner)
                clause, inner = [], []
        else:
            clause.append(token)
    yield from _close(clause, inner)


def _only_adverbial(clause: Sequence[Token]) -> bool:
    return (
        bool(clause)
        and clause[-1].text not in _CLAUSE_ENDS
        and all(token.kind in ("date", "adverb", "prep", "hedge") for token in clause)
    )


def _close(clause: list[Token], inner: list[list[Token]]) -> Iterator[tuple[list[Token], bool]]:
    if clause:
        yield clause, False
    yield from ((piece, True) for piece in inner if piece)


_PLAN_NOUNS = frozenset({"计划", "希望", "目标", "预测", "估计", "建议"})


def _hedges(tokens: Sequence[Token], at: int) -> bool:
    """计划 hedges before a verb; in 这项计划 it is a noun."""
    if tokens[at].text not in _PLAN_NOUNS:
        return True
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    noun = (
        following is None
        or following.kind in ("de", "punct", "conj")
        or following.text in ("是", "为", "由", "于", "在")
    )
    return not noun and (at == 0 or tokens[at - 1].kind not in ("back", "de", "verb"))


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
            token.text for at, token in enumerate(tokens) if token.kind == "hedge" and _hedges(tokens, at)
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
            if token.kind == "prep" and self._is_preposition(at):
                self._take(begin, at, role)
                role, begin = words.PREPOSITIONS[token.text], at + 1
            elif token.text in words.MODALS and token.kind == "adverb" and self._acts(at):
                self._take(begin, at, role)
                at = self._predicate("", at + 1, negated, "")
                begin, role, negated = at, "", False
                continue
            elif token.kind == "neg":
                self._take(begin, at, role)
                role, begin, negated = "", at + 1, not negated
                if not self._verb_follows(at):
                    at = self._predicate(words.NEGATED_VERBS.get(token.text, ""), at + 1, negated, "")
                    begin, negated = at, False
                    continue
            elif token.kind == "verb" and not (role and at == begin) and not self._is_nominal(at):
                first = self.subject is NOTHING and begin == at and not role
                if first and (cleft := self._cleft_span(at)):
                    return self._cleft(words.VERB_CLASS[token.text], at, cleft, negated)
                span = self._relative_span(at) if first else None
                self._take(begin, at, role)
                role = ""
                if span:
                    at = self._leading_relative(words.VERB_CLASS[token.text], at, span, negated)
                else:
                    at = self._predicate(words.VERB_CLASS[token.text], at + 1, negated, self._role_after(at))
                begin, negated = at, False
                continue
            elif token.kind == "attr" and self._number_next(at) and not role:
                self._take(begin, at, role)
                at = self._predicate("be", at, negated, "")
                begin, role, negated = at, "", False
                continue
            at += 1
        self._take(begin, at, role)
        if not self.found and (self.before or self.subject is not NOTHING):
            self._add("", (), negated)
        return self.found

    def _is_preposition(self, at: int) -> bool:
        return (
            at + 1 < len(self.tokens) and self.tokens[at + 1].kind not in ("punct", "verb", "adverb", "de")
        ) or self.tokens[at].text in ("由", "被")

    def _verb_follows(self, at: int) -> bool:
        """Whether a verb follows: at once, or after 在, 对 and their object."""
        after_preposition = False
        for token in self.tokens[at + 1 : at + 10]:
            if token.kind == "verb":
                return True
            after_preposition |= token.kind == "prep"
            if not (
                token.kind in ("adverb", "prep")
                or (after_preposition and token.kind in ("han", "latin", "title", "attr"))
            ):
                return False
        return False

    def _acts(self, at: int) -> bool:
        """Whether a modal is followed by a verb that is not listed: 企鹅会飞."""
        rest = self.tokens[at + 1 :]
        return bool(rest) and rest[0].kind == "han" and all(token.kind in ("han", "adverb") for token in rest)

    def _is_nominal(self, at: int) -> bool:
        """A verb after 的 is a noun: 该桥的设计使用寿命."""
        if (
            at + 1 < len(self.tokens)
            and self.tokens[at + 1].text[0] in "时后前中期"
            and self.tokens[at + 1].kind == "han"
        ):
            return True  # 在设计时
        while at > 0 and self.tokens[at - 1].kind == "verb" and self.tokens[at - 1].end == self.tokens[at].start:
            at -= 1
        return at > 0 and self.tokens[at - 1].kind == "de"

    def _number_next(self, at: int) -> bool:
        rest = (token.kind for token in self.tokens[at + 1 :] if token.kind not in ("adverb", "de"))
        return next(rest, "") == "number"

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
            if token.kind == "verb" and not self._is_nominal(index):
                span = self._relative_span(index)
                if verb == "be" and index > begin and self._ends_relative(index):  # 青鸾是瓦利实验室研制的处理器
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
            if token.kind == "prep" and self._is_preposition(index):
                phrases.append(build_phrase(self.sentence, self._plain(begin, index), role))
                role, begin = words.PREPOSITIONS[token.text], index + 1
            index += 1
        phrases.append(build_phrase(self.sentence, self._plain(begin, index), role))
        self._add(verb, tuple(phrase for phrase in phrases if phrase is not NOTHING), negated)
        return index

    def _ends_relative(self, at: int) -> bool:
        """Whether a verb is followed by 的 and a noun."""
        return (
            at + 2 < len(self.tokens)
            and self.tokens[at + 1].text == "的"
            and self.tokens[at + 2].kind in ("han", "latin", "title")
        )

    def _subject(self) -> Phrase:
        return self.subject if self.subject is not NOTHING else self.inherited

    def _relative_span(self, at: int) -> tuple[int, int] | None:
        """For a verb whose clause ends in 的 and a noun: where the 的 stands and where the noun ends."""
        for index in range(at + 1, len(self.tokens)):
            token = self.tokens[index]
            if token.kind in ("verb", "punct", "neg"):
                return None
            if token.text == "的":
                end = index + 1
                while end < len(self.tokens) and self.tokens[end].kind not in (
                    "verb",
                    "prep",
                    "neg",
                    "punct",
                    "adverb",
                    "date",
                ):
                    end += 1
                return (index, end) if end > index + 1 and index > at + 1 else None
        return None

    def _cleft_span(self, at: int) -> int:
        """主持设计工作的是黎晓岚: where the 的 before 是 stands; 0 if there is none."""
        for index in range(at + 2, len(self.tokens) - 2):
            if self.tokens[index].text == "的" and self.tokens[index + 1].text in ("是", "为"):
                return index
        return 0

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
