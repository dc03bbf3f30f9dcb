"""The reading of a question's parts: on what, for which kind of value, in which words; by the parsers of claims.

The words that ask ("how", "which year", 多少) stand where a statement has its value. What is left is compared with what
a statement says without its value: the two are equal, or the statement does not answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memorybank.contradiction.claims import ParsedClaim, bag
from memorybank.contradiction.differences import clash
from memorybank.contradiction.reading import read
from memorybank.contradiction.same_value import same_value
from memorybank.engines.offline.phrases import phrase_at, written
from memorybank.engines.offline.quotable import Passage
from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.figures import states
from memorybank.language.names import is_named_in, names_in, same_name
from memorybank.language.parse import Parse, Parsed, Place, Token, meet
from memorybank.language.quotation import place
from memorybank.language.text import HAN, Piece, fold_space, is_han
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.language.values import Quantity
from memorybank.memory.types import Claim, ClaimKind, Span

HOW_MANY: Final = r"(?<![近这那前好])几(?=\w)(?![乎率])"
"""几 where it asks: 几层, but not 近几年."""
_BE: Final = "is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|to|come"
_ASKS: Final[tuple[tuple[ClaimKind, re.Pattern[str]], ...]] = (
    ("number", re.compile(
        rf"\bhow (?:many|much)\b|\bhow\b(?=\s+\w)(?!\s+(?:{_BE})\b)|多少"
        rf"|{HOW_MANY}|多(?=[高长大宽深厚重远久快])",
        re.IGNORECASE,
    )),
    ("date", re.compile(
        r"\b(?:(?:in|on) )?(?:what|which) (?:year|date|day|month)\b|\bwhen\b"
        r"|何时|何年|什么时候|什么时间|哪一?[年天日月]",
        re.IGNORECASE,
    )),
    ("name", re.compile(r"\b(?:by )?whom?\b|谁|哪位|何人", re.IGNORECASE)),
    ("place", re.compile(
        r"\bwhere\b|\b(?:in|at|from) (?:what|which) (?!year|date|day|month)\w+"
        r"|[在于]?(?:哪里|哪儿|何处|何地|什么地方|哪[个座]\w{1,4})",
        re.IGNORECASE,
    )),
)  # fmt: skip
_OPEN_RE: Final = re.compile(
    r"\b(?:what|which|whose|why|how)\b|什么|哪些?|为何|为什么|如何|怎[样么]|是否", re.IGNORECASE
)
_CARRIED_RE: Final = re.compile(r"\s*\((?P<names>[^()]+)\)$")
_AGENT_RE: Final = re.compile(rf"(?<=[{HAN}]{{2}})[人者]$")
"""What makes of a verb who does it: 负责人."""
_HAPPENING: Final = frozenset("begin happen occur start 开始 发生".split())
"""Verbs that ask for no more than the time: 自12月1日起 has none of them."""
_PER_RE: Final = re.compile(
    r"\b(?:each|every|per)\b(?! (?:minute|hour|day|week|month|year))|每(?![年月周天日次小分秒])|人均", re.IGNORECASE
)
_ROLES: Final = ("nsubj", "nsubjpass", "attr", "dobj", "pobj")
_MARKS: Final = "“”\"'《》 "


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    own: str
    """Its text without the names that it only means."""
    subject: str
    """The subject as it is written; empty where none is found."""
    beside: frozenset[str]
    """Tokens that its subject has beside the names: the abbey of Brenn."""
    names: tuple[str, ...]
    """The names by which its subject is found in a text; empty for a question that names nothing."""
    is_carried: bool
    """Whether its subject is that of another part of the goal."""
    certain: bool
    """Whether it holds a name; else its names are what a Chinese clause begins with."""
    words: frozenset[str]
    """Content words (Chinese: pairs of characters); all words where there are no others."""
    wanted: frozenset[ClaimKind]
    """The kinds of value that answer; empty where the question does not say."""
    asked: frozenset[str]
    """Its words that neither ask nor are its subject's, in basic forms."""
    key: frozenset[str]
    """All that a statement which answers says but its value, as `ParsedClaim.key`; empty without a parse."""
    known: frozenset[str]
    """The same of all parts of the goal, where they are at hand."""
    when: tuple[Date, ...]
    """The times it speaks of."""

    def is_on(self, sentence: Parsed) -> bool:
        """Whether a sentence has a word of what is asked; any has, where only a name is given."""
        words = frozenset(tokenize(sentence.text))
        beside = self.is_carried and self.beside
        return not self.asked or bool(beside and beside <= words) or self.shares(sentence.text, words | bag(sentence))

    def shares(self, text: str, words: frozenset[str]) -> bool:
        """Whether a word of what is asked is among a text's words; a Chinese one, in the text."""
        return any(_AGENT_RE.sub("", word) in (text if is_han(word) else words) for word in self.asked)

    def is_per_unit(self, sentence: str) -> bool:
        """Whether a sentence counts for each of several what is asked of all: 12 for each class."""
        return "number" in self.wanted and bool(_PER_RE.search(sentence)) and not _PER_RE.search(self.own)

    def is_held_by(self, sentence: str) -> bool:
        """Whether a sentence holds a date or a measure as is asked."""
        if "date" in self.wanted and dates.scan(sentence):
            return True
        measures = values.scan(sentence, dates=dates.scan(sentence)) if "number" in self.wanted else ()
        return any(item.unit is not None for item in measures)

    def is_named_in(self, text: str, *, whole: bool = False) -> bool:
        """Whether a text names its subject; `whole`: with all words of the name, the Little Tarrow Bridge."""
        words = frozenset(tokenize(text))
        full = not whole or is_han(text) or any(words.issuperset(tokenize(name)) for name in self.names)
        return full and is_named_in(text, self.names)

    def is_answered_by(self, stated: ParsedClaim) -> bool:
        """Whether a statement says all that is asked and no more: of the same thing, at the same time."""
        said = frozenset(word for word in stated.key if not word.startswith("@"))
        return (
            stated.claim.polarity
            and stated.value is not None
            and self._fits(stated.claim.kind)
            and bool(self.key)
            and said == self.key
            and not clash(stated.when, self.when)
            and (stated.once or bool(stated.when) == bool(self.when))
        )

    def is_disputed_by(self, claim: Claim, parse: Parse) -> bool:
        """Whether a claim, whoever made it, is on what is asked: by its own fields, a rule's or a model's."""
        subject, attribute, own = (bag(phrase) for phrase in parse([claim.subject, claim.attribute, self.subject]))
        fits = self._fits(claim.kind) or claim.kind == "text"
        more = own - subject if same_name(claim.subject, self.subject) else frozenset()  # "the Willow chip" of Willow
        return fits and bool(self.key and subject) and subject <= self.key and self.key - more <= subject | attribute

    def is_touched_by(self, claim: Claim, parse: Parse) -> bool:
        """Whether a claim gives a value of the kind that is asked for, or a yes or no, with a word of what is asked."""
        fits = claim.kind in (self.wanted or ("negation",))
        return bool(self.asked) and fits and self.is_on(parse([claim.text])[0])

    def _fits(self, kind: ClaimKind) -> bool:
        return kind in self.wanted or not self.wanted


def question_of(text: str, parse: Parse | None = None) -> Question:
    """`text` is a part of a goal, with the names that it only means in brackets behind it (planning.aspects)."""
    carried = _CARRIED_RE.search(text)
    own = (text[: carried.start()] if carried else text).rstrip("?？ ")
    meant = carried["names"] if carried else ""
    parsed = parse([own, meant]) if parse else (Parsed(own, "en"), Parsed(meant, "en"))
    asking = [(kind, place) for kind, pattern in _ASKS for place in _places(pattern, own)]
    told = subject_of(parsed[0])
    subject = meant or told
    owner = undated(subject).partition("的")[0] if is_han(subject) else ""  # 云溪水库的大坝
    names = names_in(subject) or names_in(meant or own) or ((owner,) if owner else ())
    filled = _ASKS[0][1].sub(lambda match: "7".rjust(len(match[0])), own)  # a number for the word that asks for one
    sizes = values.scan(filled, dates=dates.scan(filled))
    counts = [size for size in sizes if any(meet(place, size) for _, place in asking)]
    moments = [day for day in dates.scan(own) if not day.bare or re.search(r"\b(?:in|on|since)\s$", own[: day.start])]
    taken: list[Place] = [*_places(_OPEN_RE, own), *(place for _, place in asking), *counts, *moments]
    asked = frozenset(_asked(parsed[0], filter(None, (told, *names)), taken)) - _HAPPENING
    if meant and not asked:  # "who is the chairman", of what the part before it names
        asked = (frozenset(_asked(parsed[0], names, taken)) - _HAPPENING) or frozenset(re.findall(r"几(\w)", own))
    key = bag(parsed[0], taken) | bag(parsed[1]) if parsed[0].tokens else frozenset()
    return Question(
        text=text, own=own, subject=subject,
        beside=frozenset(query_tokens(told.removeprefix(f"{owner}的"))) - frozenset(tokenize(" ".join(names))),
        names=names, is_carried=bool(meant),
        certain=bool(names_in(text)) or any(word.pos == "PROPN" for phrase in parsed for word in phrase.tokens),
        words=frozenset(query_tokens(text, limit=len(text) + 1)), wanted=frozenset(kind for kind, _ in asking),
        asked=asked, key=key, known=key, when=tuple(moments),
    )  # fmt: skip


def _asked(parsed: Parsed, called: Iterable[str], taken: Sequence[Place]) -> Iterator[str]:
    """Yield the words of a question that neither ask nor are its subject's, in the forms of keys."""
    hidden = [*taken, *(place for name in called for place in _places(re.compile(re.escape(name)), parsed.text))]
    found = re.finditer(r"\w+", parsed.text)  # where nothing was parsed
    for word in parsed.tokens or (Token(*match.span(), match[0].lower(), "NOUN", 0, "") for match in found):
        inside = bag(parsed._replace(tokens=(word,)), hidden)
        yield from {word.lemma} if len(inside) > 1 else inside


def _places(pattern: re.Pattern[str], text: str) -> Iterator[Piece]:
    return (Piece(*match.span()) for match in pattern.finditer(text))


def undated(subject: str) -> str:
    """Return what a Chinese subject names before it says of which year: 云岭制药 of 云岭制药2023年营业收入."""
    return re.split(r"[在于]?(?=[12]\d{3}年)", subject)[0] or subject


# -- the subject of a question ----------------------------------------------------------------------------------------


def subject_of(parsed: Parsed) -> str:
    """Return the subject of a question or an order, as it writes it; empty for a pronoun, or where none is found."""
    asking = [place for _, pattern in (*_ASKS, ("", _OPEN_RE)) for place in _places(pattern, parsed.text)]
    asks = {at for at, word in enumerate(parsed.tokens) if any(meet(word, place) for place in asking)}
    tell = _chinese_subject if parsed.lang == "zh" else _english_subject
    return tell(parsed, asks) if parsed.tokens else ""


def _english_subject(parsed: Parsed, asks: set[int]) -> str:
    words = parsed.tokens
    roles = {role: [at for at, word in enumerate(words) if word.role == role] for role in _ROLES}
    for at in (at for role in _ROLES for at in roles[role]):
        if words[at].pos in ("PRON", "NUM") or at in asks or any(words[ask].head == at for ask in asks):
            continue
        phrase = phrase_at(parsed, at, of=True)
        is_asked = words[words[at].head].lemma == "be" and any(words[ask].head == words[at].head for ask in asks)
        if phrase.last > at and is_asked and words[at].role in ("nsubj", "attr"):  # what is the height of the tower
            phrase = phrase_at(parsed, phrase.last)
        return written(parsed, phrase.first, phrase.last)
    return ""


def _chinese_subject(parsed: Parsed, asks: set[int]) -> str:
    words = parsed.tokens
    first = min(asks, default=next((at for at, word in enumerate(words) if word.pos == "VERB"), len(words)))
    before = [at for at in range(first) if words[at].pos != "PRON"]
    while before and words[before[-1]].pos not in ("NOUN", "PROPN", "TIME", "NUM"):
        before.pop()
    if len(before) > 1 and parsed.text[words[before[-1]].end :].startswith("多少"):  # 大桥全长多少
        before.pop()
    while before and words[before[0]].pos in ("TIME", "PUNCT"):
        before.pop(0)
    marks = [at for at in before if words[at].lemma in "，,"]
    before = [at for at in before if not marks or at > marks[-1]]
    after = [at for at in range(first, len(words)) if at not in asks]
    while after and words[after[0]].pos in ("VERB", "PART", "PUNCT"):
        after.pop(0)
    places = before or [at for at in after if words[at].pos in ("NOUN", "PROPN", "PART")]
    owned = next((at for at in places if words[at].lemma == "的"), None)
    is_asked = any(words[at].lemma == "是" for at in range(places[-1] + 1, first)) if before else False
    if owned is not None and is_asked:  # 塔的高度是多少
        places = [at for at in places if at < owned]
    return parsed.text[words[places[0]].start : words[places[-1]].end].strip(_MARKS) if places else ""


# -- values that were asked for: what passages state of exactly that, each with the places that say it -----------------


MOST = 3
"""The most values that are told on one part of a question."""
_WORD_RE: Final = re.compile(rf"\s?([a-zA-Z]{{3,}}|[{HAN}])")
"""The word for the things that a number counts: towers, 层."""


@dataclass(slots=True, kw_only=True)
class Stated:
    """A value with the places that state it."""

    claim: Claim
    speaker: str = ""
    moment: str = ""
    """The moment when the speaker said so, as it is written; empty outside of dialogues."""
    said_in: list[tuple[Passage, Span | None]] = field(default_factory=list)
    """The passages, each with its sentence in the raw text, as `Passage.place`."""


def stated(question: Question, passages: Sequence[Passage], parse: Parse) -> list[Stated]:
    """Return the values that answer: what a speaker said last first, then those with most sources."""
    answers: list[Stated] = []
    for passage in passages:
        for statement in read(passage.text, parse).statements:
            if not question.is_answered_by(statement) or fold_space(statement.claim.text) in passage.left_out:
                continue
            value = statement.value
            if isinstance(value, Quantity) and (value.bound != "exact" or value.approximate):
                continue  # "more than 2,600" is quoted as it is
            where = place(passage.text, statement.claim.text)
            if where is None:
                continue
            theirs = [answer for answer in answers if answer.speaker == statement.said.speaker]
            home = next((answer for answer in theirs if same_value(answer.claim, statement.claim)), None)
            if home is None:
                behind = _WORD_RE.match(passage.text[where[0] :].partition(statement.claim.value)[2])
                counted = behind is not None and statement.claim.kind == "number" and behind[1] in question.own
                claim = replace(statement.claim, unit=statement.claim.unit or (behind[1] if behind and counted else ""))
                statement = replace(statement, claim=claim)
                home = Stated(claim=claim, speaker=statement.said.speaker, moment=statement.said.moment)
                answers.append(home)
            is_said = home.claim is statement.claim or states(
                statement.claim.text, home.claim.value
            )  # not by "in 1909"
            if is_said and all(passage is not other for other, _ in home.said_in):
                home.said_in.append((passage, passage.span(*where)))
    return sorted(answers, key=lambda answer: -len(answer.said_in))[:MOST]
