"""Where a session's parts are put together: engine, embedding model, executor, tools. Below this nothing chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from memorybank.bank import MemoryBank
from memorybank.config import Settings
from memorybank.contracts import Engine
from memorybank.embedding.base import Embedder
from memorybank.errors import InputError
from memorybank.events import SessionStarted
from memorybank.executors.base import Executor
from memorybank.intake import store_original
from memorybank.local_state import known_corpus
from memorybank.retrieval.recall import Recall
from memorybank.run_folder import RunFolder
from memorybank.text import detect_lang, sha256
from memorybank.tools.base import Tool
from memorybank.tools.corpus import Corpus
from memorybank.tools.deep_retrieval import deep_retrieval_tool
from memorybank.tools.images import read_image_tool
from memorybank.tools.reading import search_tool, visit_tool
from memorybank.tools.sources import Readable, Sources
from memorybank.types import Lang

SEARCHABLE = ("text", "document", "dialogue", "tool", "image")
"""Kinds of entries that search and visit may give: what came from outside, not what the session itself wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """All that a session needs beside its folder."""

    settings: Settings
    lang: Lang
    engine: Engine
    executor: Executor
    recall: Recall
    corpus: Corpus | None = None

    @property
    def embedder(self) -> Embedder:
        return self.recall.embedder

    def tools(self, state: Callable[[], MemoryBank], folder: RunFolder) -> list[Tool]:
        """The tools declared to the executor: search, visit, deep_retrieval, read_image."""
        sources = Sources(lambda: self._documents(state(), folder), self.embedder)
        return [
            search_tool(sources, self.lang),
            visit_tool(sources, self.lang),
            deep_retrieval_tool(
                state,
                folder.files.read,
                token_budget=self.settings.deep_retrieval_tokens,
                count_tokens=self.embedder.count_tokens,
                lang=self.lang,
            ),
            read_image_tool(lambda: state().tree.staged, folder.temp.read, self.lang),
        ]

    def _documents(self, state: MemoryBank, folder: RunFolder) -> Iterable[Readable]:
        """Corpus first, then what was ingested and is not in it."""
        for document in self.corpus.documents if self.corpus else ():
            yield Readable(
                name=document.name,
                text=document.text,
                sha256=sha256(document.text),
                original=partial(store_original, document, folder),
            )
        for entry in state.tree.entries.values():
            if entry.kind in SEARCHABLE:
                start = entry.text.index("\n") + 1 if entry.attachments and "\n" in entry.text else 0
                yield Readable(name=entry.source, text=entry.text[start:], sha256=entry.sha256)


def assemble(
    settings: Settings, texts: Sequence[str] = (), *, embedding_model: str = "", lang: Lang | None = None
) -> Parts:
    """Engine, embedding model and tools for these settings.

    The language and (with `auto`) the embedding model are told from `texts`, task first, unless they are given: a
    resumed run goes on with the model it began with. Raises InputError for an unknown engine or a bad corpus,
    ModelUnavailableError when the model cannot be loaded.
    """
    from memorybank.embedding.models import resolve
    from memorybank.embedding.process import shared

    if settings.engine != "offline":
        raise InputError(f"there is no engine {settings.engine!r} here: choose offline")
    corpus = Corpus.open(settings.corpus) if settings.corpus else None
    sample = [*texts, *(document.text[:2_000] for document in corpus.documents[:50])] if corpus else list(texts)
    chosen = lang or settings.lang or detect_lang(next((text for text in sample if text.strip()), ""))
    embedder = shared(resolve(embedding_model or settings.embedding_model, sample))
    return offline_parts(settings, chosen, embedder, corpus)


def reassemble(begun: SessionStarted, corpus: Path | None = None, embedding_model: str = "") -> Parts:
    """Parts for a run that exists: its own settings, model and language.

    The corpus is this machine's to say, and so is a model that would have to be downloaded: a journal is untrusted
    input and must not make this machine fetch anything. Raises InputError for such a model.
    """
    from memorybank.embedding.models import PACKAGED

    model = begun.embedding_model
    if model not in PACKAGED and model != embedding_model:
        raise InputError(
            f"this run was made with the embedding model {model!r}: allow it with --embedding-model {model}"
        )
    settings = Settings(
        engine=begun.engine,
        relations=begun.relations,
        strategy=begun.strategy,
        retrieval_k=begun.k,
        retrieval_alpha=begun.alpha,
        max_rounds=begun.max_rounds,
        prompt_tokens=begun.prompt_tokens,
        corpus=corpus or known_corpus(begun.run_id),
    )
    return assemble(settings, embedding_model=model, lang=begun.lang)


def offline_parts(settings: Settings, lang: Lang, embedder: Embedder, corpus: Corpus | None = None) -> Parts:
    """A session without a language model: the offline engine and its researcher, on any embedder."""
    from memorybank.engines.offline import OfflineEngine
    from memorybank.executors.researcher import OfflineResearcher

    return Parts(
        settings=settings,
        lang=lang,
        engine=OfflineEngine(embedder),
        executor=OfflineResearcher(),
        recall=Recall(embedder),
        corpus=corpus,
    )
