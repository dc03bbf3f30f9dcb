"""The facts that a parsed sentence states, clause by clause: of what, what is said, and whether it is denied.

What is possible, wished, planned, asked, rumoured or true on a condition is left out. So is what a comma sets apart in
a noun phrase, which is a clause of its own: "the bridge, opened in 1934, has 12 arches" states two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal

from memorybank.language.parse import Parsed, is_capital, meet
from memorybank.language.text import Piece
from memorybank.prompts.lexicon import load

Refers = Literal["", "back", "speaker"]
"""The meaning of a subject's pronoun: an earlier sentence's subject, or who speaks; empty without a pronoun."""
Role = Literal["agent", "place", "is"]
"""The part of a name in a clause: who did it, where it is, or who or what something is."""
Names = tuple[tuple[Role, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A stated clause; words are told by their places in `sentence.tokens`."""

    sentence: Parsed
    subject: tuple[int, ...]
    """Words that the clause is about, with all their modifiers; empty where the subject is left out."""
    predicate: tuple[int, ...]
    """All other words of the clause."""
    verb: str
    refers: Refers = ""
    denied: bool = False
    names: Names = ()
    """Phrases that may name the one who or the place that this holds for."""
    beside: tuple[int, ...] = ()
    """Words on how an act came about, with which it is the same act as without: "after six years of building"."""
    kind: tuple[int, ...] = ()
    """Words on what it is that something was done to: "a brig" of "the Annis was a brig built in 1812"."""
    only: bool = True
    """Whether one thing alone can be what the clause says: "the head of", but not "a member of"."""


@lru_cache(maxsize=16_384)  # a sentence is read to name its topic, to sum up and to compare; some 1 kB each
def clauses(sentence: Parsed, *, vague: bool = False) -> tuple[Clause, ...]:
    """Return what a sentence states; nothing of a question or what was not parsed. `vague`: of "a bridge", too."""
    if not sentence.tokens or sentence.text.rstrip("”\"'）) \n").endswith(("?", "？")):
        return ()
    return tuple(_chinese(sentence) if sentence.lang == "zh" else _English(sentence, vague).clauses())


WORDS: Final = load("memorybank.contradiction", "words")

# -- English ----------------------------------------------------------------------------------------------------------

_UNSURE: Final = frozenset("may might could would should shall must will 'll 'd ought".split())
_LOOSE: Final = frozenset(WORDS["loose"].split())
"""Words with which a clause does not state what it says."""
ONCE: Final = frozenset(WORDS["once"].split())
"""Verbs of what is done once to a thing: an act with two dates was dated wrongly by one of two texts."""
_TELLING: Final = frozenset("announce confirm find note record report say show state write".split())
_WRITINGS: Final = frozenset(WORDS["writings"].split())
_DENYING: Final = frozenset("no never neither nor none cannot".split())
_IN_PART: Final = frozenset("all always entirely every exactly fully longer necessarily only yet just".split())
"""Words that beside a denial leave a part standing, or speak of a change."""
_ANY: Final = frozenset("a an any another some".split())
"""Words before a noun that make it one of many, none in particular."""
_BESIDE: Final = frozenset("amid before despite during early late without".split())
_WAY: Final = frozenset(WORDS["way"].split())
"""Words for the way to an act, and how long it took."""
_RENEWING_RE: Final = re.compile("|".join(WORDS["renewing"].split()))
"""Beginnings of words for what a second opening comes after: "after the fire", "after repairs"."""
_PARTS: Final = frozenset("half part phase stage".split())
DEFINITE: Final = _PARTS | frozenset("PROPN NUM the this that its their his her our time".split())
_SUBJECTS: Final = frozenset(("nsubj", "nsubjpass"))
_RELATIVE: Final = frozenset(("which", "who", "that"))
_EMPTY: Final = frozenset(("punct", "cc", "mark", "aux", "auxpass", "intj"))
_ASIDES: Final = frozenset(("relcl", "acl", "appos", "advcl", "parataxis"))
_BACK: Final = frozenset("it they he she this that these those its their his her him them which who".split())
SPEAKER: Final = frozenset("i my we our me us 我 我们 咱们".split())
"""Words by which the speaker speaks of himself."""
_NOBODY: Final = frozenset("you your there what one everyone someone somebody anyone nobody".split())


class _English:
    def __init__(self, sentence: Parsed, vague: bool) -> None:
        self._sentence, self._vague = sentence, vague
        self._words = sentence.tokens
        self._below: list[list[int]] = [[] for _ in self._words]
        for at, word in enumerate(self._words):
            if word.head != at:
                self._below[word.head].append(at)
        self._roots = [at for at, word in enumerate(self._words) if word.head == at]
        firsts, order = [*range(len(self._words))], [*self._roots]
        for at in order:  # which grows: each word stands before those below it
            order += self._below[at]
        for at in reversed(order):
            head = self._words[at].head
            firsts[head] = min(firsts[head], firsts[at])
        self._firsts = firsts
        self._apart = [self._is_aside(at) for at in range(len(self._words))]

    def clauses(self) -> Iterator[Clause]:
        todo: list[tuple[int, int | None, Sequence[int]]] = [(at, None, ()) for at in self._roots]
        todo += self._asides()
        while todo:
            at, subject, kind = todo.pop(0)
            own = self._child(at, _SUBJECTS)
            if own is None or self._words[own].lemma in _RELATIVE:
                own = subject
            parts = [part for part in self._below[at] if self._is_clause(part, at)]
            clause = self._clause(at, own, parts)
            if clause is not None:
                # "is a 1977 film directed by" says so of the film of 1977, not of all that has its name
                yield replace(clause, predicate=tuple(sorted({*clause.predicate, *kind})), kind=tuple(kind))
            shared = None if clause is None or clause.denied else own
            if shared is not None and (noun := self._child(at, ("attr",))) is not None:
                told = (part for part in self._below[noun] if not self._apart[part] and self._tells_of_noun(part))
                todo += [(part, shared, self._kind(noun)) for part in told]
            todo += [(part, shared if self._words[part].role == "conj" else None, kind) for part in parts]

    def _asides(self) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Yield what a comma sets apart: "the bridge, which was opened", "the novel, written by", with what it is."""
        for at, word in enumerate(self._words):
            subject = self._child(word.head, _SUBJECTS)
            if word.role == "advcl" and self._opens(at) and subject is not None:
                yield at, subject, ()
            elif self._apart[at] and self._tells_of_noun(at):
                noun = self._words[word.head]  # "the Calder is a river, which is 40 km long" tells of the Calder
                named = self._child(noun.head, _SUBJECTS) if noun.role == "attr" else None
                yield (at, word.head, ()) if named is None else (at, named, self._kind(word.head))

    def _tells_of_noun(self, at: int) -> bool:
        """Whether a relative clause or a participle says of its noun what that does or what is done to it."""
        word, subject = self._words[at], self._child(at, _SUBJECTS)
        if word.role == "relcl":
            return subject is not None and self._words[subject].lemma in _RELATIVE
        to_come = any(self._text(part) == "to" for part in self._below[at])  # "a bridge to be built"
        return word.pos == "VERB" and word.role == "acl" and subject is None and not to_come

    def _kind(self, noun: int) -> list[int]:
        return self._phrase(noun, (part for part in self._below[noun] if self._words[part].role in ("relcl", "acl")))

    def _clause(self, at: int, subject: int | None, parts: Sequence[int]) -> Clause | None:
        verb = self._words[at]
        if verb.pos not in ("VERB", "AUX") or subject is None:
            return None
        vague = any(self._words[part].lemma in _ANY for part in self._below[subject])
        if vague and not self._vague and self._words[subject].pos != "PROPN":
            return None
        phrase = tuple(self._phrase(subject))
        own = self._child(at, _SUBJECTS)
        hidden = {*parts, *([own] if own is not None else [])}
        predicate = tuple(place for place in self._phrase(at, hidden) if place not in phrase)
        lemmas = {self._words[place].lemma for place in (*phrase, *predicate)}
        helpers = {self._text(place) for place in self._below[at] if self._words[place].role in ("aux", "auxpass")}
        refers = self._refers(phrase)
        if helpers & _UNSURE or lemmas & _LOOSE or refers is None:
            return None
        denials = [at for at in (*phrase, *predicate) if self._words[at].role == "neg" or self._text(at) in _DENYING]
        if len(denials) > 1 or (denials and lemmas & _IN_PART):
            return None
        names, only = self._names(at, subject, phrase)
        return Clause(
            sentence=self._sentence, subject=phrase, predicate=tuple(at for at in predicate if at not in denials),
            verb=verb.lemma, refers=refers, denied=bool(denials), names=names, only=only, beside=self._beside(at),
        )  # fmt: skip

    def _beside(self, at: int) -> tuple[int, ...]:
        beside = list[int]()
        for part in self._below[at]:
            phrase, word = self._phrase(part), self._words[part]
            said = [self._words[at].lemma for at in phrase if self._words[at].pos in ("NOUN", "PROPN", "VERB", "ADV")]
            told = {what for at in phrase for what in (self._words[at].pos, self._words[at].lemma)}
            bare = word.lemma in ("in", "at") and told.isdisjoint(DEFINITE)  # "in heavy rain", not "in the wing"
            some = told.isdisjoint(DEFINITE - {"NUM"}) and not any(map(_RENEWING_RE.match, said))
            is_way = word.lemma in ("after", "follow") and (some or _WAY.issuperset(said))  # "after a long quarrel"
            if word.role in ("prep", "advmod") and (is_way or word.lemma in _BESIDE or bare):
                beside += phrase
        return tuple(beside)

    def _names(self, at: int, subject: int, phrase: tuple[int, ...]) -> tuple[Names, bool]:
        names: list[tuple[Role, tuple[int, ...]]] = []
        only, verb = True, self._words[at].lemma
        for place in self._below[at]:
            word = self._words[place]
            target = self._child(place, ("pobj",))
            if word.role == "agent" and target is not None:
                names.append(("agent", tuple(self._phrase(target))))
            elif word.role == "prep" and word.lemma in ("in", "at", "from") and target is not None and verb != "be":
                if self._words[target].lemma in _PARTS:  # what was opened in part may be opened again
                    continue
                names.append(("place", tuple(self._phrase(target))))
            elif word.role == "attr" and verb == "be":
                other = tuple(self._phrase(place))
                named, described = (phrase, other) if self._words[subject].pos == "PROPN" else (other, phrase)
                head = place if described is other else subject
                only = not any(self._words[part].lemma in ("a", "an", "one") for part in self._below[head])
                name = subject if described is other else place
                is_named = self._is_name((name, *self._below[name]))  # not "the targets of the Lumen telescope"
                if self._words[head].pos == "NOUN" and is_named:
                    names.append(("is", named))
            elif word.role == "dobj" and self._is_name(phrase):
                names.append(("agent", phrase))
        return tuple(names), only

    def _is_name(self, phrase: Iterable[int]) -> bool:
        return any(self._words[place].pos == "PROPN" for place in phrase)

    def _refers(self, phrase: Sequence[int]) -> Refers | None:
        """Return whom the pronouns of a subject mean; None when nobody can tell."""
        pronouns = {self._text(place) for place in phrase if self._words[place].pos in ("PRON", "DET")}
        if pronouns & _NOBODY or (pronouns & SPEAKER and pronouns & _BACK):
            return None
        back = pronouns & _BACK and (len(phrase) == 1 or pronouns & {"its", "their", "his", "her"})
        return "speaker" if pronouns & SPEAKER else "back" if back else ""

    def _phrase(self, at: int, hidden: Iterable[int] = ()) -> list[int]:
        """Return the words below a word in order, less what is set apart by a comma and what is hidden."""
        left_out = set(hidden)

        def shows(part: int) -> bool:
            said = self._words[part].role not in _EMPTY or is_capital(self._sentence, self._words[part])  # K2 Plus
            return part not in left_out and said and not self._apart[part]

        reached = [at]
        for place in reached:  # which grows
            reached += filter(shows, self._below[place])
        return sorted(reached)

    def _is_aside(self, at: int) -> bool:
        """Whether it is set apart from the noun before it by a comma or a bracket, or only tells who says so."""
        word = self._words[at]
        first = self._firsts[at]
        if word.role == "advcl":
            return word.lemma in _TELLING or self._opens(at)
        apart = first > 0 and self._words[first - 1].pos == "PUNCT"
        if first > 0 and self._text(first - 1) in ("(", "["):
            return True
        return word.role in _ASIDES and (apart or word.role == "parataxis")

    def _opens(self, at: int) -> bool:
        """Whether it is a participle of an act by itself: "Built in 1812, the mill has", "cast in 1412, recast"."""
        word, below = self._words[at], self._below[at]
        free = {self._words[part].role for part in below}.isdisjoint(("mark", "aux", "auxpass", *_SUBJECTS))
        done = word.lemma in ONCE or word.lemma.removeprefix("re") in ONCE
        return free and done and self._text(at) != word.lemma and not self._text(at).endswith("ing")

    def _is_clause(self, part: int, at: int) -> bool:
        """Whether a word below a verb heads a clause that is stated for itself."""
        word = self._words[part]
        if word.pos not in ("VERB", "AUX"):
            return False
        if word.role == "conj":
            return True
        between = self._sentence.text[min(word.end, self._words[at].end) : max(word.start, self._words[at].start)]
        subject = self._child(at, _SUBJECTS)
        written = subject is not None and self._words[subject].lemma in _WRITINGS  # and not who only says so
        stated = self._words[at].lemma in (_TELLING if written else _TELLING - {"say", "write"}) and part > at
        stated |= part < at and self._child(at, ("mark",)) is not None  # "it opened, six years after work began"
        return word.role in ("ccomp", "parataxis") and (stated or ";" in between or ":" in between)

    def _child(self, at: int, roles: Iterable[str]) -> int | None:
        return next((part for part in self._below[at] if self._words[part].role in roles), None)

    def _text(self, at: int) -> str:
        return self._sentence.text[self._words[at].start : self._words[at].end].lower()


# -- Chinese ----------------------------------------------------------------------------------------------------------

_UNSURE_RE: Final = re.compile("可能|也许|或许|大概会|计划|预计|将[要会于]?|拟|打算|希望|应当|应该|或将|有望|疑似")
_NOT_STATED_RE: Final = re.compile("如果|假如|假设|倘若|要是|一旦|除非|据说|据传|传说|传闻|谣|是否")
_DENIAL_RE: Final = re.compile("(?:并|从|尚|绝)?(?:不|没有?|未|非|无)(?![仅但过同少断来])")
_STOPS: Final = frozenset("，,；;：:。！!—")
_BACK_ZH: Final = frozenset("它 他 她 它们 他们 她们 其 这 那 此 前者 后者 该".split())
_WHEN_ZH: Final = frozenset("时 后 前 以后 以前 之后 之前 以来 期间 之际 起 止".split())
"""Words that, behind a time, end a clause that says when: 2023年5月发布时."""
_BESIDE_RE: Final = re.compile("(?:经过?|历[经时])[^，于在]+(?=[于在])|在[^，于在]+[中下后]")
RENEWED_RE: Final = re.compile("重[新建修]|[大维整翻检]修|修[缮复葺]|恢复|[扩改]建|改造|停[业运工用]|[关封]闭|[灾震]")
"""Words after which a thing is opened a second time."""
_NOBODY_ZH: Final = frozenset("你 您 你们 谁 大家 有人 什么 一些 有些 某些".split())


def _chinese(sentence: Parsed) -> Iterator[Clause]:
    if _NOT_STATED_RE.search(sentence.text):
        return
    words = sentence.tokens
    marks = [at for at, word in enumerate(words) if word.lemma in _STOPS]
    numbers = [match.start() for match in re.finditer(r"(?<=\d)\D(?=\d)", sentence.text)]  # of 1,024 and 9:30
    stops = [-1, *(at for at in marks if words[at].start not in numbers), len(words)]
    besides = [Piece(*at.span()) for at in _BESIDE_RE.finditer(sentence.text) if not RENEWED_RE.search(at[0])]
    before: tuple[int, ...] = ()
    refers: Refers = ""
    lost = False
    scope: tuple[int, ...] = ()
    for stop, following in pairwise(stops):
        run = [at for at in range(stop + 1, following) if words[at].pos != "PUNCT"]
        if not run or words[run[0]].lemma in ("据", "根据", "按", "按照"):  # who says so
            continue
        times = tuple(at for at in run if words[at].pos == "TIME")
        if all(words[at].pos in ("TIME", "ADP") for at in run) or (times and words[run[-1]].lemma in _WHEN_ZH):
            scope = times
            continue
        cut = _subject_end(sentence, run)
        if not cut and words[run[-1]].lemma in (*_WHEN_ZH, *"中下上"):  # 在大雨中，; 使用全部样本时，
            scope = tuple(run)
            continue
        subject = tuple(at for at in run[:cut] if words[at].pos not in ("TIME", "ADV", "CCONJ"))
        pronouns = {words[at].lemma for at in subject if words[at].pos in ("PRON", "NUM")}
        nouns = any(words[at].pos in ("NOUN", "PROPN", "VERB") or len(words[at].lemma) > 2 for at in subject)
        if pronouns & _NOBODY_ZH:
            continue
        named = any(words[at].pos == "PROPN" for at in subject)
        specific = sum(len(words[at].lemma) for at in before) > 2  # 队员有11人，队长是郭守常
        if before and not pronouns and not nouns:
            subject = before
        elif specific and not (pronouns or named or lost or words[stop].lemma in ("：", ":")):
            again = bool(subject) and words[before[-1]].lemma.endswith(words[subject[0]].lemma)  # 石碑立于…，碑高…
            subject = before if again else (*before, *subject)  # 大桥于1988年通车，全长612米
        else:
            back = not nouns or pronouns & (_BACK_ZH - {"该", "这", "那", "此"}) or (lost and not named)
            refers = "speaker" if pronouns & SPEAKER and (named or not lost) else "back" if back else ""
            lost = not subject or "其中" in pronouns
            before = subject
        predicate = (*scope, *(at for at in run if at not in subject))
        denials = [at for at in predicate if words[at].pos in ("VERB", "ADV") and _DENIAL_RE.match(words[at].lemma)]
        if len(denials) > 1 or _UNSURE_RE.search(sentence.text[words[run[0]].start : words[run[-1]].end]):
            continue
        names, only = _chinese_names(sentence, subject, predicate)
        verb = next((words[at].lemma for at in run[cut:] if words[at].pos in ("VERB", "ADJ")), "")
        yield Clause(
            sentence=sentence, subject=subject, predicate=predicate, verb=verb, refers=refers, denied=bool(denials),
            names=names, only=only,
            beside=tuple(at for at in predicate if any(meet(words[at], place) for place in besides)),
        )  # fmt: skip


def _subject_end(sentence: Parsed, run: Sequence[int]) -> int:
    """Return how many words of a run are the subject: up to the first predicate, or to a 的 that one follows."""
    words = sentence.tokens
    for number, (at, following) in enumerate(pairwise(run), start=1):
        if words[at].lemma == "的" and words[following].pos in ("VERB", "ADV"):  # 参加比赛的 有23人
            return number
    predicates = (number for number, at in enumerate(run) if words[at].pos in ("VERB", "ADJ", "ADP", "ADV"))
    measured = (number for number, at in enumerate(run) if number and words[at].pos == "NUM")
    return next(predicates, next(measured, len(run)))


def _chinese_names(sentence: Parsed, subject: tuple[int, ...], predicate: tuple[int, ...]) -> tuple[Names, bool]:
    words = sentence.tokens
    content = [at for at in subject if words[at].pos in ("NOUN", "PROPN")]
    is_at = next((at for at in predicate if words[at].lemma in ("是", "为")), None)
    if is_at is not None:
        rest = tuple(at for at in predicate if at > is_at)
        names_rest = bool(rest) and all(words[at].pos == "PROPN" for at in rest)
        if names_rest and len(content) > 1 and words[content[-1]].pos == "NOUN":
            return (("is", rest),), True
        described = len(rest) > 1 and words[rest[-1]].pos == "NOUN"
        if described and [words[at].pos for at in content] == ["PROPN"]:
            return (("is", subject),), False
        return (), True
    names: list[tuple[Role, tuple[int, ...]]] = []
    for at in predicate:
        if words[at].pos != "PROPN" or (at + 1 in predicate and words[at + 1].pos == "PROPN"):
            continue
        first = at
        while first - 1 in predicate and words[first - 1].pos in ("NOUN", "PROPN"):  # 法国工程师杜邦
            first -= 1
        led = words[first - 1].lemma if first else ""
        if led in ("由", "被"):
            names.append(("agent", tuple(range(first, at + 1))))
        elif led.endswith(("在", "于")):
            names.append(("place", tuple(range(first, at + 1))))
    behind = any(words[at].pos in ("NOUN", "PROPN") for at in predicate)
    if not names and behind and [words[at].pos for at in content] == ["PROPN"]:
        names.append(("agent", subject))
    return tuple(names), True
