"""A long task for benchmarks: one report a round on a site of its own, and a fact planted in every second report.

Made with a seed, without a model: every site has its own people, firms, towns and things, with invented names, so that
reports differ as texts on different subjects do. The value of a planted fact stands in one sentence of one report and
nowhere else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from memorybank.memory.types import Lang

WORDS: Mapping[Lang, Mapping[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
PARAGRAPH_SENTENCES = (10, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyReport:
    """The report that the tool gives in one round."""

    name: str
    site: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedFact:
    question: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    lang: Lang
    goal: str
    reports: tuple[SurveyReport, ...]
    facts: tuple[PlantedFact, ...]


def survey(lang: Lang, rounds: int, tokens: int, count_tokens: Callable[[str], int], seed: str = "0") -> Survey:
    """Make `rounds` reports of about `tokens` tokens each; facts in the even rounds."""
    writer = _ReportWriter(lang, random.Random(f"survey {lang} {seed}"))
    reports: list[SurveyReport] = []
    facts: list[PlantedFact] = []
    for number in range(1, rounds + 1):
        site = writer.site()
        paragraphs = writer.paragraphs(site, tokens, count_tokens)
        if number % 2 == 0:
            facts.append(writer.plant(number, site, paragraphs))
        space = " " if lang == "en" else ""
        text = "\n\n".join(space.join(paragraph) for paragraph in paragraphs)
        reports.append(SurveyReport(name=f"report-{number:02d}.md", site=site, text=text))
    return Survey(lang=lang, goal=WORDS[lang]["goal"], reports=tuple(reports), facts=tuple(facts))


class _ReportWriter:
    """Writes reports; a name it has given is not given again."""

    def __init__(self, lang: Lang, chance: random.Random) -> None:
        self._lang: Lang = lang
        self._words = WORDS[lang]
        self._chance = chance
        self._names: set[str] = set()

    def site(self) -> str:
        return self._joined(self._name(), self._chance.choice(self._words["kinds"]))

    def plant(self, number: int, site: str, paragraphs: list[list[str]]) -> PlantedFact:
        """Put a fact's sentence somewhere behind the first sentence of a paragraph."""
        attributes = self._words["attributes"]
        attribute = attributes[number // 2 % len(attributes)]
        value = f"{self._chance.choice('BCDFGHKLMNPQRSTVWXZ')}{number:02d}-{self._chance.randint(1_000, 9_999)}"
        paragraph = self._chance.choice(paragraphs)
        planted = self._words["planted"].format(attribute=attribute, site=site, value=value)
        paragraph.insert(self._chance.randint(1, len(paragraph)), planted)
        question = self._words["question"].format(attribute=attribute, site=site)
        return PlantedFact(question=question, value=value)

    def paragraphs(self, site: str, tokens: int, count_tokens: Callable[[str], int]) -> list[list[str]]:
        """Return the paragraphs, each about one thing of the site."""
        people = [self._person() for _ in range(6)]
        firms = [self._joined(self._name(), self._chance.choice(self._words["works"])) for _ in range(4)]
        towns = [self._name() for _ in range(6)]
        nouns = self._chance.sample(self._words["nouns"], len(self._words["nouns"]))
        paragraphs: list[list[str]] = []
        used = 0
        while used < tokens:
            thing = self._joined(self._name(), nouns[len(paragraphs) % len(nouns)])
            opening = self._chance.choice(self._words["leads"]).format(site=site, thing=thing)
            patterns = self._chance.sample(self._words["sentences"], self._chance.randint(*PARAGRAPH_SENTENCES))
            sentences = [opening, *(self._sentence(one, thing, people, firms, towns) for one in patterns)]
            kept: list[str] = []
            for sentence in sentences:
                used += count_tokens(sentence)
                if used > tokens and kept:
                    break
                kept.append(sentence)
            paragraphs.append(kept)
        return paragraphs

    def _sentence(self, pattern: str, thing: str, people: list[str], firms: list[str], towns: list[str]) -> str:
        choice = self._chance.choice
        sentence = pattern.format(
            thing=thing,
            person=choice(people),
            firm=choice(firms),
            town=choice(towns),
            material=choice(self._words["materials"]),
            room=choice(self._words["rooms"]),
        )
        return sentence[0].upper() + sentence[1:]

    def _person(self) -> str:
        given = self._chance.choice(self._words["given"])
        return f"{given} {self._name()}" if self._lang == "en" else given + self._name()

    def _name(self) -> str:
        while True:
            parts = self._chance.sample(self._words["syllables"], 3 if self._lang == "en" else 2)
            name = "".join(parts).capitalize()
            if name not in self._names:
                self._names.add(name)
                return name

    def _joined(self, name: str, kind: str) -> str:
        return f"{name} {kind}" if self._lang == "en" else name + kind
