"""The demo project's stores without a database, and a draft of its fourth chapter for prompts that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Lang
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.hub.stores import Stores
from memorybank_studio.page import demo
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank_studio.types import PlanKind, TaskId
from memorybank_studio.writes import StatusChange

TASK = TaskId("t1")
DRAFT: dict[Lang, str] = {
    "en": (
        "The door of the Tide Tower was open. Captain Brandt waited on the stairs and nodded to them.\n\n"
        "She listened. “Who is there?” said Quill. The salt lantern burned blue."
    ),
    "zh": "潮塔的门开着。韩船长站在楼梯上，朝他们点了点头。\n\n她侧耳听着。“谁在上面？”顾三问。盐灯烧成了蓝色。",
}


@contextmanager
def stores_of(lang: Lang, folder: Path, more: Mapping[str, Any] = MappingProxyType({})) -> Iterator[Stores]:
    """As they stand once the demo project is settled; `more`: entities and facts as its file tells them."""
    story = demo.demo(lang)
    story = story.model_copy(
        update={
            "entities": (*story.entities, *more.get("entities", ())),
            "facts": (*story.facts, *map(tuple, more.get("facts", ()))),
        }
    )
    facts, plans = FactsInMemory(), PlansInMemory()
    told = demo._facts(story, TASK)
    moved = {fact.subject for fact in told if fact.predicate == "LOCATED_IN" and fact.since == 3}
    ends = [
        (fact.key, 3) for fact in told if fact.predicate == "LOCATED_IN" and fact.since < 3 and fact.subject in moved
    ]
    facts.apply(demo._entities(story, TASK), told, ends)
    made = demo._plans(story, TASK)
    steps = [StatusChange(plan=plan.key, status=plan.status) for plan in made if plan.kind is PlanKind.STEP]
    plans.apply(made, steps, "board")
    with Chroma(ChromaSettings(folder=folder), HashedNgrams()) as chroma:
        settings = Settings(chroma)
        settings.put(demo._settings(story, TASK))
        yield Stores(facts=facts, plans=plans, settings=settings, archive=Archive(chroma))
