"""The language model, its place, and how each agent asks it (narrative specification, "LLM 提供商配置" ff.)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast, get_args

from memorybank.errors import InputError
from memorybank.settings.redaction import secrets_in_address

AgentName = Literal["classification", "structure", "analysis", "integration", "planning", "react", "extraction"]
AGENTS = cast(tuple[AgentName, ...], get_args(AgentName))


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    base_url: str
    model: str
    """The name of the model; empty for the first that the server lists."""
    needs_key: bool = True
    start: str = ""
    """The command that starts the server on this machine."""
    context_option: str = ""
    """The option or variable in which its operator says how much context it serves."""


def _on_this_machine(port: int, start: str, context_option: str) -> Provider:
    """Return a server at its usual port, which wants no key and names its models."""
    return Provider(
        base_url=f"http://127.0.0.1:{port}/v1", model="", needs_key=False, start=start, context_option=context_option
    )


HAND = "hand"
"""A person, or another program, that answers in files (memorybank/llm/hand)."""
RECORDING = "recorded"
"""A recorded session, named as the model: its answers serve again, call by call (session/recorded.py)."""

PROVIDERS: Mapping[str, Provider] = {
    "deepseek": Provider(base_url="https://api.deepseek.com/v1", model="deepseek-chat"),
    "openai": Provider(base_url="https://api.openai.com/v1", model="gpt-4o-mini"),
    "ollama": _on_this_machine(11434, "ollama serve", "OLLAMA_CONTEXT_LENGTH"),
    "llama.cpp": _on_this_machine(8080, "llama-server -m MODEL.gguf", "llama-server --ctx-size"),
    "vllm": _on_this_machine(8000, "vllm serve MODEL", "vllm serve --max-model-len"),
    "local": Provider(base_url="http://127.0.0.1:8080/v1", model="local", needs_key=False),
    HAND: Provider(base_url="", model=HAND, needs_key=False),
}
_RECORDED = Provider(base_url="", model="", needs_key=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    temperature: float
    top_p: float


SAMPLING: Mapping[AgentName, Sampling] = {
    "classification": Sampling(temperature=0.4, top_p=0.9),
    "structure": Sampling(temperature=0.1, top_p=0.8),
    "analysis": Sampling(temperature=0.4, top_p=0.9),
    "integration": Sampling(temperature=0.2, top_p=0.85),
    "planning": Sampling(temperature=0.6, top_p=0.95),
    "react": Sampling(temperature=0.6, top_p=0.95),
    "extraction": Sampling(temperature=0.1, top_p=0.8),
}
"""Defaults by agent; `extraction` (of a visited page towards a goal) is ours, set like structure."""

WINDOW = 32_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleModel:
    """The settings of one role alone; what is empty is as for all roles (`LLMSettings.of_role`)."""

    provider: str = ""
    api_key: str = field(default="", repr=False)
    base_url: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMSettings:
    provider: str = "deepseek"
    api_key: str = field(default="", repr=False)
    base_url: str = ""
    """The address of the endpoint; empty for the provider's."""
    model: str = ""
    """The name of the model; empty for the provider's."""
    roles: Mapping[AgentName, RoleModel] = field(default_factory=lambda: dict.fromkeys(AGENTS, RoleModel()))
    suffix: str = ""
    """Ends the names of the variables that set this model: `_ANALYSIS` for the analysis agent's own."""
    max_tokens: int = 4096
    sampling: Mapping[AgentName, Sampling] = field(default_factory=lambda: dict(SAMPLING))
    windows: Mapping[AgentName, int] = field(default_factory=dict)
    """Tokens an agent may be sent, by agent; one left out has `WINDOW`."""
    max_context_tokens: int = 128_000
    """The most tokens of one ReAct round."""
    timeout: float = 120.0
    """Seconds that one attempt may take."""
    attempts: int = 5
    native_tools: bool = False
    """ReAct by the endpoint's tool calling instead of `<tool_call>` blocks."""
    vision: bool = True
    """Try to send images; what a server refuses is learnt and the local OCR serves."""
    cache: bool = True
    hand_dir: Path | None = None
    """The folder of requests to a person (provider `hand`); None for `hand` inside the run's folder."""
    price_input: float = 0.0
    """Money per million tokens, in the user's currency; 0: none is shown."""
    price_output: float = 0.0
    price_cached: float | None = None
    """Money per million prompt tokens that the provider had in its prefix cache; None when they cost as the others."""

    def __post_init__(self) -> None:
        check_range("LLM_MAX_TOKENS", self.max_tokens, 16, 1_000_000)
        check_range("LLM_TIMEOUT", self.timeout, 0.05, 86_400)
        check_range("LLM_ATTEMPTS", self.attempts, 1, 100)
        check_range("MAX_CONTEXT_TOKENS", self.max_context_tokens, 1_000, 100_000_000)
        check_range("LLM_PRICE_INPUT", self.price_input, 0, 1e9)
        check_range("LLM_PRICE_OUTPUT", self.price_output, 0, 1e9)
        check_range("LLM_PRICE_CACHED", self.price_cached or 0, 0, 1e9)
        for agent, sampling in self.sampling.items():
            check_range(f"temperature of {agent}", sampling.temperature, 0, 2)
            check_range(f"top_p of {agent}", sampling.top_p, 0, 1)
        for agent, window in self.windows.items():
            check_range(f"window of {agent}", window, 256, 100_000_000)

    @property
    def endpoint(self) -> str:
        return self.base_url or self._provider.base_url

    @property
    def model_name(self) -> str:
        """The name of the model; empty for the first that the server lists (llm/listing.py)."""
        return self.model or self._provider.model

    @property
    def start(self) -> str:
        """Return the command that starts the server on this machine, where its provider has one."""
        return self._provider.start

    @property
    def context_option(self) -> str:
        """The option in which the operator of a server on this machine says how much context it serves."""
        return self._provider.context_option

    @property
    def _provider(self) -> Provider:
        provider = _RECORDED if self.provider == RECORDING else PROVIDERS.get(self.provider)
        if provider is None and not (self.base_url and self.model):
            known = ", ".join(PROVIDERS)
            raise InputError("settings.unknown_provider", name=self.provider, known=known, suffix=self.suffix)
        return provider or Provider(base_url=self.base_url, model=self.model)

    def cost(self, sent: int, had: int, answered: int) -> float | None:
        """Return the price of prompt tokens, some from the provider's cache, and of the answer; None without prices."""
        if not (self.price_input or self.price_output):
            return None
        cached = self.price_input if self.price_cached is None else self.price_cached
        return round(((sent - had) * self.price_input + had * cached + answered * self.price_output) / 1e6, 6)

    def window(self, agent: AgentName) -> int:
        return self.windows.get(agent, WINDOW)

    def own(self, role: AgentName) -> RoleModel:
        """Return what is set for this role alone."""
        return self.roles.get(role, RoleModel())

    def of_role(self, role: AgentName) -> LLMSettings:
        """Return the settings with which one role asks: those of all roles with the role's own laid over.

        Another provider brings its own address and model along, and the key of all roles goes to no other address.
        """
        own = self.own(role)
        if own == RoleModel():
            return replace(self, roles={})
        other = own.provider not in ("", self.provider)
        laid = replace(
            self,
            provider=own.provider or self.provider,
            base_url=own.base_url or ("" if other else self.base_url),
            model=own.model or ("" if other else self.model),
            suffix=f"_{role.upper()}",
            roles={},
        )
        same_place = not (other or own.base_url) or laid.endpoint == self.endpoint
        return replace(laid, api_key=own.api_key or (self.api_key if same_place else ""))

    @property
    def groups(self) -> Mapping[tuple[AgentName, ...], LLMSettings]:
        """Return the settings of each model that is asked, by the roles that share it."""
        grouped: dict[tuple[str, ...], list[AgentName]] = {}
        for role in AGENTS:
            own = self.of_role(role)
            key = (own.provider, own.endpoint, own.model_name, own.api_key)
            grouped.setdefault(key, []).append(role)
        return {tuple(roles): self.of_role(roles[0]) for roles in grouped.values()}

    @property
    def models(self) -> str:
        """Return the names of the models that the roles ask, each once; the provider's where its server names it."""
        return " + ".join(dict.fromkeys(llm.model_name or llm.provider for llm in self.groups.values()))

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return keys, and passwords inside addresses: of all roles and of each."""
        keys = (self.api_key, *(own.api_key for own in self.roles.values()))
        addresses = (self.base_url, *(own.base_url for own in self.roles.values()))
        inside = (secret for address in addresses for secret in secrets_in_address(address))
        return tuple(filter(None, (*keys, *inside)))

    def check(self) -> None:
        """Raise InputError that says what to set when the model cannot be asked; a role's own is not looked at."""
        if self._provider.needs_key and not self.base_url and not self.api_key:
            raise InputError("settings.no_key", name=f"LLM_API_KEY{self.suffix}")

    def check_roles(self) -> None:
        """Raise InputError that says what to set when the model of any role cannot be asked."""
        for role in AGENTS:
            self.of_role(role).check()


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raise InputError, which names the setting and the range, for a number outside; both ends are inside."""
    if not low <= value <= high:  # nan is in no range
        raise InputError("settings.out_of_range", name=name, value=value, low=low, high=high)
