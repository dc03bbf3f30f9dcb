"""Answers of offline research: is the gold answer in what is quoted, and does every quote name its source?

Each question is the goal of a session of its own, with all passages of the set as its corpus: the planner, the offline
researcher, the memory and the last task are the product's. Only quotes count, not the line that repeats the question.
Gold answers and aliases are compared as in SQuAD (Rajpurkar et al. 2016): case, punctuation and articles left out;
Chinese without punctuation. Questions answered by yes or no are left out, for no passage says either. More text holds
more answers, so the lengths are printed and there are three baselines: BM25's best passage whole, the same cut to the
characters of the engine's quotes, and BM25's best passages until they have as many.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from rank_bm25 import BM25Okapi

from memorybank.embedding.base import Embedder
from memorybank.lab.evaluation.data import beside, embedder_for, load_json, only, sampled
from memorybank.lab.evaluation.report import Report, Score, mean_score
from memorybank.lab.evaluation.sessions import held_session
from memorybank.language.text import fold_space
from memorybank.language.tokens import tokenize
from memorybank.memory.types import Lang
from memorybank.session.assembly import offline_parts
from memorybank.settings.config import Settings
from memorybank.tools.corpus import Corpus

SETS: Final = ("MuSiQue", "HotpotQA", "CMRC2018")
SESSIONS = 20
"""Questions of a set that are asked unless all are: each is a whole session."""
EXAMPLES = 2

_QUOTE_RE: Final = re.compile(r"^- (?P<text>.+) \[(?P<source>[^\[\]]+)\]$", re.MULTILINE)
_NODE_RE: Final = re.compile(r"^n\d+: ")
_MARKS_RE: Final = re.compile(r"^\s*[-*•]\s+|^\s*\d{1,2}[.)]\s+", re.MULTILINE)
_ARTICLES_RE: Final = re.compile(r"\b(?:a|an|the)\b")
_HEADING_RE: Final = re.compile(r"\A# [^\n]*\n\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerQuestion:
    text: str
    answers: tuple[str, ...]
    """The gold answer and its aliases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A set: its passages by name of document, and what is asked about them."""

    lang: Lang
    passages: Mapping[str, str]
    questions: tuple[AnswerQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerQuote:
    text: str
    source: str
    """Name of the document; empty for a quote from a memory that stands in none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    question: AnswerQuestion
    answer: str
    quotes: tuple[AnswerQuote, ...]

    def holds(self, text: str) -> bool:
        return holds_answer(text, self.question.answers)

    @property
    def quoted(self) -> str:
        return "\n".join(quote.text for quote in self.quotes)


def run(
    data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None], sets: Sequence[str] = SETS
) -> Report:
    scores: list[Score] = []
    examples: list[Mapping[str, str]] = []
    notes: list[str] = []
    for name in sets:
        library = READERS[name](data)
        chosen = embedder_for([question.text for question in library.questions[:50]], embedder)
        corpus = Corpus.from_bytes({source: text.encode("utf-8") for source, text in library.passages.items()})
        asked = sampled(library.questions, full, SESSIONS)
        progress(f"answers: {name}, {len(asked)} questions over {len(corpus)} passages")
        found = [answered(question, corpus, library.lang, chosen) for question in asked]
        scores += scored(name, found, library)
        silent = sum(not one.quotes for one in found)
        notes.append(f"{name}: {silent} of {len(found)} questions without a quote.")
        examples += _missed(name, found)
    return Report(name="answers", scores=tuple(scores), notes=tuple(notes), examples=tuple(examples))


def answered(question: AnswerQuestion, corpus: Corpus, lang: Lang, embedder: Embedder) -> Answered:
    """A session on the question, run to its end."""
    parts = offline_parts(Settings(), lang, embedder, corpus)
    with held_session(parts, goal=question.text) as session:
        answer = session.run().answer
    return Answered(question=question, answer=answer, quotes=quotes_of(answer))


def quotes_of(answer: str) -> tuple[AnswerQuote, ...]:
    """The lines of an answer that quote: `- sentence [n6: document]`."""
    return tuple(
        AnswerQuote(text=match["text"], source=_NODE_RE.sub("", match["source"]))
        for match in _QUOTE_RE.finditer(answer)
    )


# -- scores -----------------------------------------------------------------------------------------------------------


def scored(data: str, found: Sequence[Answered], library: Library) -> list[Score]:
    baseline = Baseline(library.passages)
    measure = "gold answer in the quoted text"
    best = [baseline.best(one.question.text, 1) for one in found]
    cut = [text[: len(one.quoted)] for one, text in zip(found, best, strict=True)]
    as_long = [baseline.best(one.question.text, max(1, len(one.quoted))) for one in found]
    held = [one.holds(one.quoted) for one in found]
    quoting = [one for one in found if one.quotes]
    over = [float(one) - other for one, other in zip(held, _answer_shares(found, best), strict=True)]
    return [
        mean_score(data, measure, "engine", held),
        mean_score(data, measure, "BM25, best passage", _answer_shares(found, best)),
        mean_score(data, measure, "BM25, best passage cut to the engine's length", _answer_shares(found, cut)),
        mean_score(data, measure, "BM25, at least as long", _answer_shares(found, as_long)),
        mean_score(data, "over BM25's best passage", "engine", over, goal=0.0),
        mean_score(data, "characters quoted", "engine", [len(one.quoted) for one in found]),
        mean_score(data, "characters quoted", "BM25, best passage", [len(text) for text in best]),
        mean_score(data, "characters quoted", "BM25, at least as long", [len(text) for text in as_long]),
        mean_score(data, "sources named", "engine", [sourced(one, library) for one in quoting], goal=1.0),
        mean_score(data, "quotes stand in their source", "engine", [verbatim(one, library) for one in quoting]),
    ]


def _answer_shares(found: Sequence[Answered], texts: Sequence[str]) -> list[float]:
    return [float(one.holds(text)) for one, text in zip(found, texts, strict=True)]


def sourced(one: Answered, library: Library) -> bool:
    """Whether each line that quotes names a document of the corpus."""
    lines = [line for line in one.answer.splitlines() if line.startswith("- ")]
    return len(lines) == len(one.quotes) and all(_named(quote, library) for quote in one.quotes)


def verbatim(one: Answered, library: Library) -> bool:
    """Whether each quote stands word for word, but for white space and list marks, in a document that it names."""
    return all(
        any(_spaceless(quote.text) in _spaceless(library.passages[name]) for name in _named(quote, library))
        for quote in one.quotes
    )


def _spaceless(text: str) -> str:
    return "".join(_MARKS_RE.sub("", text).split())


def _named(quote: AnswerQuote, library: Library) -> list[str]:
    return [name for name in library.passages if name in quote.source]


class Baseline:
    """BM25 over title and text (Robertson and Zaragoza 2009; `rank_bm25`'s Okapi), by the product's tokens."""

    def __init__(self, passages: Mapping[str, str]) -> None:
        self._texts = list(passages.values())
        self._bm25 = BM25Okapi([tokenize(text) or [""] for text in self._texts])

    def best(self, question: str, characters: int) -> str:
        """The best passages, without their titles, until they have so many characters; at least one."""
        scores = np.asarray(self._bm25.get_scores(tokenize(question)))
        quoted, length = list[str](), 0
        for place in np.argsort(-scores, kind="stable").tolist():
            if length >= characters:
                break
            text = _HEADING_RE.sub("", self._texts[place])
            quoted.append(text)
            length += len(text)
        return "\n".join(quoted)


def holds_answer(text: str, answers: Sequence[str]) -> bool:
    """Whether a normalised answer stands in the text at the borders of words (Chinese: anywhere)."""
    said = f" {normal(text)} "
    return any(_stands(normal(answer), said) for answer in answers)


def _stands(answer: str, said: str) -> bool:
    return bool(answer) and (f" {answer} " in said or (not answer.isascii() and answer in said))


def normal(text: str) -> str:
    """Lower case, without articles; every mark is a space, but between digits nothing, and no space between Han."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = re.sub(r"(?<=\d),(?=\d)", "", plain)
    spaced = "".join(char if char.isalnum() else " " for char in plain)
    words = fold_space(_ARTICLES_RE.sub(" ", spaced))
    return re.sub(r"(?<=[^\x00-\u024f]) | (?=[^\x00-\u024f])", "", words)


def _missed(data: str, found: Sequence[Answered]) -> list[Mapping[str, str]]:
    missed = [one for one in found if not one.holds(one.quoted)][:EXAMPLES]
    return [
        {
            "set": data,
            "question": one.question.text,
            "gold": one.question.answers[0],
            "quoted": fold_space(one.quoted)[:160] or "nothing",
        }
        for one in missed
    ]


# -- sets -------------------------------------------------------------------------------------------------------------


def musique(data: Path) -> Library:
    corpus = only(data, "multihop/musique*_corpus.json")
    questions = tuple(
        AnswerQuestion(text=one["question"], answers=(one["answer"], *one["answer_aliases"]))
        for one in load_json(beside(corpus))
    )
    return Library(
        lang="en", passages=named((one["title"], one["text"]) for one in load_json(corpus)), questions=questions
    )


def hotpotqa(data: Path) -> Library:
    corpus = only(data, "multihop/hotpotqa*_corpus.json")
    questions = tuple(
        AnswerQuestion(text=one["question"], answers=(one["answer"],))
        for one in load_json(beside(corpus))
        if one["answer"].strip().lower() not in ("yes", "no")
    )
    passages = ((title, "".join(sentences)) for title, sentences in load_json(corpus).items())
    return Library(lang="en", passages=named(passages), questions=questions)


def cmrc(data: Path) -> Library:
    articles = load_json(only(data, "cmrc2018/*.json"))["data"]
    paragraphs = [(article["title"], paragraph) for article in articles for paragraph in article["paragraphs"]]
    questions = tuple(
        AnswerQuestion(text=asked["question"], answers=tuple(dict.fromkeys(one["text"] for one in asked["answers"])))
        for _, paragraph in paragraphs
        for asked in paragraph["qas"]
    )
    passages = ((title, paragraph["context"]) for title, paragraph in paragraphs)
    return Library(lang="zh", passages=named(passages), questions=questions)


def named(passages: Iterator[tuple[str, str]]) -> dict[str, str]:
    """One Markdown document a passage, its title as heading; documents are named by number and title."""
    found = {}
    for number, (title, text) in enumerate(passages, start=1):
        safe = fold_space("".join(char if char.isalnum() else " " for char in title))[:60]
        found[f"{number:04} {safe}.md"] = f"# {fold_space(title)}\n\n{text}"
    return found


READERS: Final[dict[str, Callable[[Path], Library]]] = dict(zip(SETS, (musique, hotpotqa, cmrc), strict=True))
