"""The demo material is what `truth.yaml` says: complete, findable, and worded independently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import get_args

import pytest
import yaml
from bs4 import BeautifulSoup
from pypdf import PdfReader

from memorybank.language.text import detect_lang
from memorybank_lab.evaluation.planted import PlantedItem, PlantedTruth, read_truth, variant
from memorybank_lab.evaluation.planted.truth import CONFLICTS, CONTRADICTIONS, Lang

ASSETS = Path(__file__).parents[2] / "assets"
CORPUS = ASSETS / "corpus"
LANGS: tuple[Lang, ...] = get_args(Lang)
TRUTH = read_truth(CORPUS / "truth.yaml")
CENSUS = Counter(dict.fromkeys((*CONFLICTS, "false_alarm"), 1) | {"overlap": 3, "near_miss": 6})
"""Items of each kind that every corpus holds."""

each_lang = pytest.mark.parametrize("lang", LANGS)
each_corpus = pytest.mark.parametrize(
    "seed", [None, 0, 1, 3], ids=lambda seed: "demo" if seed is None else f"seed {seed}"
)


def text_of(path: Path) -> str:
    if path.suffix == ".pdf":
        return "\n".join(page.extract_text() for page in PdfReader(path).pages)
    text = path.read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser").get_text() if path.suffix == ".html" else text


@cache
def corpus(lang: Lang, seed: int | None) -> tuple[dict[str, str], PlantedTruth]:
    """The demo corpus (no seed) or a variant: file name → text, and the truth."""
    if seed is not None:
        made = variant(seed, lang)
        return made.documents, made.truth
    return {path.name: text_of(path) for path in sorted((CORPUS / lang).iterdir())}, TRUTH[lang]


def shingles(text: str, lang: Lang) -> set[str]:
    """Runs of five words, or of ten Han characters."""
    units = re.findall(r"\w+", text.lower()) if lang == "en" else re.findall(r"\w", text)
    length = 5 if lang == "en" else 10
    return {" ".join(units[at : at + length]) for at in range(len(units) - length + 1)}


def statements(truth: PlantedTruth) -> Iterator[tuple[PlantedItem, str, str]]:
    """Every (item, document, words it must hold)."""
    for item in truth.items:
        for statement in item.statements:
            for document, words in statement.said.items():
                yield item, document, words


@each_lang
@each_corpus
def test_census_is_complete(lang: Lang, seed: int | None) -> None:
    _, truth = corpus(lang, seed)
    census = Counter(item.kind for item in truth.items)
    assert census >= CENSUS
    assert seed is None or census == CENSUS, "a variant has nothing beside"
    assert len({item.id for item in truth.items}) == len(truth.items)
    assert {item.field for item in truth.items if item.verdict}, "conflicts name their field"
    for item in truth.of(*CONTRADICTIONS):
        assert item.about == item.kind
        assert item.verdict == "resolved"
        wrong, right = item.statements
        assert (wrong.wrong, right.wrong) == (True, False)
        assert right.value == item.true_value != wrong.value
        assert len(right.said) >= 2 > len(wrong.said), f"{item.id}: independent documents must outvote the wrong one"
    for unsettled in truth.of("unsettled"):
        assert unsettled.verdict == "inconclusive"
        assert [len(statement.said) for statement in unsettled.statements] == [1, 1]
    (both,) = truth.of("both_wrong")
    assert [statement.wrong for statement in both.statements] == [True, True, False]
    assert {both.verdict_of(pair) for pair in both.pairs} == {"both_wrong", "resolved"}
    (three,) = truth.of("group_of_three")
    assert len({statement.value for statement in three.statements}) == 3
    assert bool(three.true_value) == (three.verdict == "resolved")
    (alarm,) = truth.of("false_alarm")
    assert alarm.verdict == "false_alarm"
    assert alarm.explained_by
    agreed = truth.of("false_alarm", "overlap", "near_miss")
    assert all(item.pairs and not any(each.wrong for each in item.statements) for item in agreed)


@each_lang
@each_corpus
def test_documents_say_what_the_truth_says(lang: Lang, seed: int | None) -> None:
    documents, truth = corpus(lang, seed)
    for item, document, words in statements(truth):
        assert words.casefold() in documents[document].casefold(), f"{item.id}: {document} does not say {words!r}"
        for other in item.statements:
            if document not in other.said and item.kind not in ("near_miss", "false_alarm"):
                assert not any(each in documents[document] for each in other.said.values() if len(each) > 3)
    for item in truth.items:
        assert set(item.explained_by) <= documents.keys()
    raised, spared = set(truth.pairs(*CONFLICTS)), set(truth.pairs("near_miss", "overlap", "false_alarm"))
    assert not raised & spared


@each_lang
@pytest.mark.parametrize("seed", range(3))
def test_documents_of_a_conflict_are_worded_independently(lang: Lang, seed: int) -> None:
    documents, truth = corpus(lang, seed)
    for item in truth.of(*CONFLICTS):
        for a, b in combinations(item.documents, 2):
            first, second = (shingles(documents[name], lang) for name in (a, b))
            assert len(first & second) / min(len(first), len(second)) < 0.3, (item.id, a, b)


def test_tasks_name_existing_corpora_and_images() -> None:
    tasks = yaml.safe_load((ASSETS / "tasks.yaml").read_text(encoding="utf-8"))
    assert [task["lang"] for task in tasks].count("en") == [task["lang"] for task in tasks].count("zh") == 4
    assert len({task["id"] for task in tasks}) == 8
    for task in tasks:
        assert set(task) - {"recorded"} == {"id", "lang", "title", "task", "corpus", "images"}
        assert detect_lang(task["task"]) == task["lang"] == task["corpus"]
        assert all((ASSETS / "images" / name).is_file() for name in task["images"])
