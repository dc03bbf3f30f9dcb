"""Pairs of texts and whether they contradict each other, read from the public sets as they were published."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from memorybank.errors import InputError
from memorybank.lab.evaluation.data import every, load_lines, only
from memorybank.memory.types import Lang


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    left: str
    right: str
    contradicts: bool
    lang: Lang = "en"
    group: str = ""
    """Pairs of one group share texts: a control must not learn from one of them and be asked another."""
    question: str = ""
    """What the texts were found for, where the set says so."""


def sick(data: Path) -> Iterator[Pair]:
    """Sentences Involving Compositional Knowledge (Marelli et al. 2014): captions with minimal edits."""
    for path in every(data, "sick/SICK*.txt"):
        for row in _table(path, "utf-8"):
            contradicts = row["entailment_judgment"] == "CONTRADICTION"
            yield Pair(left=row["sentence_A"], right=row["sentence_B"], contradicts=contradicts, group=row["pair_ID"])


def fever_symmetric(data: Path) -> Iterator[Pair]:
    """Claims with evidence for and against, so that the claim alone tells nothing (Schuster et al. 2019)."""
    for row in load_lines(only(data, "fever_symmetric/*.jsonl")):
        refuted = row["gold_label"] == "REFUTES"
        left, right = detokenised(row["evidence"]), detokenised(row["claim"])
        yield Pair(left=left, right=right, contradicts=refuted, group=row["claim"])


def detokenised(text: str) -> str:
    """Penn Treebank tokens as they were written: `-LRB- born 1941 -RRB-` as (born 1941), a comma at its word."""
    for token, written in _BRACKETS.items():
        text = text.replace(token, written)
    text = re.sub(r"``\s*(.*?)\s*(?:``|'')", r'"\1"', text).replace(" -- ", " – ")
    text = re.sub(r"\s+([,.;:!?%)\]}]|'s\b|n't\b)", r"\1", text)
    return re.sub(r"([(\[{])\s+", r"\1", text)


_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


def negated_snli(data: Path) -> Iterator[Pair]:
    """SNLI pairs with negations put in (Hossain et al. 2020)."""
    for row in _table(only(data, "negation_nli/SNLI.txt"), "cp1252"):
        yield _premise(row, "contradiction")


def negated_rte(data: Path) -> Iterator[Pair]:
    """RTE pairs with negations put in. `not_entailment` joins contradictions and open pairs: only an alarm on an
    entailed pair is surely false."""
    for row in _table(only(data, "negation_nli/RTE.txt"), "cp1252"):
        yield _premise(row, "not_entailment")


def ocnli(data: Path) -> Iterator[Pair]:
    """Original Chinese Natural Language Inference (Hu et al. 2020); pairs without a majority label are left out."""
    seen: set[Any] = set()
    for path in sorted(every(data, "ocnli/*.json"), key=lambda path: path.stat().st_size):
        for row in load_lines(path):
            if row["label"] != "-" and row["id"] not in seen:
                seen.add(row["id"])
                contradicts = row["label"] == "contradiction"
                yield Pair(
                    left=row["sentence1"], right=row["sentence2"], contradicts=contradicts, lang="zh",
                    group=row["prem_id"],
                )  # fmt: skip


def cdconv(data: Path) -> Iterator[Pair]:
    """Contradiction in Chinese conversations (Zheng et al. 2022): the bot's two turns, each with what it answers."""
    for row in load_lines(only(data, "cdconv/*.jsonl")):
        yield Pair(
            left=f"{row['u1']}\n{row['b1']}", right=f"{row['u2']}\n{row['b2']}", contradicts=row["label"] in (2, 3),
            lang="zh", group=row["u1"],
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RgbQuestion:
    """A question of RGB with the snippets that answer it truly, and the same ones with the answer replaced."""

    query: str
    answer: tuple[str, ...]
    """Spellings of the true value."""
    fake: str
    true: tuple[str, ...]
    forged: tuple[str, ...]
    lang: Lang


def rgb(data: Path, lang: Lang) -> Iterator[RgbQuestion]:
    """The counterfactual part of the Retrieval-Augmented Generation Benchmark (Chen et al. 2024)."""
    for row in load_lines(only(data, f"rgb/{lang}_fact*.json")):
        yield RgbQuestion(
            query=row["query"], answer=tuple(_spellings(row["answer"])), fake=str(row["fakeanswer"]),
            true=tuple(row["positive"]), forged=tuple(row["positive_wrong"]), lang=lang,
        )  # fmt: skip


def crossed(questions: list[RgbQuestion]) -> Iterator[Pair]:
    """True against forged snippets of one question, never a snippet against its own forgery (i ≠ j); and, as pairs that
    agree, the true ones and the forged ones among themselves."""
    for question in questions:
        places = range(len(question.true))
        for i, j in product(places, places):
            if i != j:
                yield _snippets(question, question.true[i], question.forged[j], contradicts=True)
            if i < j:
                yield _snippets(question, question.true[i], question.true[j], contradicts=False)
                yield _snippets(question, question.forged[i], question.forged[j], contradicts=False)


def _snippets(question: RgbQuestion, left: str, right: str, *, contradicts: bool) -> Pair:
    return Pair(
        left=left,
        right=right,
        contradicts=contradicts,
        lang=question.lang,
        group=question.query,
        question=question.query,
    )


def _spellings(answer: Any) -> Iterator[str]:
    """RGB writes an answer, a list of spellings, or a list of such lists."""
    if isinstance(answer, list):
        for one in answer:
            yield from _spellings(one)
    else:
        yield str(answer)


def _premise(row: dict[str, str], contradicting: str) -> Pair:
    return Pair(
        left=row["Text"], right=row["Hypothesis"], contradicts=row["gold_label"] == contradicting, group=row["index"]
    )


def _table(path: Path, encoding: str) -> Iterator[dict[str, str]]:
    """Rows of a tab-separated file; a cell may hold unpaired quotation marks."""
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE), start=2):
            if None in row or None in row.values():
                raise InputError(f"{path.name}, line {number} has not as many cells as its head")
            yield row
