"""The name of a memory: what most of its sentences are about, and what the plainest of them says of it.

Two to five words of the text, never half a phrase, never a question. What has a name of its own stands before a colon
("Rotterdam: largest port of Europe"), so that `retrieval.names.name_of` can tell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from memorybank.contradiction.clauses import Clause, clauses
from memorybank.engines.offline.phrases import noun_phrases, phrase_at, written
from memorybank.engines.offline.units import Unit, looks_like_dialogue, units, width
from memorybank.language import dates
from memorybank.language.parse import Parse, Parsed
from memorybank.language.text import HAN_RE, detect_lang, sentences
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.contracts import NeighborInfo, NodeInfo
from memorybank.retrieval.names import name_of

LONGEST: Final = 5
"""The most words of a name; a title or a proper name is not cut, and may have more with the word behind it."""
_LONGEST_SUBJECT: Final = 4
_MOST_LEARNT: Final = 2
"""Keywords that a memory may learn from one other."""
_HAN_WORD: Final = 2.8
"""Han characters that count as a word."""
_QUOTES_RE: Final = re.compile(r"[“”「」《》\"]")
_EMPTY: Final = frozenset("be have 是 有 为".split())
"""Verbs that are left out behind a colon: "Condor: 1,121 qubits"."""
_COLON, _COMMA, _SPACE = ("：", ": "), ("、", ", "), ("", " ")
_LONGEST_WORD: Final = 60
"""The most characters of first words, where nothing else names a text."""
_COLON_RE: Final = re.compile(r"\s*[:：]\s*")
_EDGES: Final = " \t,.;:!-–—，。；：！、"


class Spoken(NamedTuple):
    """A sentence and, in a dialogue, who says it."""

    sentence: Parsed
    speaker: str = ""


class _Statement(NamedTuple):
    clause: Clause
    subject: str
    """The subject as it is written; for a pronoun, that of the statement before."""
    named: bool
    """Whether the subject is a name."""
    verb: int
    """The verb's place in the sentence."""


def name_of_topic(
    headings: Sequence[str], spoken: Sequence[Spoken], keywords: Sequence[str], parse: Parse, *, titled: bool = True
) -> str:
    """Name a topic by its heading (`titled`) or by what most of its sentences are about, which may be a phrase of a
    heading; else by its keywords or first words."""
    stated = list(_statements(spoken))
    subject = _best_subject(headings, spoken, stated, parse, titled)
    words = frozenset(query_tokens(subject.text or " ".join(keywords[:1])))
    room = max(2.0, LONGEST - size(subject.text))
    fit = (word for word in keywords if size(word) <= room and not words & frozenset(query_tokens(word)))
    other = next(fit, "")
    if subject.text:
        # Not what is said of its owner or of its like: "the owner of the tea house", "the other tea house".
        of_it = [each for each in stated if frozenset(query_tokens(each.subject)) <= words]
        told = [text for each in of_it if (text := _said(each, room, bare=subject.named))]
        telling = [text for text in told if not words & frozenset(query_tokens(text))]
        said = max(telling, key=lambda text: sum(word in text for word in keywords), default="")
        return _joined(subject.text, said or other, *(_COLON if subject.named else _SPACE if said else _COMMA))
    if keywords:
        return _joined(keywords[0], other, *_COMMA)
    first = " ".join(each.sentence.text for each in spoken).split()[:LONGEST]
    return " ".join(first)[:_LONGEST_WORD]


def said_in(part: Unit) -> list[str]:
    """Return the sentences of a unit; a table or code is one."""
    return [part.said] if part.whole else [part.said[start:end].strip() for start, end in sentences(part.said)]


def spoken_in(part: Unit, parse: Parse) -> list[Spoken]:
    """Return the sentences of a unit; tables and code are not parsed."""
    said = said_in(part)
    parsed = [Parsed(text, detect_lang(text)) for text in said] if part.whole else parse(said)
    return [Spoken(sentence, part.speaker) for sentence in parsed]


def name_of_summary(text: str, lines: Sequence[str], keywords: Sequence[str], parse: Parse) -> str:
    """Name a memory anew by what it says now. The names that it had (`lines`) are headings of it, as its own are."""
    parts = units(text, dialogue=looks_like_dialogue(text))
    spoken = [each for part in parts for each in spoken_in(part, parse)]
    headings = [name for name in (*map(name_of, lines), *(part.heading for part in parts)) if name]
    return name_of_topic(list(dict.fromkeys(headings)), spoken, keywords, parse, titled=False)


def own_name(memory: NodeInfo | NeighborInfo, parse: Parse) -> str:
    """Return the name of a memory; one that says what its own text does not is made anew from its text."""
    said = memory.context.removeprefix(name_of(memory.context))
    own = frozenset(tokenize("\n".join((memory.summary, *memory.keywords))))
    if frozenset(query_tokens(said, limit=200)) <= own:
        return memory.context
    return name_of_summary(memory.summary, [memory.context], memory.keywords, parse) or memory.context


def learnt_keywords(memory: NodeInfo | NeighborInfo, words: Sequence[str]) -> tuple[str, ...]:
    """Return its keywords, and behind them those of another memory that its own text holds, too."""
    mine, text = {word.casefold() for word in memory.keywords}, memory.summary.casefold()
    new = [word for word in words if word.casefold() not in mine and word.casefold() in text]
    return (*memory.keywords, *new[:_MOST_LEARNT])


def size(text: str) -> float:
    """Words of a text; of Chinese about as many as a parser would find."""
    return len(HAN_RE.sub(" ", text).split()) + (width(text) - len(text)) / _HAN_WORD


def _joined(subject: str, said: str, han: str, latin: str) -> str:
    joint = han if HAN_RE.search(subject[-1:] + said[:1]) else latin
    return f"{subject}{joint}{said}" if said else subject


# -- the subject ------------------------------------------------------------------------------------------------------


class _Candidate(NamedTuple):
    text: str
    named: bool
    """Whether it stands before a colon: a title, or a name."""
    title: bool = False
    """Whether it is a heading of a few words."""


def _best_subject(
    headings: Sequence[str], spoken: Sequence[Spoken], stated: Sequence[_Statement], parse: Parse, titled: bool
) -> _Candidate:
    """Return what most sentences are about: a title, a phrase of a heading or a sentence's subject."""
    candidates = [candidate for heading in headings for candidate in _of_heading(heading, parse)]
    title = next((candidate for candidate in candidates if candidate.title), None)
    if title is not None and titled:
        return title
    candidates += [_Candidate(each.subject, each.named) for each in stated]
    subjects = [frozenset(query_tokens(each.subject)) for each in stated]
    said = [frozenset(query_tokens(each.sentence.text, limit=200)) for each in spoken]

    def about(candidate: _Candidate) -> float:
        words = frozenset(query_tokens(candidate.text))
        count = sum(bool(words & each) for each in subjects) + 0.5 * sum(bool(words) and words <= each for each in said)
        return count * (2 if candidate.named else 1)

    best = max(candidates, key=about, default=_Candidate("", named=False))
    return best if about(best) or not headings else _Candidate(headings[0].split(" – ")[-1], named=True)


def _of_heading(heading: str, parse: Parse) -> Iterator[_Candidate]:
    """Yield a heading of a few words without a verb as a title, and the phrases in it."""
    titles = [title.strip(_EDGES) or title for title in _COLON_RE.split(heading.split(" – ")[-1]) if title]
    for title, parsed in zip(titles, parse(titles), strict=True):
        short = size(title) <= _LONGEST_SUBJECT and title[-1] not in "?？"
        if parsed.tokens and short and not {"VERB", "AUX", "PRON"} & {word.pos for word in parsed.tokens}:
            yield _Candidate(title, named=True, title=True)
        phrases = noun_phrases(parsed)
        if parsed.lang == "en":
            phrases = [phrase_at(parsed, phrase.last, of=True) for phrase in phrases]
        texts = [written(parsed, phrase.first, phrase.last) for phrase in phrases]
        yield from (_Candidate(text, named=True) for text in texts if size(text) <= LONGEST)


def _statements(spoken: Iterable[Spoken]) -> Iterator[_Statement]:
    """Yield what each sentence states first, of a subject that is no more than a few words."""
    last, named = "", False
    for sentence, speaker in spoken:
        words = sentence.tokens
        clause = next((each for each in clauses(sentence, vague=True) if each.subject), None)
        if clause is None or clause.denied:
            continue
        subject = clause.subject
        head = next((at for at in subject if words[at].role in ("nsubj", "nsubjpass")), None)
        if head is not None:
            phrase = phrase_at(sentence, head, of=True)
            subject = tuple(range(phrase.first, phrase.last + 1))
        verb = next((at for at in clause.predicate if at > subject[-1] and words[at].lemma == clause.verb), 0)
        text = written(sentence, subject[0], subject[-1])
        is_pronoun = len(subject) == 1 and words[subject[0]].pos in ("PRON", "DET") and not speaker
        if clause.refers == "speaker" and speaker:
            last, named = speaker, True
        elif not is_pronoun and (clause.refers or size(text) > _LONGEST_SUBJECT):
            continue
        elif not is_pronoun:
            last, named = _QUOTES_RE.sub("", text.strip(_EDGES)), words[subject[-1]].pos == "PROPN"
        if verb and last:
            yield _Statement(clause, last, named, verb)


# -- what is said of it -----------------------------------------------------------------------------------------------


def _said(statement: _Statement, room: float, *, bare: bool) -> str:
    """Return the predicate where there is room for it; else, in English, as much of it as ends with a phrase, and in
    Chinese its verb with the object at its end. Empty where nothing fits."""
    sentence, predicate, verb = statement.clause.sentence, statement.clause.predicate, statement.verb
    text, words, last = sentence.text, sentence.tokens, predicate[-1]
    outside = (at for at in range(verb, last) if at not in predicate)
    stop = next((at for at in outside if words[at].lemma not in "-–/"), last + 1)
    start = verb + 1 if bare and words[verb].lemma in _EMPTY else verb
    start += start < last and words[start].pos == "DET"
    phrases = [phrase for phrase in noun_phrases(sentence) if start <= phrase.first]
    whole = [written(sentence, start, last)] if start <= last < stop else []
    if sentence.lang == "zh":
        opening = written(sentence, start, verb) if start == verb else ""
        near = [
            phrase for phrase in phrases if {word.pos for word in words[verb + 1 : phrase.first]} <= {"ADJ", "PART"}
        ]
        parts = [opening + written(sentence, phrase.first, last) for phrase in near if phrase.last == last]
    else:
        ends = [words[phrase.last].end for phrase in reversed(phrases) if phrase.last < stop]
        cut = {at for day in dates.scan(text) for at in range(day.start + 1, day.end)}
        parts = [text[words[start].start : end] for end in ends if end not in cut and text[end : end + 1] not in "'’"]
    return next((said for said in [*whole, *parts] if said and size(said) <= room), "")
