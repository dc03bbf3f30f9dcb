"""The name of a memory: what most of its sentences are about, and what the plainest of them says of it.

Two to five words of the text, never half a phrase, never a question. What has a name of its own stands before a colon
("Rotterdam: largest port of Europe"), so that `retrieval.names.name_of` can tell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from memorybank.contradiction.clauses import Clause, clauses
from memorybank.engines.offline.phrases import Phrase, noun_phrases, phrase_at, written
from memorybank.engines.offline.units import Unit, looks_like_dialogue, units, width
from memorybank.language import dates
from memorybank.language.parse import Parse, Parsed
from memorybank.language.text import HAN_RE, detect_lang, fold_space, sentences
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.contracts import NeighborInfo, NodeInfo
from memorybank.retrieval.names import name_of

LONGEST: Final = 5
"""Words of a name; a title or a proper name is not cut, and may have more with the word behind it."""
_LONGEST_SUBJECT: Final = 4
_MOST_LEARNT: Final = 2
"""Keywords that a memory may learn from one other."""
_HAN_WORD: Final = 2.8
"""Han characters that count as a word."""
_QUESTION_RE: Final = re.compile(r"[^.!?。！？]*[?？]\s*")
_QUOTES_RE: Final = re.compile(r"[“”「」《》\"]")
_COLON, _COMMA, _SPACE = ("：", ": "), ("、", ", "), ("", " ")
_LONGEST_WORD: Final = 60
"""Characters of first words, where nothing else names a text."""
_COLON_RE: Final = re.compile(r"\s*[:：]\s*")
_EDGES: Final = " \t,.;:!-–—，。；：！、"


class Spoken(NamedTuple):
    """A sentence and, in a dialogue, who says it."""

    sentence: Parsed
    speaker: str = ""


class _Statement(NamedTuple):
    clause: Clause
    subject: str
    """The subject as it is written; empty for a pronoun."""
    named: bool
    """Whether the subject is a name."""
    at: int
    """Place of the predicate."""


def name_of_topic(
    headings: Sequence[str], spoken: Sequence[Spoken], keywords: Sequence[str], parse: Parse, *, titled: bool = True
) -> str:
    """Name a topic by its heading (`titled`) or by what most of its sentences are about, which may be a phrase of a
    heading; else by its keywords or first words."""
    stated = [statement for each in spoken for statement in _statements(each)]
    subject = _best_subject(headings, spoken, stated, parse, titled)
    words = frozenset(query_tokens(subject.text))
    subject_words = words or frozenset(query_tokens(" ".join(keywords[:1])))
    room = max(2.0, LONGEST - size(subject.text))
    fit = (word for word in keywords if size(word) <= room and not subject_words & frozenset(query_tokens(word)))
    other = next(fit, "")
    if subject.text:
        said = _best_said(subject, stated, keywords)
        return _joined(subject.text, said or other, *(_COLON if subject.named else _SPACE if said else _COMMA))
    if keywords:
        return _joined(keywords[0], other, *_COMMA)
    return _first_words(fold_space(" ".join(each.sentence.text for each in spoken)))


def spoken_in(parts: Sequence[Unit], parse: Parse) -> list[list[Spoken]]:
    """Return the sentences of each unit, all parsed in one call; tables and code are not parsed."""
    texts = [
        [part.said] if part.whole else [part.said[start:end].strip() for start, end in sentences(part.said)]
        for part in parts
    ]
    prose = [text for part, said in zip(parts, texts, strict=True) if not part.whole for text in said]
    parsed = dict(zip(prose, parse(prose), strict=True))
    return [
        [Spoken(parsed.get(text, Parsed(text, detect_lang(text))), part.speaker) for text in said]
        for part, said in zip(parts, texts, strict=True)
    ]


def name_of_summary(text: str, lines: Sequence[str], keywords: Sequence[str], parse: Parse) -> str:
    """Name a memory anew by what it says now. The names that it had (`lines`) are
    headings of it, as those in it are."""
    parts = units(text, dialogue=looks_like_dialogue(text))
    spoken = [each for said in spoken_in(parts, parse) for each in said]
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


def _first_words(text: str) -> str:
    words = re.split(r"[，。；：！？、\s]+", text.strip(_EDGES)) if HAN_RE.search(text) else text.strip(_EDGES).split()
    return " ".join(words[: 1 if HAN_RE.search(text) else LONGEST])[:_LONGEST_WORD] or text[:_LONGEST_WORD]


# -- the subject ------------------------------------------------------------------------------------------------------


class _Candidate(NamedTuple):
    text: str
    named: bool
    """Whether it stands before a colon: a title, or a name."""
    headed: bool = False
    title: bool = False
    """Whether it is a whole heading that is one phrase."""


def _best_subject(
    headings: Sequence[str], spoken: Sequence[Spoken], stated: Sequence[_Statement], parse: Parse, titled: bool
) -> _Candidate:
    """Return what most sentences are about: a title that is a name, a phrase of a heading or a sentence's subject."""
    candidates = [candidate for heading in headings for candidate in _of_heading(heading, parse)]
    title = next((candidate for candidate in candidates if candidate.title), None)
    if title is not None and titled:
        return title
    candidates += [_Candidate(each.subject, each.named) for each in stated if each.subject]
    subjects = [frozenset(query_tokens(each.subject)) for each in stated]
    said = [frozenset(query_tokens(each.sentence.text, limit=200)) for each in spoken]

    def about(candidate: _Candidate) -> float:
        words, count, goes_on = frozenset(query_tokens(candidate.text)), 0.0, False
        for statement, subject in zip(stated, subjects, strict=True):
            goes_on = bool(words & subject) if statement.subject else goes_on
            count += goes_on
        count += 0.5 * sum(bool(words) and words <= each for each in said)
        first = bool(subjects and words & subjects[0])
        return (count + (candidate.headed + 0.5 * first if count else 0.0)) * (2.0 if candidate.named else 1.0)

    best = max(candidates, key=about, default=_Candidate("", named=False))
    return best if about(best) or not headings else _Candidate(headings[0].split(" – ")[-1], named=True)


def _of_heading(heading: str, parse: Parse) -> Iterator[_Candidate]:
    """Yield a heading that is one phrase or a name as a title; of any other one the phrases in it."""
    parts = [part.strip(_EDGES) or part for part in heading.split(" – ")]
    joined = " – ".join(parts)
    if len(parts) > 1 and size(joined) <= _LONGEST_SUBJECT and not _QUESTION_RE.search(joined):
        yield _Candidate(joined, named=True, headed=True, title=True)
    titles = [title for title in _COLON_RE.split(parts[-1]) if title]
    for title, parsed in zip(titles, parse(titles), strict=True):
        phrases = noun_phrases(parsed)
        if parsed.lang == "en":
            phrases = [phrase_at(parsed, phrase.last, of=True) for phrase in phrases]
        texts = [written(parsed, phrase.first, phrase.last) for phrase in phrases]
        kinds = {word.pos for word in parsed.tokens}
        is_name = "PROPN" in kinds and kinds <= {"PROPN", "ADP", "DET", "PUNCT", "PART", "CCONJ", "NUM"}
        is_phrase = (
            not kinds & {"VERB", "PRON"}
            if parsed.lang == "zh"
            else any(map(title.rstrip(" 0123456789").endswith, texts[:1]))
        )
        if is_name or (is_phrase and size(title) <= LONGEST and not _QUESTION_RE.search(title)):
            yield _Candidate(title, named=True, headed=True, title=True)
        yield from (_Candidate(text, named=True, headed=True) for text in texts if size(text) <= LONGEST)


def _statements(spoken: Spoken) -> Iterator[_Statement]:
    """Yield what a sentence states first, of a subject that is no more than a few words; empty for a pronoun."""
    for clause in islice((each for each in clauses(spoken.sentence, vague=True) if each.subject), 1):
        (sentence, lang, words), subject = clause.sentence, clause.subject
        head = next((at for at in subject if words[at].role in ("nsubj", "nsubjpass")), None)
        if clause.denied or (lang == "en" and head is None):
            continue
        if lang == "zh":
            at = next((at for at in clause.predicate if at > subject[-1]), 0)
        else:
            at = next((at for at in clause.predicate if words[at].lemma == clause.verb), 0)
            subject = _in_english(clause, head or 0)
        if not (at and subject):
            continue
        text = sentence[words[subject[0]].start : words[subject[-1]].end]
        alone = len(subject) == 1 and words[subject[0]].pos in ("PRON", "DET")
        if clause.refers == "speaker" and spoken.speaker:
            yield _Statement(clause, spoken.speaker, True, at)
        elif alone and not spoken.speaker:
            yield _Statement(clause, "", False, at)
        elif not clause.refers and size(text) <= _LONGEST_SUBJECT:
            yield _Statement(clause, _QUOTES_RE.sub("", text.strip(_EDGES)), words[subject[-1]].pos == "PROPN", at)


def _in_english(clause: Clause, head: int) -> tuple[int, ...]:
    """Return the phrase at the head of a subject, with what follows "of" where that is short."""
    long, short = (phrase_at(clause.sentence, head, of=of) for of in (True, False))
    fits = size(written(clause.sentence, long.first, long.last)) <= _LONGEST_SUBJECT
    return tuple(range((long if fits else short).first, (long if fits else short).last + 1))


# -- what is said of it -----------------------------------------------------------------------------------------------


def _best_said(candidate: _Candidate, stated: Sequence[_Statement], keywords: Sequence[str]) -> str:
    """Return what a sentence says of the subject, the one with most keywords; empty where none does."""
    subject, named = candidate.text, candidate.named
    words = frozenset(query_tokens(subject))
    room = max(2.0, LONGEST - size(subject))
    best, most, about = "", 0.0, False
    for place, statement in enumerate(stated):
        if statement.subject:
            about = bool(words & frozenset(query_tokens(statement.subject)))
        if not about:
            continue
        said, plain = _said(statement, room, bare=named)
        telling = sum(word in said for word in keywords if word not in subject)
        score = plain + 0.5 * telling + 0.3 * (place == 0)
        if said and score > most and not words & frozenset(query_tokens(said)):
            best, most = said, score
    return best


def _said(statement: _Statement, room: float, *, bare: bool) -> tuple[str, float]:
    """Return the predicate in so many words, and how telling it is: with its object, with a place or time, alone."""
    if statement.clause.sentence.lang == "zh":
        return _said_in_chinese(statement, room)
    sentence, at = statement.clause.sentence, statement.at
    words = sentence.tokens
    verb = words[at]
    empty = verb.pos == "AUX" or verb.lemma == "have"
    opening = "" if bare and empty else sentence.text[verb.start : verb.end]
    for place in range(at + 1, len(words)):
        word = words[place]
        if word.head != at or word.role not in ("attr", "acomp", "dobj", "oprd", "prep", "agent"):
            continue
        worth, led = 2.0, ""
        if word.role in ("prep", "agent"):
            worth, led = 1.5, sentence.text[word.start : word.end]
            place = next((below for below, each in enumerate(words) if each.head == place and each.role == "pobj"), -1)
        if place < 0 or words[place].pos not in ("NOUN", "PROPN", "ADJ", "NUM"):
            continue
        for of in (True, False):
            phrase = phrase_at(sentence, place, of=of)
            text = " ".join(part for part in (opening, led, written(sentence, phrase.first, phrase.last)) if part)
            if size(text) <= room and _is_whole(sentence, phrase):
                return text, worth
        if word.role == "dobj":
            return "", 0.0
    alone = not empty and not any(word.role in ("xcomp", "ccomp") and word.head == at for word in words)
    return (opening, 0.5) if alone and size(opening) <= room else ("", 0.0)


def _is_whole(sentence: Parsed, phrase: Phrase) -> bool:
    """Whether no date is cut, and no number stands without what it counts."""
    start, end = sentence.tokens[phrase.first].start, sentence.tokens[phrase.last].end
    days = [day for day in dates.scan(sentence.text) if day.start < end and start < day.end]
    return all(start <= day.start and day.end <= end for day in days) and (
        bool(days) or sentence.tokens[phrase.last].pos != "NUM"
    )


def _said_in_chinese(statement: _Statement, room: float) -> tuple[str, float]:
    sentence, words = statement.clause.sentence, statement.clause.sentence.tokens
    run = [at for at in statement.clause.predicate if at >= statement.at]
    verb = next((at for at in run if words[at].pos in ("VERB", "ADJ")), run[0])
    opening = "" if words[verb].lemma in ("是", "有", "为") else words[verb].lemma
    whole = written(sentence, run[0] if opening else min(verb + 1, run[-1]), run[-1])
    if size(whole) <= room and len(run) <= LONGEST:
        return whole, 2.0
    behind = run[run.index(verb) + 1 :]
    nouns = [words[at].pos in ("NOUN", "PROPN", "NUM") for at in behind]
    behind = behind[len(nouns) - nouns[::-1].index(False) if False in nouns else 0 :]  # the object, that ends a clause
    while behind and size(opening + written(sentence, behind[0], behind[-1])) > room:
        behind = behind[1:]
    if behind and words[behind[-1]].pos != "NUM":
        return opening + written(sentence, behind[0], behind[-1]), 2.0
    alone = opening and verb == run[-1] and words[verb].pos in ("VERB", "ADJ")
    return (opening, 0.5) if alone and size(opening) <= room else ("", 0.0)
