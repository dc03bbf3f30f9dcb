"""The assembly of a session's parts: engine, embedding model, executor, tools. Below this nothing chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import get_args

from memorybank import calls
from memorybank.documents.document import Document
from memorybank.embedding.base import Embedder
from memorybank.embedding.endpoint import PREFIX as ENDPOINT
from memorybank.embedding.endpoint import endpoint_embedder
from memorybank.embedding.models import PACKAGED, resolve
from memorybank.embedding.parsing import parse_beside
from memorybank.errors import InputError
from memorybank.language.parse import Parse
from memorybank.language.text import detect_lang, sha256
from memorybank.llm.around import MeteredChat
from memorybank.llm.base import Chats
from memorybank.memory.contracts import Engine, NodeInfo, Role
from memorybank.memory.events import SessionStarted
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Contradiction, ImageId, Lang, StagedImage
from memorybank.retrieval.recall import Recall
from memorybank.runs import local_state
from memorybank.runs.run_folder import RunFolder
from memorybank.session.executors.base import Executor
from memorybank.session.intake import store_original
from memorybank.session.recorded import recorded_chat
from memorybank.session.stages.recording import Names, Source
from memorybank.settings import redaction
from memorybank.settings.config import EmbeddingEndpoint, Settings
from memorybank.settings.llm import HAND, RECORDING, LLMSettings
from memorybank.tools.base import Tool
from memorybank.tools.corpus import Corpus, pictures_of, unreferenced_pictures
from memorybank.tools.deep_retrieval import DeepRetrieval, deep_retrieval_tool
from memorybank.tools.ocr import read_image_tool
from memorybank.tools.pictures import Gallery, Picture
from memorybank.tools.sources import Readable, Sources
from memorybank.tools.standing import standing
from memorybank.tools.web.tools import Endpoints, extraction_for, reading_tools

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
    by_role: Mapping[str, Engine] = field(default_factory=dict)
    """Engines that play single roles in the place of `engine`: the analysis agent by hand beside the offline engine."""
    corpus: Corpus | None = None
    chats: Chats | None = None
    """The language models of the llm engine, by role; None with the offline one."""
    endpoints: Endpoints | None = None
    """The addresses of web services; None: the usual ones. Only tests and self-hosted services give others."""

    @property
    def embedder(self) -> Embedder:
        return self.recall.embedder

    @property
    def models(self) -> str:
        """Return the names of the language models, each once; empty where none is asked."""
        return self.chats.names if self.chats else HAND if self.by_role else ""

    def close(self) -> None:
        """Release the connections to language models. Safe to call twice; the embedding model is shared and stays."""
        if self.chats is not None:
            self.chats.close()

    @property
    def parse(self) -> Parse:
        """Return the function that parses sentences for this session, in the process of a model."""
        return parse_beside(self.embedder)

    def dispute(self, left: NodeInfo, right: NodeInfo) -> tuple[Contradiction, ...]:
        """Return the contradictions of two memories by their parsed claims: for an import, which asks no agent."""
        from memorybank.engines.offline.analysis import contradictions_between

        return contradictions_between(left, right, self.parse)

    def tools(
        self, state: Callable[[], MemoryState], folder: RunFolder, met: Callable[[], Iterable[StagedImage]] = lambda: ()
    ) -> list[Tool]:
        """Return the executor's tools: search, visit, deep_retrieval, and read_image where there are images.

        `met` tells which images the calls of the running round have met so far.
        """
        sources = Sources(lambda: self._documents(state(), folder), self.embedder)
        chunk_ratio, llm = self.settings.chunk_ratio, self.settings.llm
        extraction = extraction_for(self.embedder, self.lang, chats=self.chats, settings=llm, chunk_ratio=chunk_ratio)
        tools = [
            *reading_tools(
                self.settings.web,
                sources,
                lang=self.lang,
                extraction=extraction,
                store=lambda document: store_original(document, folder),
                endpoints=self.endpoints,
                gallery=Gallery(state, partial(_keep_picture, folder), self.settings.images, met),
                unreferenced=partial(unreferenced_pictures, self.corpus) if self.corpus is not None else None,
                standing=lambda: standing(state(), self.lang),
            ),
            deep_retrieval_tool(self.deep_retrieval(state, folder)),
        ]
        if state().tree.images_known():
            tools.append(read_image_tool(state, lambda digest: folder.image(state(), digest), self.lang))
        return tools

    def deep_retrieval(self, state: Callable[[], MemoryState], folder: RunFolder) -> DeepRetrieval:
        return DeepRetrieval(
            state=state,
            read=folder.files.read,
            token_budget=self.settings.deep_retrieval_tokens,
            count_tokens=self.embedder.count_tokens,
            lang=self.lang,
        )

    def _documents(self, state: MemoryState, folder: RunFolder) -> Iterable[Readable]:
        """Return the corpus' documents, then those that were ingested and are not in it."""
        names = Names(state.tree, self.lang)
        for document in self.corpus or ():
            assert self.corpus is not None
            digest = sha256(document.text)
            name = names.of(Source(name=document.name, text=document.text, kind="tool"), document.name, digest)
            yield Readable(
                name=name,
                path=document.name,
                text=document.text,
                sha256=digest,
                original=partial(store_original, document, folder),
                pictures=partial(_pictures, self.corpus, document, name),
            )
        for entry in state.tree.entries.values():
            if entry.kind in SEARCHABLE:
                yield Readable(name=entry.source, text=entry.body, sha256=entry.sha256)


def _pictures(corpus: Corpus, document: Document, name: str, limit: int) -> list[Picture]:
    """Return the images of a document of the corpus, as found in what the session calls it."""
    return [replace(picture, found_in=name) for picture in pictures_of(corpus, document, limit)]


def _keep_picture(folder: RunFolder, picture: Picture) -> StagedImage:
    """Write a picture to the temp store; its real id is given when it is staged."""
    return folder.temp.keep(ImageId("i0"), picture.name, picture.image, found_in=picture.found_in)


def assemble(
    settings: Settings,
    texts: Sequence[str] = (),
    *,
    embedding_model: str = "",
    embedding_dim: int | None = None,
    lang: Lang | None = None,
) -> Parts:
    """Assemble engine, embedding model and tools for these settings.

    The language and (with `auto`) the embedding model are told from `texts`, task first, unless they are given: a
    resumed run goes on with the model it began with. Raises InputError for an unknown engine, a missing key or a bad
    corpus, ModelUnavailableError when the model cannot be loaded.
    """
    if settings.engine not in ("offline", "llm"):
        raise InputError("engine.unknown", name=settings.engine)
    redaction.hide(*settings.secrets)
    if settings.engine == "llm":
        settings.llm.check_roles()
        web = settings.web
        settings = replace(settings, web=replace(web, visit=web.visit or bool(web.serper_key or web.jina_key)))
    corpus = Corpus.open(settings.corpus) if settings.corpus else None
    sample = [*texts, *(document.text[:2_000] for document in corpus.documents[:50])] if corpus else list(texts)
    chosen = lang or settings.lang or detect_lang(next((text for text in sample if text.strip()), ""))
    embedder = embedder_for(settings, embedding_model or settings.embedding_model, sample, embedding_dim)
    build = llm_parts if settings.engine == "llm" else offline_parts
    return build(settings, chosen, embedder, corpus)


def embedder_for(settings: Settings, model: str, sample: Sequence[str], dim: int | None = None) -> Embedder:
    """Return the model that the settings name, or for `auto` one that reads the sample. `dim`: of vectors a resumed run
    has; another is refused.

    An endpoint is told it and not asked here; its first vectors are checked as they come.
    """
    from memorybank.embedding.process import shared

    endpoint = settings.embedding_endpoint
    if endpoint.base_url and model not in PACKAGED:
        if model.strip().lower() == "auto":
            raise InputError("embedding.no_model_named")
        return endpoint_embedder(model.removeprefix(ENDPOINT), endpoint.base_url, endpoint.api_key, dim)
    embedder = shared(resolve(model, sample))
    if dim is not None and embedder.dim != dim:
        raise InputError("embedding.vector_length", dim=dim, model=model, other=embedder.dim)
    return embedder


def reassemble(begun: SessionStarted, local: Settings, corpus: Path | None = None) -> Parts:
    """Assemble an existing run's parts: its engine, settings, model and language; this machine's addresses and keys.

    The corpus is this machine's to say, and so is a model that would have to be fetched: a journal is untrusted input
    and must not make this machine reach for anything. Raises InputError for such a model, and for a model or a
    dimension other than the run's.
    """
    local = _as_recorded(begun, local)
    _check_model(begun, local)
    settings = replace(local.with_beginning_of(begun), corpus=corpus or local_state.known_corpus(begun.run_id))
    return assemble(settings, embedding_model=begun.embedding_model, embedding_dim=begun.embedding_dim, lang=begun.lang)


def recall_for(begun: SessionStarted, local: Settings) -> Recall:
    """Assemble only what searching a run's memory needs: no language model, no corpus. Raises as `reassemble` does."""
    local = _as_recorded(begun, local)
    _check_model(begun, local)
    return Recall(embedder_for(local, begun.embedding_model, (), begun.embedding_dim))


def _as_recorded(begun: SessionStarted, local: Settings) -> Settings:
    """Return this machine's settings; for a session on recorded answers with the models these were recorded with,
    for one that a person answered with that person."""
    if begun.model == HAND:
        return replace(local, llm=replace(local.llm, provider=HAND))
    if not begun.model.startswith(f"{RECORDING}:"):
        return local
    llm = LLMSettings(provider=RECORDING, model=begun.model.partition(":")[2])
    return replace(local, llm=llm, embedding_model="auto", embedding_endpoint=EmbeddingEndpoint())


def _check_model(begun: SessionStarted, local: Settings) -> None:
    model, wanted = begun.embedding_model, local.embedding_model.strip() or "auto"
    same = wanted.removeprefix(ENDPOINT) == model.removeprefix(ENDPOINT) or (
        not local.embedding_endpoint.base_url and wanted.lower() != "auto" and resolve(wanted).spec.name == model
    )
    if wanted.lower() != "auto" and not same:
        raise InputError("embedding.other_model", model=model, asked=wanted)
    if model.startswith(ENDPOINT) and not local.embedding_endpoint.base_url:
        raise InputError("embedding.endpoint_needed", model=model)
    if model not in PACKAGED and not model.startswith(ENDPOINT) and not same:
        raise InputError("embedding.allow_model", model=model)


def offline_parts(settings: Settings, lang: Lang, embedder: Embedder, corpus: Corpus | None = None) -> Parts:
    """Assemble a session without a language model: the offline engine and its researcher, on any embedder.

    A role whose own provider is `hand` (LLM_PROVIDER_ANALYSIS=hand) is played by a person all the same: nothing leaves
    the machine by that.
    """
    from memorybank.engines.offline import OfflineEngine
    from memorybank.session.executors.researcher import OfflineResearcher

    return Parts(
        settings=settings,
        lang=lang,
        engine=OfflineEngine(embedder, parse_beside(embedder)),
        executor=OfflineResearcher(),
        recall=Recall(embedder),
        by_role=_by_hand(settings, embedder),
        corpus=corpus,
    )


def _by_hand(settings: Settings, embedder: Embedder) -> dict[str, Engine]:
    roles: list[Role] = [role for role in get_args(Role) if settings.llm.own(role).provider == HAND]
    if not roles:
        return {}
    from memorybank.engines.llm import LLMEngine
    from memorybank.llm.build import build_chat

    chats = Chats(build_chat(settings.llm.of_role(roles[0]), None))
    llm = LLMEngine(chats, settings.llm, embedder.count_tokens, chunk_ratio=settings.chunk_ratio, note=calls.note)
    return dict.fromkeys(roles, llm)


def llm_parts(settings: Settings, lang: Lang, embedder: Embedder, corpus: Corpus | None = None) -> Parts:
    """Assemble a session on language models: five agents on prompts and the ReAct agent, each on its own model."""
    from memorybank.engines.llm import LLMEngine
    from memorybank.llm.build import build_chats
    from memorybank.session.executors.react import ReActAgent

    if settings.llm.provider == RECORDING:
        settings = replace(settings, parallel_calls=1)  # answers are taken in the order in which they were given
        chats = Chats(MeteredChat(recorded_chat(settings.llm.model)))
    else:
        folder = settings.storage_dir or local_state.cache_folder()
        chats = build_chats(settings.llm, folder / "answers.sqlite" if settings.llm.cache else None)
    return Parts(
        settings=settings,
        lang=lang,
        engine=LLMEngine(chats, settings.llm, embedder.count_tokens, chunk_ratio=settings.chunk_ratio, note=calls.note),
        executor=ReActAgent(seconds=settings.round_seconds),
        recall=Recall(embedder),
        corpus=corpus,
        chats=chats,
    )
