"""Chinese sentences into predicates: verbs and prepositions of a list, the runs between them, clauses at commas.

A clause without its own subject takes that of the clause before it, as Chinese prose does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from memorybank.contradiction import words_zh as words
from memorybank.contradiction.phrases import NOTHING, Phrase, Predicate
from memorybank.contradiction.phrases_zh import build_phrase
from memorybank.contradiction.sources import parted, source_zh
from memorybank.contradiction.tokens_zh import ZhToken, tokenise

_CLAUSE_ENDS = frozenset("，；。！？,;!?…")
_OPEN, _CLOSE = frozenset("（([【"), frozenset("）)]】")
_SAYS_RE = re.compile(r"(?<![小传学据听解演名简俗通])(?:说|称|表示|介绍|指出|透露|写道|告诉记者|回忆)$")
_CLEFT = {("的", "是"), ("的", "为")}
_PLAN_NOUNS = frozenset({"计划", "希望", "目标", "预测", "估计", "建议"})
"""They hedge before a verb; in 这项计划 they are nouns."""


def read(sentence: str) -> tuple[Predicate, ...]:
    """The predicates of one sentence, in order; without those of a source that what is told does not lean on."""
    tokens = tokenise(sentence)
    if source := source_zh(sentence):
        predicates = parted(source, _read(sentence, _after(tokens, source.end)))
        if predicates:
            return predicates
        if source.day is not None:
            tokens = [token for token in tokens if token.end <= source.day or token.start >= source.end]
    return _read(sentence, tokens)


def _after(tokens: list[ZhToken], at: int) -> list[ZhToken]:
    """The tokens from `at` on; a run of characters that goes past it is cut."""
    return [
        replace(token, text=token.text[at - token.start :], start=at) if token.start < at else token
        for token in tokens
        if token.start >= at or (token.kind == "han" and token.end > at)
    ]


def _read(sentence: str, tokens: list[ZhToken]) -> tuple[Predicate, ...]:
    collected: list[Predicate] = []
    previous = NOTHING
    for clause, aside in _clauses(tokens):
        predicates = _Clause(sentence, _after_speaker(clause), previous).read()
        collected += predicates
        if predicates and not aside and predicates[-1].subject is not NOTHING:
            previous = predicates[-1].subject
    return tuple(collected)


# -- cutting ----------------------------------------------------------------------------------------------------------


def _clauses(tokens: Sequence[ZhToken]) -> Iterator[tuple[list[ZhToken], bool]]:
    """Cut at commas; what stands in brackets is a clause after the one it stands in, an aside (True).

    A date alone joins the next clause.
    """
    clause: list[ZhToken] = []
    inner: list[list[ZhToken]] = []
    depth = 0
    for token in (*tokens, ZhToken("punct", "。", 0, 0)):
        mark = token.text if token.kind == "punct" else ""
        if mark in _OPEN:
            depth += 1
            inner.append([])
        elif mark in _CLOSE:
            depth = max(0, depth - 1)
        elif depth:
            inner[-1].append(token)
        elif mark not in _CLAUSE_ENDS:
            clause.append(token)
        elif not clause or any(token.kind not in ("date", "adverb", "prep", "hedge") for token in clause):
            yield from (
                (piece, aside) for piece, aside in ((clause, False), *((nested, True) for nested in inner)) if piece
            )
            clause, inner = [], []


def _after_speaker(clause: list[ZhToken]) -> list[ZhToken]:
    """主人说这里占地230亩: what is said, where it begins with a word that refers back."""
    for at, token in enumerate(clause[:4]):
        if at + 2 < len(clause) and clause[at + 1].kind == "back" and _SAYS_RE.search(token.text):
            return clause[at + 1 :]
    return clause


# -- looking ahead ----------------------------------------------------------------------------------------------------


def _kind(tokens: Sequence[ZhToken], at: int) -> str:
    return tokens[at].kind if 0 <= at < len(tokens) else ""


def _is_preposition(tokens: Sequence[ZhToken], at: int) -> bool:
    return tokens[at].kind == "prep" and (
        _kind(tokens, at + 1) not in ("", "punct", "verb", "adverb", "de") or tokens[at].text in ("由", "被")
    )


def _is_verb(tokens: Sequence[ZhToken], at: int) -> bool:
    """Whether a verb is one here: after 的, and in 在设计时, it is a noun."""
    if tokens[at].kind != "verb":
        return False
    if _kind(tokens, at + 1) == "han" and re.match("[时后前期]|中(?!国|华|央|科)", tokens[at + 1].text):
        return False
    while _kind(tokens, at - 1) == "verb" and tokens[at - 1].end == tokens[at].start:
        at -= 1
    return _kind(tokens, at - 1) != "de"


def _verb_follows(tokens: Sequence[ZhToken], at: int) -> bool:
    """Whether a verb follows: at once, or after 在, 对 and their object."""
    after_preposition = False
    for token in tokens[at + 1 : at + 10]:
        if token.kind == "verb":
            return True
        after_preposition |= token.kind == "prep"
        if token.kind not in ("adverb", "prep") and not (
            after_preposition and token.kind in ("han", "latin", "title", "attr")
        ):
            return False
    return False


def _number_next(tokens: Sequence[ZhToken], at: int) -> bool:
    return next((token.kind for token in tokens[at + 1 :] if token.kind not in ("adverb", "de")), "") == "number"


def _cleft(tokens: Sequence[ZhToken]) -> int:
    """主持设计工作的是黎晓岚: where the 的 before 是 stands; 0 if there is none."""
    pairs = enumerate(pairwise(tokens))
    return next((at for at, pair in pairs if at > 1 and tuple(token.text for token in pair) in _CLEFT), 0)


# -- reading ----------------------------------------------------------------------------------------------------------


class _Clause:
    """Reads one clause left to right: noun phrases gather until a verb takes them."""

    def __init__(self, sentence: str, tokens: list[ZhToken], inherited: Phrase) -> None:
        self.sentence = sentence
        self.tokens = tokens
        self.inherited = inherited
        self.subject: Phrase = NOTHING
        self.before: list[Phrase] = []
        self.found: list[Predicate] = []
        self.hedges = frozenset(
            token.text
            for at, token in enumerate(tokens)
            if token.kind == "hedge" and (token.text not in _PLAN_NOUNS or _verb_follows(tokens, at))
        )

    def read(self) -> list[Predicate]:
        if self.tokens[-1].text == "的":  # 是1966年成立的
            copula = next((token for token in self.tokens if token.text == "是"), None)
            self.tokens = [token for token in self.tokens[:-1] if token is not copula] or self.tokens
        at, begin, role, negated = self._fronted(), 0, "", False
        begin = at
        while at < len(self.tokens):
            token = self.tokens[at]
            if _is_preposition(self.tokens, at):
                self._take(begin, at, role)
                role, begin = words.PREPOSITIONS[token.text], at + 1
            elif token.kind == "neg" and _verb_follows(self.tokens, at):
                self._take(begin, at, role)
                role, begin, negated = "", at + 1, not negated
            elif token.kind == "neg" or (_is_verb(self.tokens, at) and not (role and at == begin)):
                self._take(begin, at, role)
                denies = token.kind == "neg"
                verb = words.NEGATED_VERBS.get(token.text, "") if denies else words.VERB_CLASS[token.text]
                at = begin = self._predicate(verb, at + 1, negated != denies)
                role, negated = "", False
                continue
            elif token.kind == "attr" and not role and _number_next(self.tokens, at):
                self._take(begin, at, "")
                at = begin = self._predicate("be", at, negated)
                negated = False
                continue
            elif token.text in words.MODALS and {later.kind for later in self.tokens[at + 1 :]} == {"han"}:  # 企鹅会飞
                self._take(begin, at, role)
                at = begin = self._predicate("", at + 1, negated)
                role, negated = "", False
                continue
            at += 1
        self._take(begin, at, role)
        if not self.found and (self.before or self.subject is not NOTHING):
            self._add("", (), negated)
        return self.found

    def _fronted(self) -> int:
        """主持设计的是黎晓岚, 拥有53个量子比特的悬铃木…: a verb and its object, before the noun they are said of.

        Returns where reading goes on.
        """
        if _kind(self.tokens, 0) != "verb":
            return 0
        verb, length = words.VERB_CLASS[self.tokens[0].text], len(self.tokens)
        if stop := _cleft(self.tokens):
            agent = build_phrase(self.sentence, self._plain(stop + 2, length), "by")
            self._emit(verb, build_phrase(self.sentence, self._plain(1, stop)), (agent,), False, passive=True)
            return length
        stop = next((at for at in range(1, length) if self.tokens[at].kind in ("verb", "punct", "neg", "de")), 0)
        if stop < 2 or self.tokens[stop].kind != "de":
            return 0
        end = self._noun_end(stop + 1)
        self.subject = build_phrase(self.sentence, self._plain(stop + 1, end))
        inner = build_phrase(self.sentence, self._plain(1, stop), self._role_after(0))
        self._emit(verb, self.subject, (inner,), False, passive=False, reduced=True)
        return end

    def _noun_end(self, at: int) -> int:
        while _kind(self.tokens, at) not in ("", "verb", "prep", "neg", "punct", "adverb", "date"):
            at += 1
        return at

    def _take(self, begin: int, end: int, role: str) -> None:
        """A finished phrase: the subject if it is plain and none is there yet, else something said of it."""
        tokens = self._plain(begin, end)
        if not role:
            self.before += [build_phrase(self.sentence, [token], "in") for token in tokens if token.kind == "date"]
            tokens = [token for token in tokens if token.kind != "date"]
        phrase = build_phrase(self.sentence, tokens, role)
        if phrase is NOTHING:
            return
        if role or not (phrase.names or phrase.keys or phrase.back):
            self.before.append(replace(phrase, role=role or "in"))
        elif self.subject is NOTHING:
            self.subject = phrase
        else:
            self.before.append(phrase)

    def _predicate(self, verb: str, begin: int, negated: bool) -> int:
        """The predicate of a verb whose object begins at `begin`; returns where reading goes on."""
        if _kind(self.tokens, begin) == "de" and _kind(self.tokens, begin - 1) == "verb":
            return self._relative(verb, begin + 1, negated)
        role = self._role_after(begin - 1)
        phrases: list[Phrase] = []
        while _kind(self.tokens, begin) == "adverb" or self._says_again(verb, begin):
            begin += 1
        at = begin
        while at < len(self.tokens) and self.tokens[at].kind != "neg":
            if _is_verb(self.tokens, at) and (at > begin or (verb in ("be", "have") and not role)):
                break
            if _is_preposition(self.tokens, at):
                phrases.append(build_phrase(self.sentence, self._plain(begin, at), role))
                role, begin = words.PREPOSITIONS[self.tokens[at].text], at + 1
            at += 1
        phrases.append(build_phrase(self.sentence, self._plain(begin, at), role))
        self._add(verb, tuple(phrase for phrase in phrases if phrase is not NOTHING), negated)
        return at

    def _says_again(self, verb: str, at: int) -> bool:
        """发射升空: two verbs for one event."""
        return _kind(self.tokens, at) == "verb" and words.VERB_CLASS[self.tokens[at].text] == verb

    def _role_after(self, at: int) -> str:
        """位于, 生于, 设在: what follows is a place or a date."""
        word = self.tokens[at].text
        return "in" if word.endswith(("于", "在", "至", "到")) or words.VERB_CLASS.get(word) == "locate" else ""

    def _plain(self, begin: int, end: int) -> list[ZhToken]:
        run = self.tokens[begin:end]
        last = run[-1] if len(run) > 1 and len(run[-1].text) > 1 else None
        return [token for token in run if token.kind not in ("adverb", "hedge") or token is last]

    def _relative(self, verb: str, begin: int, negated: bool) -> int:
        """由谷歌研发的悬铃木…: the verb is said of the noun after 的, which may be the subject of what follows."""
        end = self._noun_end(begin)
        noun = build_phrase(self.sentence, self._plain(begin, end))
        agent, phrases = self.subject, tuple(self.before)
        if self.found and self.found[-1].verb == "be":  # 云岭号是中国设计的盾构机: said of 云岭号
            by_whom = tuple(replace(phrase, role="by") for phrase in self.found[-1].phrases[-1:])
            self._emit(verb, agent, by_whom, negated, passive=True, reduced=True)
            return end
        by = any(phrase.role == "by" for phrase in phrases)
        if agent is not NOTHING and not by:
            phrases = (*phrases, replace(agent, role="by"))
        owned = replace(noun, names=(*agent.names, *noun.names))  # 流萤用由44块子镜拼成的主镜: its mirror
        self._emit(verb, owned if by else noun, phrases, negated, passive=True, reduced=True)
        self.subject, self.before = owned, []
        return end

    def _add(self, verb: str, phrases: tuple[Phrase, ...], negated: bool) -> None:
        subject, inherited = self.subject if self.subject is not NOTHING else self.inherited, self.inherited
        if not verb and subject.measures and inherited is not NOTHING and not phrases:
            subject, phrases = inherited, (subject,)  # 每年接待800名病人: a verb that is not listed
        if not subject.names and not subject.back and inherited.names:  # 总部位于…: of what the last clause was about
            text = f"{inherited.text}的{subject.text}" if subject.text else inherited.text
            subject = replace(subject, names=inherited.names, text=text)
        everything = (*self.before, *phrases)
        passive = any(phrase.role == "by" for phrase in everything)
        self._emit(verb, subject, everything, negated, passive=passive)
        self.before = []

    def _emit(
        self, verb: str, subject: Phrase, phrases: tuple[Phrase, ...], negated: bool, *, passive: bool,
        reduced: bool = False,
    ) -> None:  # fmt: skip
        extra = frozenset({verb} if verb and verb != "be" else ())
        self.found.append(
            Predicate(verb=verb, subject=subject, phrases=phrases, passive=passive, negated=negated, hedges=self.hedges,
                      reduced=reduced, start=self.tokens[0].start, end=self.tokens[-1].end, extra=extra)
        )  # fmt: skip
