"""Reading the public sets from a folder (`--data`), and the project's own demo material, as a session ingests them.

Nothing of the public sets is part of the project.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from memorybank.embedding.base import Embedder
from memorybank.embedding.models import MINILM, resolve
from memorybank.errors import InputError
from memorybank.memory.types import EntryKind, Lang
from memorybank.tools.corpus import Corpus

T = TypeVar("T")

SAMPLE = 500
"""Items of a set that are taken unless everything is asked for; with a fixed seed, so that it is the same ones."""


def only(folder: Path, pattern: str) -> Path:
    """Return the first file below `folder` that matches, by name. Raises InputError, naming what is missing."""
    found = sorted(folder.glob(pattern))
    if not found:
        raise InputError(f"{folder} holds no {pattern}: give --data the folder with the evaluation sets")
    return found[0]


def beside(corpus: Path) -> Path:
    """Return the questions that go with a corpus of passages: `x.json` beside `x_corpus.json`."""
    return corpus.with_name(corpus.name.replace("_corpus", ""))


def load_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"{path.name} is not JSON ({error}): restore it from its source") from None


def sampled(items: Sequence[T], full: bool, count: int = SAMPLE) -> list[T]:
    """Return all items, or `count` at random with a fixed seed, in their own order."""
    if full or len(items) <= count:
        return list(items)
    chosen = sorted(random.Random(0).sample(range(len(items)), count))  # noqa: S311 - a sample, not a secret
    return [items[place] for place in chosen]


def embedder_for(texts: Sequence[str], given: Embedder) -> Embedder:
    """Return the model a session on these texts gets by default; a model that was asked for by name stays."""
    choice = resolve("auto", texts)
    if given.name != MINILM.name or choice.spec.name == given.name:
        return given
    from memorybank.embedding.process import shared

    return shared(choice)


# -- texts to sum up --------------------------------------------------------------------------------------------------

DEMO: Final = Path(__file__).resolve().parents[2] / "assets" / "corpus"

CHAPTER = 5_000
"""Characters of a chapter that are read."""
_CHAPTER_RE: Final = re.compile(r"(?m)^第[一二三四五六七八九十百零〇]+回")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    name: str
    text: str
    kind: EntryKind = "document"


def choi(data: Path) -> Iterator[Text]:
    only(data, "choi/*/*/0.ref")
    for path in sorted(data.glob("choi/*/*/*.ref")):
        parts = [part.strip() for part in path.read_text("utf-8", "replace").split("==========\n")]
        yield Text(name=f"{path.parent.name}/{path.stem}", text="\n\n".join(part for part in parts if part))


def web_en(data: Path) -> Iterator[Text]:
    for known in load_json(only(data, "web_en/ground-truth.json")).values():
        yield Text(name=known["url"], text=known["articleBody"])


def dialogues(data: Path) -> Iterator[Text]:
    for user, known in load_json(only(data, "memorybank/memory_bank_cn*.json")).items():
        for day, turns in known["history"].items():
            lines = [f"{user}: {turn['query']}\nAI: {turn['response']}" for turn in turns]
            yield Text(name=f"{user} {day}", text="\n".join(lines), kind="dialogue")


def novels(data: Path) -> Iterator[Text]:
    only(data, "zh_novel/*.txt")
    for path in sorted(data.glob("zh_novel/*.txt")):
        text = path.read_text("utf-8-sig")
        starts = [match.start() for match in _CHAPTER_RE.finditer(text)]
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), start=1):
            yield Text(name=f"{path.stem} {number}", text=text[start:end].strip()[:CHAPTER])


def cmrc(data: Path) -> Iterator[Text]:
    for article in load_json(only(data, "cmrc2018/*.json"))["data"]:
        for paragraph in article["paragraphs"]:
            yield Text(name=article["title"], text=paragraph["context"])


def demo(lang: Lang) -> Iterator[Text]:
    """Yield the project's own demo material."""
    for document in Corpus.open(DEMO / lang):
        yield Text(name=document.name, text=document.text)


SETS: Final[dict[str, Callable[[Path], Iterator[Text]]]] = {
    "Choi": choi,
    "web_en": web_en,
    "MemoryBank": dialogues,
    "novels": novels,
    "CMRC2018": cmrc,
    "demo en": lambda _: demo("en"),
    "demo zh": lambda _: demo("zh"),
}
