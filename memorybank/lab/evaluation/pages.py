"""Main text of web pages, and text in pictures, as `visit` and `read_image` give them.

Pages: precision, recall and F1 over the 4-word shingles of the annotated article, F1 from the means over pages, as the
article extraction benchmark (Zyte 2020, https://github.com/scrapinghub/article-extraction-benchmark) has it. The page's
title, which `visit` writes above the text, is not part of what is annotated. Control: all text of the page
(BeautifulSoup).

Pictures: the character error rate, edits over the characters of the truth (Levenshtein), space left out and width
folded (１ is 1), because neither is seen in a picture. `in any order` counts characters that were not read at all: what
it lacks of the error rate is the order of columns and lines.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from memorybank.embedding.base import Embedder
from memorybank.engines.offline.ocr import OcrReader
from memorybank.errors import ToolError
from memorybank.lab.evaluation.data import load_json, only, sampled
from memorybank.lab.evaluation.report import RESAMPLES, Report, Score, mean_score
from memorybank.language.text import detect_lang
from memorybank.memory.types import Lang
from memorybank.runs.files.images import prepare_image
from memorybank.tools.web.fetch import Fetched
from memorybank.tools.web.media import Media
from memorybank.tools.web.reading_process import read_page

GOAL = 0.95
"""F1 of the main text."""
SHINGLE = 4
EXAMPLES = 5

_WORD_RE: Final = re.compile(r"\w+")
_SPACE_RE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecimenPage:
    url: str
    html: bytes
    article: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecimenPicture:
    name: str
    data: bytes
    text: str

    @property
    def lang(self) -> Lang:
        return detect_lang(self.text)


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """No embedding model is asked: neither page nor picture needs one."""
    page_scores, page_examples = of_pages(sampled(list(pages(data)), full), progress)
    picture_scores, picture_examples = of_pictures(list(pictures(data)), progress)
    return Report(
        name="pages",
        scores=(*page_scores, *picture_scores),
        notes=("The title that visit writes above a page's text is left out: the annotation does not hold it.",),
        examples=(*page_examples, *picture_examples),
    )


# -- pages ------------------------------------------------------------------------------------------------------------


def of_pages(
    pages: Sequence[SpecimenPage], progress: Callable[[str], None]
) -> tuple[list[Score], list[Mapping[str, str]]]:
    scores: list[Score] = []
    examples: list[Mapping[str, str]] = []
    for system, read in (("engine", main_text), ("all text of the page", all_text)):
        progress(f"pages: {system}, {len(pages)} pages")
        found = [precision_recall(page.article, read(page)) for page in pages]
        scores.append(f1_score("web_en", system, found, goal=GOAL if system == "engine" else None))
        scores.append(mean_score("web_en", "precision", system, [precision for precision, _ in found]))
        scores.append(mean_score("web_en", "recall", system, [recall for _, recall in found]))
        if system == "engine":
            examples = _worst_pages(pages, found)
    return scores, examples


def main_text(page: SpecimenPage) -> str:
    """As `visit` reads what was fetched, without the title it puts first; empty where it refuses the page."""
    media = Media.of("text/html; charset=utf-8")
    try:
        found = read_page(Fetched(url=page.url, kind="page", media=media, data=page.html))
    except ToolError:
        return ""
    return found.text.removeprefix(f"# {found.title}\n")


def all_text(page: SpecimenPage) -> str:
    from bs4 import BeautifulSoup

    return BeautifulSoup(page.html, "lxml", from_encoding="utf-8").get_text(" ")


def precision_recall(truth: str, found: str) -> tuple[float, float]:
    """Over shingles with their counts; a text of fewer words than a shingle is one shingle."""
    known, given = shingles(truth), shingles(found)
    shared = (known & given).total()
    return shared / max(1, given.total()), shared / max(1, known.total())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD_RE.findall(text)
    if not words:
        return Counter()
    return Counter(tuple(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1)))


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def f1_score(data: str, system: str, found: Sequence[tuple[float, float]], *, goal: float | None) -> Score:
    """Of the mean precision and recall; the interval from resampled pages."""
    rows = np.asarray(found, dtype=np.float64)
    draws = np.random.default_rng(0).integers(0, len(rows), (RESAMPLES, len(rows)))
    resampled = [f1(*pair) for pair in rows[draws].mean(axis=1).tolist()]
    low, high = np.percentile(resampled, [2.5, 97.5])
    value = f1(*rows.mean(axis=0).tolist())
    return Score(
        data=data, measure="F1", system=system, value=value, low=float(low), high=float(high), n=len(rows), goal=goal
    )


def _worst_pages(given: Sequence[SpecimenPage], found: Sequence[tuple[float, float]]) -> list[Mapping[str, str]]:
    order = sorted(range(len(given)), key=lambda place: (f1(*found[place]), place))[:EXAMPLES]
    return [
        {"page": given[place].url, "precision": f"{found[place][0]:.2f}", "recall": f"{found[place][1]:.2f}"}
        for place in order
    ]


def pages(data: Path) -> Iterator[SpecimenPage]:
    truth = load_json(only(data, "web_en/ground-truth.json"))
    for key, known in truth.items():
        packed = only(data, f"web_en/html/{key}.html.gz")
        yield SpecimenPage(url=known["url"], html=gzip.decompress(packed.read_bytes()), article=known["articleBody"])


# -- pictures ---------------------------------------------------------------------------------------------------------


def of_pictures(
    given: Sequence[SpecimenPicture], progress: Callable[[str], None]
) -> tuple[list[Score], list[Mapping[str, str]]]:
    scores: list[Score] = []
    examples: list[Mapping[str, str]] = []
    languages: tuple[Lang, ...] = ("en", "zh")
    for lang in languages:
        chosen = [picture for picture in given if picture.lang == lang]
        progress(f"pictures: {lang}, {len(chosen)} pictures")
        read = [read_text(picture) for picture in chosen]
        truths = [folded(picture.text) for picture in chosen]
        rates = [edits(truth, found) / len(truth) for truth, found in zip(truths, read, strict=True)]
        missed = [unread(truth, found) / len(truth) for truth, found in zip(truths, read, strict=True)]
        data = f"pictures {lang}"
        scores.append(mean_score(data, "character error rate", "engine", rates, at_most=True))
        scores.append(_of_all_characters(data, truths, rates))
        scores.append(mean_score(data, "characters not read, in any order", "engine", missed, at_most=True))
        worst = sorted(range(len(chosen)), key=lambda place: (-rates[place], place))[:2]
        examples += [_picture_example(chosen[place], rates[place], missed[place]) for place in worst if rates[place]]
    return scores, examples


def read_text(picture: SpecimenPicture) -> str:
    """As a staged picture is prepared and read, what is seen of it."""
    prepared = prepare_image(picture.name, picture.data)
    found = OcrReader(picture.lang).read(prepared.data)
    return folded(found.text) if found.readable else ""


def folded(text: str) -> str:
    """Remove white space and fold the width of characters."""
    return _SPACE_RE.sub("", unicodedata.normalize("NFKC", text))


def edits(truth: str, found: str) -> int:
    """Insertions, deletions and substitutions between two texts (Levenshtein 1966); one row of the table at a time."""
    target = np.array([ord(char) for char in found], dtype=np.int64)
    places = np.arange(len(found) + 1)
    row = places.copy()
    for char in truth:
        kept = row[:-1] + (target != ord(char))
        best = np.minimum(row[1:] + 1, kept)
        row = np.concatenate(([row[0] + 1], best))
        row = np.minimum.accumulate(row - places) + places  # insertions: each costs one more to the right
    return int(row[-1])


def unread(truth: str, found: str) -> int:
    """Characters of the truth that are nowhere in what was read."""
    return (Counter(truth) - Counter(found)).total()


def _of_all_characters(data: str, truths: Sequence[str], rates: Sequence[float]) -> Score:
    """One rate over all characters, so that a line of two of them does not weigh as much as a page."""
    sizes = np.array([len(truth) for truth in truths], dtype=np.float64)
    wrong = sizes * np.asarray(rates)
    draws = np.random.default_rng(0).integers(0, max(1, len(sizes)), (RESAMPLES, len(sizes)))
    low, high = (0.0, 0.0)
    if len(sizes):
        low, high = np.percentile(wrong[draws].sum(axis=1) / sizes[draws].sum(axis=1), [2.5, 97.5])
    return Score(
        data=data,
        measure="error rate over all characters",
        system="engine",
        value=float(wrong.sum() / max(1.0, sizes.sum())),
        low=float(low),
        high=float(high),
        n=int(sizes.sum()),
        at_most=True,
    )


def _picture_example(picture: SpecimenPicture, rate: float, missed: float) -> Mapping[str, str]:
    return {
        "picture": picture.name,
        "character error rate": f"{rate:.3f}",
        "characters not read": f"{missed:.3f}",
        "truth": picture.text[:60],
    }


def pictures(data: Path) -> Iterator[SpecimenPicture]:
    """The pages of Tesseract's tests, with their truth in files beside them, and the lines of CnOCR's examples.

    A picture without a truth is left out; a page that stands upside down has the truth of the upright one.
    """
    lines = only(data, "ocr/cnocr/truth.json")
    for name, written in load_json(lines).items():
        yield SpecimenPicture(name=name, data=lines.with_name(name).read_bytes(), text="\n".join(written))
    for path in sorted(only(data, "ocr/tesseract/*.txt").parent.iterdir()):
        truth = _truth_beside(path) if path.suffix in (".tif", ".png") else None
        if truth is not None:
            yield SpecimenPicture(name=path.name, data=path.read_bytes(), text=truth.read_text("utf-8"))


def _truth_beside(path: Path) -> Path | None:
    stem = path.stem.removesuffix("-rotated-180")
    beside = (path.with_name(f"{stem}{suffix}") for suffix in (".txt", ".gold.txt"))
    return next((one for one in beside if one.exists()), None)
