"""A hundred small collections of documents, made by rule, half of them Chinese, each with who states what.

What a document states as its own is known of each value, so that a value may stand in a document (as another's word, as
what was corrected, as another thing's) and is yet not what that document says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

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


_MATTERS: Final[dict[Lang, Sequence[_Matter]]] = {
    "en": (
        _Matter(("{s} is {v} long.", "The length of {s} is {v}.", "{s} is {v} long from end to end."),
                "{n} metres", "How long is {s}?", 110, 890),
        _Matter(("{s} was completed in {v}.", "In {v}, {s} was completed.", "{s} was completed in the year {v}."),
                "{n}", "When was {s} completed?", 1710, 1930),
        _Matter(("{s} employs {v}.", "{v} are employed at {s}.", "Today {s} employs {v}."),
                "{n} people", "How many people does {s} employ?", 24, 96),
    ),
    "zh": (
        _Matter(("{s}长{v}。", "{s}全长{v}。", "{s}的长度为{v}。"), "{n}米", "{s}有多长？", 110, 890),
        _Matter(("{s}建成于{v}。", "{s}于{v}建成。", "{v}，{s}建成。"), "{n}年", "{s}建成于哪一年？", 1710, 1930),
        _Matter(("{s}有{v}。", "{s}现有{v}。", "如今{s}有{v}。"), "{n}名职工", "{s}有多少名职工？", 24, 96),
    ),
}  # fmt: skip
_OWN: Final[dict[Lang, Sequence[str]]] = {
    "en": "Harrow Calder Brightwell Selwick Ormsay Tarn Wexley Dunmore Kessel Pendle Lorne Ashby Merrow".split(),
    "zh": "青岚 永宁 白石 清河 云溪 松坪 石湾 东岭 南浦 长汀 金沙 紫微 龙泉".split(),
}
_KINDS: Final[dict[Lang, Sequence[tuple[str, str]]]] = {
    "en": (("the {} Viaduct", "the {} Aqueduct"), ("{} Castle", "{} Abbey"), ("the {} Mill", "the {} Brewery")),
    "zh": (("{}石桥", "{}渡槽"), ("{}古堡", "{}书院"), ("{}造纸厂", "{}纺织厂")),
}
_FILLERS: Final[dict[Lang, Sequence[str]]] = {
    "en": (
        "A path leads up from the station, past two farms and a chapel.",
        "Swifts nest under the eaves every summer.",
        "The café by the gate bakes its own bread on market days.",
        "In wet weather the lower meadow floods, and visitors take the upper road.",
        "School classes come here in June with their teachers.",
        "The old photographs hang in the town library, on the second floor.",
        "Dogs are welcome, but they must be kept on a lead.",
        "A brass plate beside the door names the masons.",
        "On clear days one can see the sea from the terrace.",
        "The keeper rings a bell at dusk before he locks the gate.",
        "Moss has grown over the northern wall, and nobody minds.",
        "Painters from the city rent the cottage next to it.",
        "The bus stops at the crossroads twice an hour.",
        "A small fair is held in the yard each autumn.",
    ),
    "zh": (
        "从车站沿小路上来，要经过一片竹林和一座小庙。",
        "每到夏天，屋檐下总有燕子筑巢。",
        "门口的茶馆在赶集的日子自己蒸糕。",
        "雨天低处的田会积水，游人改走上面的路。",
        "六月里常有学校的老师带学生来参观。",
        "旧照片挂在镇上的图书室里，随时可以翻看。",
        "可以带狗入内，但是必须拴好绳子。",
        "门边的铜牌上刻着石匠们的姓名。",
        "天气晴朗的时候，从平台上能望见江面。",
        "黄昏锁门之前，看守人会敲一次钟。",
        "北墙上长满青苔，大家都不介意。",
        "城里来的画家常租下旁边的小屋。",
        "路口的班车来往很方便，老人都爱坐。",
        "每年秋天，院子里都有一场小小的集市。",
    ),
}  # fmt: skip
_NAMES: Final[dict[Lang, Sequence[str]]] = {
    "en": "guide gazette survey letter blog leaflet archive diary".split(),
    "zh": "县志 晚报 勘测 书信 游记 展板 档案 日记".split(),
}
_AS_ANOTHERS: Final[dict[Lang, Sequence[str]]] = {
    "en": ("The {other} gives {v}; that is a misprint.", "One reads {v} in the {other}, which nobody here believes."),
    "zh": ("{other}写的是{v}，那是笔误。", "{other}里说是{v}，这里没有人相信。"),
}
_CORRECTED: Final[dict[Lang, str]] = {
    "en": "An earlier edition of this {other} had {v} by mistake.",
    "zh": "本{other}的旧版误作{v}。",
}


class _Maker:
    """Draws one corpus."""

    def __init__(self, number: int, lang: Lang) -> None:
        self.lang = lang
        self.draw = random.Random(f"truth {number} {lang}")
        own, (first, second) = self.draw.choice(_OWN[lang]), self.draw.choice(_KINDS[lang])
        self.thing, self.other = first.format(own), second.format(own)
        self.matters = self.draw.sample(_MATTERS[lang], 2)
        self.fillers = self.draw.sample(_FILLERS[lang], len(_FILLERS[lang]))
        self.names = self.draw.sample(_NAMES[lang], len(_NAMES[lang]))
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

    def corpus(self, number: int, shape: str, *questions: str) -> MadeCorpus:
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
    return make.corpus(number, "same_names", matter.question.format(s=make.thing))


def _three_values(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second, third = make.values(matter, 3)
    for value in [first, second, first, third, first]:
        make.write((make.says(matter, value), value))
    return make.corpus(number, "three_values", matter.question.format(s=make.thing))


def _quoting(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second = make.values(matter, 2)
    make.write((make.says(matter, first), first))
    for place, value in enumerate([second, second, first]):
        other = second if value == first else first
        told = _AS_ANOTHERS[make.lang][place % 2].format(other=make.names[value == first], v=other)
        make.write((make.says(matter, value), value), extra=[told])
    return make.corpus(number, "quoting", matter.question.format(s=make.thing))


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
    return make.corpus(number, "copies", matter.question.format(s=make.thing))


def _other_things(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second = make.values(matter, 2)
    for thing, value in ((make.thing, first), (make.other, second)) * 2:
        make.write((make.says(matter, value, thing), value))
    return make.corpus(number, "other_things", *(matter.question.format(s=thing) for thing in (make.thing, make.other)))


def _two_questions(make: _Maker, number: int) -> MadeCorpus:
    one, two = make.matters
    (first, second), (third, fourth) = make.values(one, 2), make.values(two, 2)
    for left, right in ((first, third), (second, third), (first, fourth), (first, third)):
        make.write((make.says(one, left), left), (make.says(two, right), right))
    return make.corpus(number, "two_questions", *(matter.question.format(s=make.thing) for matter in (one, two)))


def _corrected(make: _Maker, number: int) -> MadeCorpus:
    matter = make.matters[0]
    first, second = make.values(matter, 2)
    make.write((make.says(matter, first), first))
    for _ in range(2):
        told = _CORRECTED[make.lang].format(other=make.names[len(make.documents)], v=first)
        make.write((make.says(matter, second), second), extra=[told])
    return make.corpus(number, "corrected", matter.question.format(s=make.thing))


_SHAPES: Final[Sequence[Callable[[_Maker, int], MadeCorpus]]] = (
    _same_names, _three_values, _quoting, _copies, _other_things, _two_questions, _corrected,
)  # fmt: skip
SHAPES: Final = tuple(shape.__name__.removeprefix("_") for shape in _SHAPES)
COUNT: Final = 100


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
