"""What a generator may ask while it writes: facts, settings, plans, earlier scenes. It only reads.

Fact-planning specification, section 3.2.2: fact checks in the small, during generation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memorybank.language.text import fold_space
from memorybank.memory.types import Lang
from memorybank_studio.creativity.options import Lookup
from memorybank_studio.hub.stores import Stores, foremost
from memorybank_studio.hub.verbalisation import tell, tell_fact, tell_plan
from memorybank_studio.types import Chunk, Setting

MOST_FACTS = 12
MOST_PASSAGES = 3
PASSAGE_CHARS = 400
_LAST_WORD_RE = re.compile(r"\s+\w*\Z", re.ASCII)


def beginning(text: str) -> str:
    """Of a passage, cut between words."""
    whole = fold_space(text)
    if len(whole) <= PASSAGE_CHARS:
        return whole
    return f"{_LAST_WORD_RE.sub('', whole[:PASSAGE_CHARS])}…"


@dataclass(slots=True)
class Lookups:
    """The questions of one draft. Facts are those that hold in `chapter`."""

    stores: Stores
    chapter: int
    lang: Lang
    made: list[Lookup] = field(default_factory=list)

    @property
    def sources(self) -> Mapping[str, Callable[[str], str]]:
        return {"facts": self.facts, "settings": self.setting, "plans": self.plans, "scenes": self.scenes}

    def facts(self, name: str) -> str:
        """What holds of whatever has this name, a line a fact; empty when nothing has it."""
        lines: list[str] = []
        for entity in self.stores.facts.named(name):
            lines += [tell(entity, self.stores.facts.entity, self.lang)] if entity.note else []
            held = self.stores.facts.about(entity.key, chapter=self.chapter)
            lines += [tell_fact(fact, self.stores.facts.entity, self.lang) for fact in foremost(held, MOST_FACTS)]
        return self._kept("facts", name, lines)

    def setting(self, key: str) -> str:
        """The entry of this key, else the nearest ones."""
        exact = self.stores.settings.exact(key)
        entries = [exact] if exact else [hit.item for hit in self.stores.settings.search(key, count=2)]
        return self._kept(
            "settings", key, [f"{entry.key}: {entry.text}" for entry in entries if isinstance(entry, Setting)]
        )

    def plans(self, storyline: str) -> str:
        """Where a storyline stands; all of them for an empty name."""
        lines: list[str] = []
        for pointer in self.stores.plans.pointer(chapter=self.chapter):
            if storyline in ("", pointer.storyline):
                steps = [step for step in (pointer.current, pointer.next) if step]
                lines += [tell_plan(step, self.lang) for step in steps]
        return self._kept("plans", storyline, lines)

    def scenes(self, text: str) -> str:
        """Earlier passages that are near in meaning."""
        passages = [hit.item for hit in self.stores.archive.search(text, count=MOST_PASSAGES, before=self.chapter)]
        lines = [
            f"[{passage.chapter_id}] {beginning(passage.text)}" for passage in passages if isinstance(passage, Chunk)
        ]
        return self._kept("scenes", text, lines)

    def _kept(self, source: str, query: str, lines: list[str]) -> str:
        answer = "\n".join(dict.fromkeys(lines))
        self.made.append(Lookup(source=source, query=query, found=answer))
        return answer
