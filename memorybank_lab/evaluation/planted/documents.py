"""Things with their facts, and the documents written about them.

All documents about one thing draw on one sheet of facts, so they agree in everything except what is planted. Openers,
sentence forms and background are dealt without repetition within a thing: its documents are independent in wording.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from memorybank_lab.evaluation.planted.truth import Lang
from memorybank_lab.evaluation.planted.values import Decks, PlantedValue, draw_value

_NAMES_OF_FILES = {
    "en": ("profile", "notes", "visit", "letter", "sheet", "diary", "summary", "report"),
    "zh": ("简介", "笔记", "见闻", "来信", "资料", "日志", "摘要", "报道"),
}


@cache
def words(lang: Lang) -> dict[str, Any]:
    """Lists and sentence forms of a language: `en.yaml`, `zh.yaml` beside this module."""
    read: dict[str, Any] = yaml.safe_load((Path(__file__).parent / f"{lang}.yaml").read_text(encoding="utf-8"))
    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A chip, a bridge … with its true facts, by attribute."""

    sort: str
    subject: str
    maker: str
    facts: dict[str, PlantedValue]

    def form(self, lang: Lang) -> dict[str, Any]:
        form: dict[str, Any] = words(lang)["things"][self.sort]
        return form

    def attribute_of(self, kind: str, lang: Lang) -> str:
        """The attribute of this kind (number, date, name, place, negation)."""
        attributes: dict[str, Any] = self.form(lang)["attributes"]
        return next(name for name, spec in attributes.items() if spec["kind"] == kind)

    def year_after(self, earliest: int, lang: Lang) -> int:
        """The first year, from `earliest` on, in which the thing existed all year."""
        return max(earliest, 1 + int(self.facts[self.attribute_of("date", lang)].key[:4]))


class World:
    """Deals out things, each of its own name and maker, sorts in turn."""

    def __init__(self, lang: Lang, rng: Random) -> None:
        self.lang: Lang = lang
        self.rng = rng
        lists = words(lang)
        self.decks = Decks(lists["people"], lists["places"], rng)
        self._makers = rng.sample(lists["companies"], len(lists["companies"]))
        self._names = {sort: rng.sample(form["names"], len(form["names"])) for sort, form in lists["things"].items()}
        self._sorts: list[str] = []

    def thing(self) -> Thing:
        if not self._sorts:
            self._sorts = self.rng.sample(sorted(self._names), len(self._names))
        return self._make(self._sorts.pop(), self._makers.pop())

    def sibling(self, thing: Thing) -> Thing:
        """Another thing of the same sort and maker: a second generation, or a neighbour."""
        if thing.sort not in ("chip", "telescope"):
            return self._make(thing.sort, thing.maker)
        subject = f"{thing.subject} II" if self.lang == "en" else f"{thing.subject}二号"
        return self._make(thing.sort, thing.maker, subject)

    def _make(self, sort: str, maker: str, subject: str = "") -> Thing:
        attributes = words(self.lang)["things"][sort]["attributes"]
        facts = {name: draw_value(spec["value"], self.decks, self.rng, self.lang) for name, spec in attributes.items()}
        return Thing(sort=sort, subject=subject or self._names[sort].pop(), maker=maker, facts=facts)


class Author:
    """Writes the documents about one thing, or about a thing and its sibling."""

    def __init__(self, thing: Thing, lang: Lang, rng: Random) -> None:
        self.thing = thing
        self._lang: Lang = lang
        self._rng = rng
        self._decks: dict[str, list[str]] = {}

    def sentence(self, attribute: str, value: PlantedValue) -> tuple[str, str]:
        """A sentence that states the value, and the words that carry it (of a polarity: the whole sentence)."""
        spec = self.thing.form(self._lang)["attributes"][attribute]
        forms = spec[value.key] if spec["kind"] == "negation" else spec["say"]
        template = self._deal(f"say {attribute} {value.key if spec['kind'] == 'negation' else ''}", forms)
        if not value.forms:
            said = self.fill(template)
            return said, said
        said = self._deal(f"form {attribute} {value.key}", list(value.forms))
        return self.fill(template, value=said), said

    def choose(self, name: str, forms: list[str], value: str) -> str:
        """A sentence of a special form (near misses, false alarms)."""
        return self.fill(self._deal(name, forms), value=value)

    def fill(self, template: str, **values: str) -> str:
        text = template.format(subject=self.thing.subject, maker=self.thing.maker, **values)
        return text[0].upper() + text[1:]

    def document(self, planted: list[str], others: list[str], background: int) -> tuple[str, str]:
        """File name and text: an opener, the planted sentences, the facts of the sheet in `others`, background."""
        form = self.thing.form(self._lang)
        body = [*planted, *(self.sentence(attribute, self.thing.facts[attribute])[0] for attribute in others)]
        body += [self.fill(self._deal("background", form["background"])) for _ in range(background)]
        self._rng.shuffle(body)
        # A sentence that says only "it" follows the opener, which says who is meant.
        body.sort(key=lambda sentence: self.thing.subject in sentence)
        lines = [self.fill(self._deal("openers", form["openers"])), *body]
        text = (" " if self._lang == "en" else "").join(lines)
        if len(lines) > 4 and self._rng.random() < 0.4:
            cut = len(lines) // 2
            joint = " " if self._lang == "en" else ""
            text = joint.join(lines[:cut]) + "\n\n" + joint.join(lines[cut:])
        return self._name(), self._headed(text) + "\n"

    def _headed(self, text: str) -> str:
        if self._rng.random() < 0.4:
            return text
        return f"# {self.fill(self._deal('titles', self.thing.form(self._lang)['titles']))}\n\n{text}"

    def _name(self) -> str:
        subject = self.thing.subject.lower().replace(" ", "-")
        return f"{subject}-{self._deal('file', list(_NAMES_OF_FILES[self._lang]))}.md"

    def _deal(self, deck: str, forms: list[str]) -> str:
        """The next of the shuffled forms; all are used before one comes again."""
        if not self._decks.get(deck):
            self._decks[deck] = self._rng.sample(forms, len(forms))
        return self._decks[deck].pop()
