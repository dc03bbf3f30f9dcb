"""Small collections of documents, made by rule, half of them Chinese, each with who states what.

What a document states as its own is known of each value, so that a value may stand in a document (as another's word, as
what was corrected, as another thing's) and is yet not what that document says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import yaml

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import offline_parts
from memorybank.session.intake import file_source
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.tools.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeCorpus:
    name: str
    lang: Lang
    goal: str
    documents: tuple[tuple[str, str], ...]
    """Paths and texts; two may have one base name."""
    given: int
    """So many of them are handed over under their base names; the others lie in the corpus folder."""
    stated: Mapping[str, frozenset[str]]
    """Each value, and the texts that state it."""
    shape: str
    """What is difficult about it: the name of what made it."""


@dataclass(frozen=True, slots=True)
class _Matter:
    """What may be said of a thing, and how it is asked."""

    sentences: Sequence[str]
    """One statement in several wordings; {s} is the thing, {v} the value."""
    value: str
    """How the value is written; {n} is its number."""
    question: str
    low: int
    high: int


_WORDS: Final[dict[Lang, dict[str, Any]]] = yaml.safe_load(Path(__file__).with_name("wordings.yaml").read_text("utf-8"))


class _Maker:
    """Draws one corpus."""

    def __init__(self, number: int, lang: Lang) -> None:
        self.lang = lang
        self.draw = random.Random(f"truth {number} {lang}")
        self.words = words = _WORDS[lang]
        own, (first, second) = self.draw.choice(words["own"]), self.draw.choice(words["kinds"])
        self.thing, self.other = first.format(own), second.format(own)
        self.matters = [_Matter(**told) for told in self.draw.sample(words["matters"], 2)]
        self.fillers = self.draw.sample(words["fillers"], len(words["fillers"]))
        self.names = self.draw.sample(words["names"], len(words["names"]))
        self.documents: list[tuple[str, str]] = []
        self.stated: dict[str, set[str]] = {}

    def values(self, matter: _Matter, count: int) -> list[str]:
        """Numbers far apart, so that none is about another."""
        step = max(7, (matter.high - matter.low) // 12)
        numbers = self.draw.sample(range(matter.low, matter.high, step), count)
        return [matter.value.format(n=number + self.draw.randrange(step // 2)) for number in numbers]

    def says(self, matter: _Matter, value: str, thing: str = "") -> str:
        sentence = self.draw.choice(matter.sentences).format(s=thing or self.thing, v=value)
        return sentence[:1].upper() + sentence[1:]

    def write(self, *said: tuple[str, str], extra: Sequence[str] = (), name: str = "", body: str = "") -> str:
        """A document that states each (sentence, value)."""
        name = name or f"{self.names[len(self.documents)]}.md"
        fillers = [self.fillers.pop() for _ in range(2)] if not body else []
        between = "" if self.lang == "zh" else " "
        text = body or f"{between.join([*(sentence for sentence, _ in said), *extra, *fillers])}\n"
        self.documents.append((name, text))
        for _, value in said:
            self.stated.setdefault(value, set()).add(text)
        return text

    def corpus(self, number: int, shape: str, *matters: _Matter, things: Sequence[str] = ()) -> MadeCorpus:
        questions = [matter.question.format(s=thing) for matter in matters for thing in things or (self.thing,)]
        return MadeCorpus(
            name=f"{self.lang}-{number:02}-{shape}",
            lang=self.lang,
            goal=("" if self.lang == "zh" else " ").join(questions),
            documents=tuple(self.documents),
            given=self.draw.randint(1, len(self.documents)),
            stated={value: frozenset(texts) for value, texts in self.stated.items()},
            shape=shape,
        )


def _same_names(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second = make.values(matter, 2)
    for place, value in enumerate([first, second, first, first]):
        make.write((make.says(matter, value), value), name=f"{place + 1}/README.md")
    return make.corpus(number, "same_names", matter)


def _three_values(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second, third = make.values(matter, 3)
    for value in [first, second, first, third, first]:
        make.write((make.says(matter, value), value))
    return make.corpus(number, "three_values", matter)


def _quoting(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second = make.values(matter, 2)
    make.write((make.says(matter, first), first))
    for place, value in enumerate([second, second, first]):
        other = second if value == first else first
        told = make.words["as_anothers"][place % 2].format(other=make.names[value == first], v=other)
        make.write((make.says(matter, value), value), extra=[told])
    return make.corpus(number, "quoting", matter)


def _copies(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second = make.values(matter, 2)
    text = make.write((make.says(matter, first), first))
    for place in range(2):
        body = text if place else f"{make.fillers.pop()}\n\n{text}"
        body = f"{body}\n{make.fillers.pop()}\n"
        make.write(("", first), body=body)
    for _ in range(2):
        make.write((make.says(matter, second), second))
    return make.corpus(number, "copies", matter)


def _other_things(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second = make.values(matter, 2)
    for thing, value in ((make.thing, first), (make.other, second)) * 2:
        make.write((make.says(matter, value, thing), value))
    return make.corpus(number, "other_things", matter, things=(make.thing, make.other))


def _two_questions(make: _Maker, number: int) -> MadeCorpus:
    one, two = make.matters
    (first, second), (third, fourth) = make.values(one, 2), make.values(two, 2)
    for left, right in ((first, third), (second, third), (first, fourth), (first, third)):
        make.write((make.says(one, left), left), (make.says(two, right), right))
    return make.corpus(number, "two_questions", one, two)


def _corrected(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second = make.values(matter, 2)
    make.write((make.says(matter, first), first))
    for _ in range(2):
        told = make.words["corrected"].format(other=make.names[len(make.documents)], v=first)
        make.write((make.says(matter, second), second), extra=[told])
    return make.corpus(number, "corrected", matter)


_SHAPES: Final[Sequence[Callable[[_Maker, int], MadeCorpus]]] = (
    _same_names, _three_values, _quoting, _copies, _other_things, _two_questions, _corrected,
)  # fmt: skip
SHAPES: Final = tuple(shape.__name__.removeprefix("_") for shape in _SHAPES)
COUNT: Final = 28  # two of each shape and language


def corpora(count: int = COUNT) -> Iterator[MadeCorpus]:
    """The same ones each time, of each shape in turn, English and Chinese by turns."""
    langs: tuple[Lang, Lang] = ("en", "zh")
    for number in range(count):
        lang = langs[number % 2]
        shape = _SHAPES[number // 2 % len(_SHAPES)]
        yield shape(_Maker(number, lang), number)


# -- sessions on them, on the offline engine with the embedding that needs no model ------------------------------------

FED_WITH_FALSE: Final = (
    "tests/session/stages/test_document_names.py::test_images_of_one_name",  # one picture is read as two texts
)
"""Tests, or files of them, whose sessions are given what is false on purpose, and why."""


def worked_on(corpus: MadeCorpus, folder: Path, embedder: HashedNgrams) -> Path:
    """The run's folder of a session that was given some of the documents, and has all of them to search."""
    for path, text in corpus.documents:
        (folder / "documents" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "documents" / path).write_text(text, "utf-8")
    settings = replace(
        Settings(), engine="offline", embedding_model="hashed-ngrams", corpus=folder / "documents", max_rounds=12
    )
    parts = offline_parts(settings, corpus.lang, embedder, Corpus.open(folder / "documents"))
    run = RunFolder(folder / "run")
    given = [file_source(folder / "documents" / path, run) for path, _ in corpus.documents[: corpus.given]]
    with Session.start(run.path, parts, goal=corpus.goal, sources=given) as session:
        session.run()
    return run.path
