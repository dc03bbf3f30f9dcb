"""The demo's story in a test's hub, and a chapter that goes on from it: a careful model's answers in three pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.build import build_chat
from memorybank.memory.types import Lang
from memorybank_lab.scripted import Answer, Rule, Script, ScriptedServer, asks, on
from memorybank_studio.chapters.manuscript import ChapterId, Manuscript
from memorybank_studio.chapters.writer import ChapterWriter
from memorybank_studio.continuity.by_model import ModelReader
from memorybank_studio.continuity.findings import Report
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.page.demo import demo, put
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tests.tasks.studio import Echo, FixedClock, LineExtract, as_remark
from tests.llm.asking import settings

NUMBER = 4
TITLE: dict[Lang, str] = {"en": "The Lamp Room", "zh": "灯室"}
OUTLINE: dict[Lang, str] = {"en": "Ilse and the light", "zh": "林汐与灯"}
LENGTH: dict[Lang, int] = {"en": 1_300, "zh": 2_100}
"""In three pieces by the answers' plan."""


def tell(gateway: Gateway, stores: Stores, lang: Lang) -> None:
    """The demo's three chapters, facts, plans and settings, as the demo puts them in."""
    put(SimpleNamespace(gateway=gateway, stores=stores), demo(lang), lang)  # type: ignore[arg-type]


def begin(gateway: Gateway, stores: Stores, lang: Lang) -> Manuscript:
    """The chapter of the short outline's two open steps."""
    plan = next(plan.key for plan in stores.plans.all() if plan.title == OUTLINE[lang])
    return gateway.chapters.begin(NUMBER, TITLE[lang], length=LENGTH[lang], plan=plan)


def revised(gateway: Gateway, id_: ChapterId, lang: Lang) -> Manuscript:
    """The passage that was rewritten by hand is asked for."""
    own = answers(lang)
    return gateway.chapters.revise(id_, 2, own["passage_of"], own["order"])


@cache
def answers(lang: Lang) -> dict[str, Any]:
    """`plan`, `pieces`, `passage`: what was answered by hand to the requests, seeing nothing else."""
    return json.loads((Path(__file__).parent / "by_hand" / f"{lang}.json").read_text("utf-8"))


def rules(lang: Lang, *pieces: Answer, more: Sequence[Rule] = ()) -> Script:
    own = answers(lang)
    return Script(
        rules=[
            on(asks(schema="chapter_plan"), own["plan"]),
            on(asks(schema="chapter_piece"), *(pieces or own["pieces"])),
            on(asks(schema="chapter_passage"), own["passage"]),
            *more,
        ]
    )


class FindsNothing(ModelReader):
    """Has read every draft, and asked nobody."""

    def __init__(self) -> None:
        """Without a model and stores."""

    def read(self, text: str, chapter: int, lang: Lang, so_far: Sequence[str] = ()) -> Report:
        return Report(findings=())


@contextmanager
def writing(
    folder: Path, stores: Stores, script: Script, lang: Lang = "en", *, reads: bool = False, **more: Any
) -> Iterator[tuple[Gateway, ScriptedServer]]:
    """A studio whose chapters a scripted endpoint writes, over real HTTP; `reads`: and checks."""
    with ScriptedServer(script) as server:
        chat = build_chat(settings(server, attempts=1, cache=False, **more), None)
        hub = SharedHub(stores)
        with Gateway(
            folder / "studio",
            hub,
            decide=as_remark,
            creative=Echo(),
            extract=LineExtract(),
            writer=ChapterWriter(chat, hub.stores, lang),
            reader=ModelReader(chat, hub.stores, HashedNgrams()) if reads else FindsNothing(),
            settings=TaskSettings(lang=lang),
            clock=FixedClock(),
        ) as gateway:
            if not stores.facts.names():
                tell(gateway, stores, lang)
            yield gateway, server
