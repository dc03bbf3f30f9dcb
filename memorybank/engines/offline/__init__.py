"""The offline engine: five agents with no key, no network, no language model."""

from __future__ import annotations

from functools import lru_cache

from memorybank.embedding.base import Embedder
from memorybank.embedding.parsers import LONGEST, available
from memorybank.errors import Notice
from memorybank.language.parse import Parse
from memorybank.language.text import blocks, is_known_language, sentences
from memorybank.memory.types import Lang


def limits(lang: Lang) -> Notice:
    """Return what the engine sees of texts in a language, and what would see more, for the start of a session."""
    if available(lang):
        return Notice("engine.offline_limits")
    return Notice("engine.no_parser")


@lru_cache(maxsize=512)
def unread(name: str, text: str) -> tuple[Notice, ...]:
    """Return notices of the parts of a text that the engine does not search for contradictions, and why."""
    if not is_known_language(text):
        return (Notice("engine.unread_language", name=name),)
    parts = [(block.kind, text[block.start : block.end]) for block in blocks(text)]
    prose = [part for kind, part in parts if kind in ("prose", "list")]
    long = sum(end - start > LONGEST for part in prose if len(part) > LONGEST for start, end in sentences(part))
    lines = sum(part.count("\n") + 1 for kind, part in parts if kind in ("table", "code"))
    return (
        *([Notice("engine.unread_long", name=name, count=long, most=LONGEST)] if long else []),
        *([Notice("engine.unread_lines", name=name, count=lines)] if lines else []),
    )


class OfflineEngine:
    """Implements `contracts.Engine`. Every result of it is marked `offline`."""

    name = "offline"

    def __init__(self, embedder: Embedder, parse: Parse) -> None:
        from memorybank.engines.offline.analysis import OfflineAnalysis
        from memorybank.engines.offline.classification import OfflineClassification
        from memorybank.engines.offline.integration import OfflineIntegration
        from memorybank.engines.offline.planning import OfflinePlanning
        from memorybank.engines.offline.structure import OfflineStructure

        self.classification = OfflineClassification(embedder, parse)
        self.structure = OfflineStructure(embedder, parse)
        self.analysis = OfflineAnalysis(embedder, parse)
        self.integration = OfflineIntegration(parse)
        self.planning = OfflinePlanning(parse)
