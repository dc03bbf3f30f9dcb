"""Settings of a session: plain values, decided once at the edge (command line, app, your program) and handed down.

Nothing below the edge reads the environment. Defaults are those of the narrative specification (its section on
parameters) where the design does not say otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from memorybank.errors import InputError
from memorybank.memory.types import Lang, Relation
from memorybank.settings.llm import LLMSettings, check_range
from memorybank.settings.redaction import secrets_in_address

if TYPE_CHECKING:
    from memorybank.memory.events import SessionStarted, SettingsChanged

Preset = Literal["final", "v3"]
Strategy = Literal["single", "two_stage"]
MergeAfterVerdict = Literal["subject", "group"]

ALL_RELATIONS = (Relation.CONFLICT, Relation.MERGE, Relation.RELATED)
WITHOUT_MERGE = (Relation.CONFLICT, Relation.RELATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """The reach of the tools beyond this machine: nothing, unless a key or `visit` says so."""

    serper_key: str = field(default="", repr=False)
    """Search the web; without it `search` reads the corpus and what was ingested."""
    jina_key: str = field(default="", repr=False)
    """Read pages through Jina Reader instead of fetching them directly."""
    visit: bool = False
    """Fetch pages at all. The llm engine turns it on when a search key is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetImages:
    """The number of images met in pages and documents that are recognised; those a person gives are not counted."""

    per_page: int = 3
    """The most images of one page or document; 0: none of those inside one."""
    per_task: int = 12
    """The most images until the goal is answered; 0 for none at all."""

    def __post_init__(self) -> None:
        check_range("images of a page", self.per_page, 0, 50)
        check_range("images of a task", self.per_task, 0, 500)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingEndpoint:
    """An OpenAI-compatible embeddings endpoint; empty: models of this machine."""

    base_url: str = ""
    api_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudioNumbers:
    """The numbers that can be set for the writing studio."""

    window: int = 8
    """K: the latest turns that stand whole in a prompt; older ones are summarised."""
    kept_hours: float = 24.0
    """Hours during which a settled task can be restarted."""
    options: int = 3
    """Proposals of an answer, where the author names no number."""

    def __post_init__(self) -> None:
        check_range("turns of the window", self.window, 1, 1_000)
        check_range("hours a settled task is kept", self.kept_hours, 0, 87_600)
        check_range("proposals of an answer", self.options, 3, 9)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudioStores:
    """Servers on which the writing studio keeps its stores (docs/studio.md); one left empty: the studio's folder."""

    graph_uri: str = field(default="", repr=False)
    graph_user: str = "neo4j"
    graph_password: str = field(default="", repr=False)
    graph_database: str = "neo4j"
    chroma_url: str = field(default="", repr=False)
    chroma_token: str = field(default="", repr=False)


class AnalysisSettings(TypedDict):
    """The search, comparison and joining of new memories, as `SessionStarted` and `SettingsChanged` name it."""

    k: int
    alpha: float
    neighbor_share: float
    relations: tuple[Relation, ...]
    strategy: Strategy
    merge_after_verdict: MergeAfterVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    engine: str = "offline"
    relations: tuple[Relation, ...] = ALL_RELATIONS
    """Relations the analysis may find, strongest first. Without `merge`, overlapping nodes are only linked."""
    strategy: Strategy = "single"
    """`single`: one analysis call a node; `two_stage`: conflict and merge first, then related."""
    merge_after_verdict: MergeAfterVerdict = "subject"
    """The sides of a conflict that unite once it is decided: those about one subject, or all of its group."""
    retrieval_k: int = 5
    retrieval_alpha: float = 0.5
    """Weight of the keyword score; 1 - alpha is the embedding's."""
    neighbor_share: float = 0.5
    """A neighbour of a hit comes along when it scores at least this share of the last hit; 0: all of every hit's."""
    embedding_model: str = "auto"
    agent_window: int = 32_000
    """Tokens an agent can read in one call."""
    chunk_ratio: float = 0.9
    """Share of the window a piece of a long text may fill."""
    prompt_tokens: int = 8_000
    """Budget of the enhanced prompt."""
    max_rounds: int = 30
    max_tool_calls: int = 60
    """The most tool calls of one executor round (the specifications' MAX_LLM_CALL_PER_RUN)."""
    round_seconds: float = 1_800.0
    """The most seconds that one executor round may spend in calls of a language model."""
    deep_retrieval_tokens: int = 4_000
    parallel_calls: int = 4
    """Agent calls in flight; the offline engine computes and runs them one after the other."""
    lang: Lang | None = None
    """The language; None when the task and the context tell it."""
    corpus: Path | None = None
    """A folder of documents the search tool may read."""
    storage_dir: Path | None = None
    """The folder of the app's runs and the llm engine's answer cache; None for `runs` here, and the user's cache."""
    watch_dir: Path | None = None
    """A run of another program that the app shows as it is written."""
    batch_dir: Path | None = None
    """A batch's folder (`memorybank batch --out`) that the app shows."""
    temp_dir: Path | None = None
    """The folder where staged images wait; None for one inside the run's."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names under which the app and the MCP server answer, besides those of this machine (hosts.py)."""
    llm: LLMSettings = field(default_factory=LLMSettings)
    web: WebSettings = field(default_factory=WebSettings)
    images: MetImages = field(default_factory=MetImages)
    embedding_endpoint: EmbeddingEndpoint = field(default_factory=EmbeddingEndpoint)
    studio: StudioNumbers = field(default_factory=StudioNumbers)
    stores: StudioStores = field(default_factory=StudioStores)

    def __post_init__(self) -> None:
        check_range("k", self.retrieval_k, 0, 100)
        check_range("alpha", self.retrieval_alpha, 0.0, 1.0)
        check_range("neighbor share", self.neighbor_share, 0.0, 1.0)
        check_range("chunk ratio", self.chunk_ratio, 0.1, 1.0)
        check_range("prompt tokens", self.prompt_tokens, 500, 1_000_000)
        check_range("max rounds", self.max_rounds, 1, 1_000)
        check_range("tool calls of a round", self.max_tool_calls, 1, 10_000)
        check_range("parallel calls", self.parallel_calls, 1, 64)
        check_range("seconds of a round", self.round_seconds, 1, 1e9)
        check_range("deep retrieval tokens", self.deep_retrieval_tokens, 16, 10_000_000)
        check_range("agent window", self.agent_window, 256, 10_000_000)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return keys, tokens and passwords, also those inside an address: nothing that is written may show them."""
        stores, web = self.stores, self.web
        keys = (*self.llm.secrets, self.embedding_endpoint.api_key, web.serper_key, web.jina_key)
        addresses = (self.embedding_endpoint.base_url, stores.graph_uri, stores.chroma_url)
        inside = (secret for address in addresses for secret in secrets_in_address(address))
        return tuple(filter(None, (*keys, stores.graph_password, stores.chroma_token, *inside)))

    @property
    def analysis(self) -> AnalysisSettings:
        """Return the settings that a person may change during a run, under the names that a journal gives them."""
        return AnalysisSettings(
            k=self.retrieval_k,
            alpha=self.retrieval_alpha,
            neighbor_share=self.neighbor_share,
            relations=self.relations,
            strategy=self.strategy,
            merge_after_verdict=self.merge_after_verdict,
        )

    def with_analysis_of(self, event: SessionStarted | SettingsChanged) -> Settings:
        """Return the same settings, but for those that a person may change during a run, as the event states them."""
        return replace(
            self,
            retrieval_k=event.k,
            retrieval_alpha=event.alpha,
            neighbor_share=event.neighbor_share,
            relations=event.relations,
            strategy=event.strategy,
            merge_after_verdict=event.merge_after_verdict,
        )

    def with_beginning_of(self, begun: SessionStarted) -> Settings:
        """Return the same settings, but for those with which a run began."""
        return replace(
            self.with_analysis_of(begun),
            engine=begun.engine,
            max_rounds=begun.max_rounds,
            prompt_tokens=begun.prompt_tokens,
        )

    def with_preset(self, preset: Preset) -> Settings:
        """Lay a preset over the settings. `final`: no direct merge, one analysis call. `v3`: direct merge, two calls.

        Both: all neighbours of a hit, and a decided conflict unites its whole group.
        """
        to_the_letter = replace(self, neighbor_share=0.0, merge_after_verdict="group")
        if preset == "final":
            return replace(to_the_letter, relations=WITHOUT_MERGE, strategy="single")
        if preset == "v3":
            return replace(to_the_letter, relations=ALL_RELATIONS, strategy="two_stage")
        raise InputError("settings.no_preset", preset=preset)
