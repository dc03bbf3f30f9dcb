"""The offline engine: five agents with no key, no network, no language model (design section 6)."""

from __future__ import annotations

from memorybank.embedding.base import Embedder
from memorybank.embedding.parsers import available
from memorybank.errors import Notice
from memorybank.language.parse import Parse
from memorybank.memory.types import Lang


def limits(lang: Lang) -> Notice:
    """What the engine sees of texts in a language, and what would see more: told where a session on it begins."""
    if available(lang):
        return Notice("engine.offline_limits")
    return Notice("engine.no_parser")


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
        self.structure = OfflineStructure(parse)
        self.analysis = OfflineAnalysis(embedder, parse)
        self.integration = OfflineIntegration(parse)
        self.planning = OfflinePlanning(parse)
