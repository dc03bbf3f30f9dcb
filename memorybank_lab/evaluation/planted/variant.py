"""One seeded corpus with everything planted, and its truth. The same seed and language give the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from memorybank_lab.evaluation.planted.documents import Author, Thing, World, words
from memorybank_lab.evaluation.planted.truth import CONTRADICTIONS, Lang, PlantedItem, PlantedStatement, PlantedTruth
from memorybank_lab.evaluation.planted.values import PlantedValue, draw_number, draw_other, integer


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    seed: int
    lang: Lang
    documents: dict[str, str]
    """File name → text, by name."""
    truth: PlantedTruth

    def write(self, folder: Path) -> Path:
        """Write the documents (and nothing else: the truth is no document) into `folder`; returns it."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.documents.items():
            (folder / name).write_text(text, encoding="utf-8")
        return folder


def variant(seed: int, lang: Lang) -> Variant:
    composer = _Composer(seed, lang)
    composer.plant()
    return Variant(
        seed=seed,
        lang=lang,
        documents=dict(sorted(composer.documents.items())),
        truth=PlantedTruth(items=tuple(composer.items)),
    )


def variants(lang: Lang, count: int = 20) -> Iterator[Variant]:
    """The variants that the quality tests run on: seeds 0 … count - 1."""
    return (variant(seed, lang) for seed in range(count))


class _Composer:
    def __init__(self, seed: int, lang: Lang) -> None:
        self._seed = seed
        self._lang: Lang = lang
        self._rng = Random(f"planted {lang} {seed}")
        self._world = World(lang, self._rng)
        self.documents: dict[str, str] = {}
        self.items: list[PlantedItem] = []

    def plant(self) -> None:
        for kind in CONTRADICTIONS:
            self._conflict(kind, about=kind, votes=((1, True), (self._rng.randint(2, 3), False)))
        self._conflict("unsettled", votes=((1, False), (1, False)), settled=False)
        self._conflict("both_wrong", votes=((1, True), (1, True), (2, False)))
        settled = self._seed % 2 == 0
        votes = ((1, True), (1, True), (3, False)) if settled else ((1, False),) * 3
        self._conflict("group_of_three", votes=votes, settled=settled)
        self._false_alarm()
        for _ in range(3):
            self._overlap()
        traps = [self._other_subject, self._other_form, self._other_attribute, self._plan, self._same_polarity]
        for trap in (self._other_subject, self._other_year, self._other_unit, *self._rng.sample(traps, 3)):
            trap()
        for name, title, text in self._rng.sample(words(self._lang)["filler"], 5):
            self.documents[name] = f"# {title}\n\n{text}\n" if title else f"{text}\n"

    # -- what is planted ----------------------------------------------------------------------------------------------

    def _conflict(
        self, kind: str, *, votes: tuple[tuple[int, bool], ...], about: str = "", settled: bool = True
    ) -> None:
        """`votes`: how many documents stand behind each value, and whether they are wrong; the truth comes last."""
        about = about or self._rng.choice(("number", "date", "name", "place"))
        thing = self._world.thing()
        author = self._author(thing)
        attribute = thing.attribute_of(about, self._lang)
        spec = thing.form(self._lang)["attributes"][attribute]["value"]
        values = [thing.facts[attribute]]
        while len(values) < len(votes):
            values.append(draw_other(spec, values, self._world.decks, self._rng, self._lang))
        values.reverse()
        statements = []
        for value, (documents, wrong) in zip(values, votes, strict=True):
            said = dict(self._state(author, attribute, value) for _ in range(documents))
            statements.append(PlantedStatement(value=value.key, said=said, wrong=wrong))
        verdict = "both_wrong" if kind == "both_wrong" else "resolved" if settled else "inconclusive"
        true_value = values[-1].key if settled else ""
        claim = self._claim(author, attribute)
        self._add(thing, kind, about, claim, statements, verdict=verdict, true_value=true_value)

    def _false_alarm(self) -> None:
        thing = self._world.thing()
        author, alarm = self._author(thing), thing.form(self._lang)["alarm"]
        first, second = (integer(number, self._lang) for number in self._two_numbers(alarm))
        when = self._rng.randint(thing.year_after(2004, self._lang), 2024)
        statements = [
            self._special(author, alarm["first"], first, first.forms[0]),
            self._special(author, alarm["second"], second, second.forms[0]),
        ]
        explained = author.fill(alarm["explain"][0], first=first.forms[0], second=second.forms[0], year=str(when))
        name = self._write(author, [explained], self._others(author))
        self._add(thing, "false_alarm", "number", explained, statements, verdict="false_alarm", explained_by=(name,))

    def _overlap(self) -> None:
        thing = self._world.thing()
        author = self._author(thing)
        attributes = self._rng.sample(sorted(thing.facts), 4)
        told = [[author.sentence(attribute, thing.facts[attribute]) for attribute in attributes] for _ in range(2)]
        names = [self._write(author, [sentence for sentence, _ in facts], [], background=0) for facts in told]
        statements = [
            PlantedStatement(value=thing.facts[attribute].key, said={names[0]: told[0][i][1], names[1]: told[1][i][1]})
            for i, attribute in enumerate(attributes)
        ]
        self._add(thing, "overlap", "same facts", ", ".join(attributes), statements)

    # -- near misses --------------------------------------------------------------------------------------------------

    def _other_subject(self) -> None:
        thing = self._world.thing()
        sibling = self._world.sibling(thing)
        about = self._rng.choice(("number", "date", "name", "place"))
        attribute = thing.attribute_of(about, self._lang)
        spec = thing.form(self._lang)["attributes"][attribute]
        values = [thing.facts[attribute]]
        values.append(draw_other(spec["value"], values, self._world.decks, self._rng, self._lang))
        said = [
            PlantedStatement(value=value.key, said=dict([self._state(self._author(each), attribute, value)]))
            for each, value in zip((thing, sibling), values, strict=True)
        ]
        self._add(thing, "near_miss", "subject", f"{thing.subject} / {sibling.subject}: {attribute}", said)

    def _other_year(self) -> None:
        thing = self._world.thing()
        author, yearly = self._author(thing), thing.form(self._lang)["yearly"]
        years = self._rng.sample(range(thing.year_after(2012, self._lang), 2025), 2)
        statements = []
        for number, at in zip(self._two_numbers(yearly), years, strict=True):
            value = integer(number, self._lang)
            forms = [form.replace("{year}", str(at)) for form in yearly["say"]]
            statements.append(self._special(author, forms, value, self._rng.choice(value.forms)))
        self._add(thing, "near_miss", "year", f"{thing.subject}: {years[0]} / {years[1]}", statements)

    def _other_unit(self) -> None:
        thing = self._world.thing()
        author, spec = self._author(thing), thing.form(self._lang)["quantity"]
        number = draw_number(spec, self._rng)
        value = PlantedValue(key=f"{number} {spec['small']}")
        small = f"{number:,} {spec['small']}"
        large = f"{number / spec['factor']:g} {spec['large']}"
        said = self._special(author, spec["say_small"], value, small).said
        said |= self._special(author, spec["say_large"], value, large).said
        self._add(
            thing, "near_miss", "unit", author.fill(spec["claim"]), [PlantedStatement(value=value.key, said=said)]
        )

    def _other_form(self) -> None:
        thing = self._world.thing()
        while len(thing.facts[thing.attribute_of("date", self._lang)].forms) < 2:
            thing = self._world.thing()
        author, attribute = self._author(thing), thing.attribute_of("date", self._lang)
        said = dict(self._state(author, attribute, thing.facts[attribute]) for _ in range(2))
        claim = self._claim(author, attribute)
        self._add(thing, "near_miss", "form", claim, [PlantedStatement(value=thing.facts[attribute].key, said=said)])

    def _other_attribute(self) -> None:
        thing = self._world.thing()
        author, parts = self._author(thing), thing.form(self._lang)["parts"]
        number = thing.attribute_of("number", self._lang)
        values = [thing.facts[number], integer(draw_number(parts, self._rng), self._lang)]
        if values[0].key == values[1].key:
            values[1] = integer(int(values[0].key) + 1, self._lang)
        statements = [
            self._special(author, parts[at], value, value.forms[0])
            for at, value in zip(("first", "second"), values, strict=True)
        ]
        self._add(thing, "near_miss", "attribute", f"{thing.subject}: {number}", statements)

    def _plan(self) -> None:
        thing = self._world.thing()
        author, plan = self._author(thing), thing.form(self._lang)["plan"]
        joint = " " if self._lang == "en" else ""
        unit = f"{joint}{plan['unit']}" if "unit" in plan else ""
        statements = []
        for at, number in zip(("first", "second"), self._two_numbers(plan), strict=True):
            value = integer(number, self._lang)
            statements.append(self._special(author, plan[at], value, f"{number:,}{unit}"))
        self._add(thing, "near_miss", "plan", author.fill(plan["claim"]), statements)

    def _same_polarity(self) -> None:
        thing = self._world.thing()
        author, attribute = self._author(thing), thing.attribute_of("negation", self._lang)
        said = dict(self._state(author, attribute, PlantedValue(key="no")) for _ in range(2))
        claim = self._claim(author, attribute)
        self._add(thing, "near_miss", "polarity", claim, [PlantedStatement(value="no", said=said)])

    # -- writing ------------------------------------------------------------------------------------------------------

    def _author(self, thing: Thing) -> Author:
        return Author(thing, self._lang, self._rng)

    def _claim(self, author: Author, attribute: str) -> str:
        return author.fill(author.thing.form(self._lang)["attributes"][attribute]["claim"])

    def _two_numbers(self, spec: dict[str, Any]) -> tuple[int, int]:
        first = draw_number(spec, self._rng)
        while (second := draw_number(spec, self._rng)) == first:
            pass
        return first, second

    def _state(self, author: Author, attribute: str, value: PlantedValue) -> tuple[str, str]:
        """Write a document that states the value; returns its name and the words used."""
        sentence, said = author.sentence(attribute, value)
        return self._write(author, [sentence], self._others(author, attribute)), said

    def _special(self, author: Author, forms: list[str], value: PlantedValue, said: str) -> PlantedStatement:
        sentence = author.choose(forms[0], forms, said)
        return PlantedStatement(value=value.key, said={self._write(author, [sentence], self._others(author)): said})

    def _others(self, author: Author, planted: str = "") -> list[str]:
        """One or two other facts to state; never the number when something special is said about numbers."""
        planted = planted or author.thing.attribute_of("number", self._lang)
        rest = [attribute for attribute in sorted(author.thing.facts) if attribute != planted]
        return self._rng.sample(rest, self._rng.randint(1, 2))

    def _write(self, author: Author, planted: list[str], others: list[str], background: int | None = None) -> str:
        background = self._rng.randint(1, 2) if background is None else background
        name, text = author.document(planted, others, background)
        self.documents[name] = text
        return name

    def _add(
        self, thing: Thing, kind: str, about: str, claim: str, statements: list[PlantedStatement], **more: Any
    ) -> None:
        number = 1 + sum(item.kind == kind for item in self.items)
        field = thing.form(self._lang)["field"]
        name = f"{kind}-{number}"
        self.items.append(
            PlantedItem(id=name, kind=kind, about=about, field=field, claim=claim, statements=tuple(statements), **more)
        )
