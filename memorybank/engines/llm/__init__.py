"""The llm engine: five agents on prompts, on any chat models."""

from __future__ import annotations

from collections.abc import Callable

from memorybank.llm.base import Chats
from memorybank.settings.llm import LLMSettings


class LLMEngine:
    """Implements `contracts.Engine`. Its agents may be run from several threads at once.

    `count_tokens` is the embedding model's; `note` is told, one line each, what had to be corrected in an answer.
    """

    name = "llm"

    def __init__(
        self,
        chats: Chats,
        settings: LLMSettings,
        count_tokens: Callable[[str], int],
        *,
        chunk_ratio: float = 0.9,
        note: Callable[[str], None] = lambda line: None,
    ) -> None:
        from memorybank.engines.llm.analysis import LLMAnalysis
        from memorybank.engines.llm.asking import Asker
        from memorybank.engines.llm.classification import LLMClassification
        from memorybank.engines.llm.integration import LLMIntegration
        from memorybank.engines.llm.planning import LLMPlanning
        from memorybank.engines.llm.structure import LLMStructure
        from memorybank.engines.llm.windows import Recut

        asker = Asker(chats, settings, count_tokens, chunk_ratio, note)
        structure = LLMStructure(asker)
        self.structure = Recut(structure, chats.of("structure"))
        self.classification = Recut(LLMClassification(asker, structure), chats.of("classification"))
        self.analysis = Recut(LLMAnalysis(asker), chats.of("analysis"))
        self.integration = Recut(LLMIntegration(asker), chats.of("integration"))
        self.planning = Recut(LLMPlanning(asker), chats.of("planning"))
