"""A call as Python that makes it again: the offline agent on its input, the request to a model, the tool.

What is written has no key, no address and no path of this machine; those come from the environment. Every text of the
run stands in a literal.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memorybank.embedding.endpoint import PREFIX as ENDPOINT
from memorybank.embedding.models import PACKAGED
from memorybank.llm.base import ChatRequest
from memorybank.llm.capabilities import Capabilities
from memorybank.llm.wire import payload
from memorybank.memory.events import SessionStarted
from memorybank.settings.llm import LLMSettings
from memorybank.settings.redaction import Redactor
from memorybank.testing.written.call_replay import chat_request, given_of, plain_request, replay
from memorybank.testing.written.python_code import Expression, code, import_lines, imports, literal, words
from memorybank.views.calls.call_view import AgentView, ToolView

Reason = Literal[
    "input_missing",
    "output_missing",
    "no_reply",
    "unknown_role",
    "input_unreadable",
    "inside_tool",
    "web",
    "asked_model",
    "files",
    "too_large",
    "unfinished",
    "no_stage",
    "foreign",
    "result_missing",
    "endpoint",
    "failed",
    "not_reproduced",
]
"""Why something cannot be handed out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    text: str
    kind: Literal["offline", "llm", "tool"]
    exact: bool = True
    """False: parameters that the run does not keep are this machine's."""


@dataclass(frozen=True, slots=True)
class Cannot:
    reason: Reason


def agent_snippet(view: AgentView, begun: SessionStarted, llm: LLMSettings, window: int | None) -> Snippet | Cannot:
    """The call of an agent, of the executor's model, or of a model within a tool."""
    if view.exchanges:
        return _request_snippet(view, llm, window)
    if view.input_blob != "kept":
        return Cannot("input_missing")
    if view.output_blob == "missing":
        return Cannot("output_missing")
    agent_input = given_of(view)
    if agent_input is None:
        return Cannot("input_unreadable" if view.event.role in _AGENTS else "unknown_role")
    if view.event.engine == "offline":
        return _offline_snippet(view, agent_input, begun)
    if view.event.engine == "llm" and view.event.outcome == "ok":
        return _rules_snippet(view, agent_input)
    return Cannot("no_reply" if view.event.engine == "llm" else "unknown_role")


_AGENTS = ("classification", "structure", "analysis", "integration", "planning")


# -- offline ----------------------------------------------------------------------------------------------------------


def _offline_snippet(view: AgentView, agent_input: Any, begun: SessionStarted) -> Snippet:
    lines = [
        *_head(view.event.role, view.row.seq, "by the offline engine", "It needs no key and no network."),
        import_lines(imports([agent_input]), {"memorybank": {"assemble", _settings_name(begun)}}),
        "",
        f"given = {code(agent_input)}",
        "",
        *_engine_lines(begun),
        f"answer = engine.{view.event.role}.run(given)",
        "print(answer.model_dump_json(indent=2))",
    ]
    return Snippet(text=_whole(lines), kind="offline")


def _settings_name(begun: SessionStarted) -> str:
    return "env" if begun.embedding_model.startswith(ENDPOINT) else "Settings"


def _engine_lines(begun: SessionStarted) -> list[str]:
    model = literal(begun.embedding_model)
    if begun.embedding_model.startswith(ENDPOINT):
        lines = [
            "# The run's embeddings came from an endpoint: EMBEDDING_BASE_URL and EMBEDDING_API_KEY name it.",
            "settings = env.load().settings",
        ]
    elif begun.embedding_model in PACKAGED:
        lines = ["settings = Settings()"]
    else:
        lines = [f"settings = Settings(embedding_model={model})"]
    return [*lines, f"engine = assemble(settings, embedding_model={model}, lang={literal(begun.lang)}).engine"]


def _rules_snippet(view: AgentView, agent_input: Any) -> Snippet:
    """An agent of the llm engine that asked no model: a short text stays whole by rule."""
    lines = [
        *_head(view.event.role, view.row.seq, "by the llm engine", "It asked no model: its rules were enough."),
        import_lines(imports([agent_input]), {"memorybank.testing": {"ReplayedEngine"}}),
        "",
        f"given = {code(agent_input)}",
        "",
        "engine = ReplayedEngine([])  # any question to a model would be an error",
        f"answer = engine.{view.event.role}.run(given)",
        "print(answer.model_dump_json(indent=2))",
    ]
    return Snippet(text=_whole(lines), kind="offline")


# -- a language model -------------------------------------------------------------------------------------------------


def _request_snippet(view: AgentView, llm: LLMSettings, window: int | None) -> Snippet | Cannot:
    """The question whose answer counted: the last one."""
    exact = True
    agent_input = given_of(view)
    request: ChatRequest | None = None
    if agent_input is not None:
        made = replay(view, agent_input, llm, window)
        request = made.requests[-1] if made is not None else None
        exact = False  # sampling and limits are this machine's settings
    elif view.event.role not in _AGENTS:
        request = chat_request(view)
    if request is None:
        request, exact = plain_request(view.exchanges[-1], view.event.role, llm), False
    if request is None:
        return Cannot("input_unreadable")
    model = view.event.model or view.exchanges[-1].call.model
    sent = payload(request, Capabilities(), model, request.max_tokens)
    images = _Images()
    body = images.replaced(sent)
    lines = [
        *_head(
            view.event.role,
            view.row.seq,
            "by a language model",
            "LLM_BASE_URL names the endpoint (https://…/v1), LLM_API_KEY its key. It needs the openai package.",
            *(("RUN_FOLDER names the folder of the run, for the images.",) if images.used else ()),
        ),
        *(["import base64"] if images.used else []),
        "import os",
        *(["from pathlib import Path"] if images.used else []),
        "",
        "from openai import OpenAI",
        "",
        *(_IMAGE_LINES if images.used else []),
        'client = OpenAI(base_url=os.environ["LLM_BASE_URL"], api_key=os.environ.get("LLM_API_KEY") or "none-needed")',
        "",
        f"request = {code(body)}",
        "",
        "message = client.chat.completions.create(**request).choices[0].message",
        'print(message.content or "")',
        *(_TOOL_LINES if request.tools else []),
    ]
    return Snippet(text=_whole(lines), kind="llm", exact=exact)


_TOOL_LINES = (
    "for call in message.tool_calls or []:",
    "    print(call.function.name, call.function.arguments)",
)
_IMAGE_LINES = (
    "",
    "def image(sha256: str, media_type: str) -> str:",
    '    """An image of the run, as a model takes it: filed, or still waiting."""',
    '    run = Path(os.environ["RUN_FOLDER"])',
    '    found = next(path for store in ("files", "temp") for path in (run / store).glob(f"{sha256}*"))',
    '    return f"data:{media_type};base64,{base64.b64encode(found.read_bytes()).decode()}"',
    "",
    "",
)
_MARK = "sha256:"
"""Begins what stands for an image's bytes in a recorded request."""


class _Images:
    """Puts a call in the place of an image that the request names by its digest."""

    def __init__(self) -> None:
        self.used = False

    def replaced(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: self._url(part) if name == "url" else self.replaced(part) for name, part in value.items()}
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [self.replaced(item) for item in value]
        return value

    def _url(self, value: Any) -> Any:
        head, _, body = str(value).partition(";base64,")
        try:
            named = base64.b64decode(body).decode("ascii")
        except ValueError:
            return value
        digest = named.removeprefix(_MARK)
        if not named.startswith(_MARK) or not digest.isalnum():
            return value
        self.used = True
        return Expression(f"image({literal(digest)}, {literal(head.removeprefix('data:'))})")


# -- tools ------------------------------------------------------------------------------------------------------------


def tool_snippet(view: ToolView) -> Snippet:
    """The tool on the memory as it stood, from the run's own folder."""
    lines = [
        *_head(
            view.event.tool,
            view.row.seq,
            "as a tool",
            "RUN_FOLDER names the folder of the run; keys and the corpus are this machine's, as for the app.",
        ),
        "import os",
        "from pathlib import Path",
        "",
        "from memorybank import load, state_at",
        "from memorybank.settings import env",
        "from memorybank.session.assembly import reassemble",
        "from memorybank.runs.run_folder import RunFolder",
        "",
        'run = RunFolder(Path(os.environ["RUN_FOLDER"]))',
        f"bank = state_at(load(run.path), {view.row.seq - 1})",
        "assert bank.settings is not None",
        'uploaded = run.path / "corpus"',
        "parts = reassemble(bank.settings, env.load().settings, uploaded if uploaded.is_dir() else None)",
        "tools = {tool.name: tool for tool in parts.tools(lambda: bank, run)}",
        f"arguments = {code(view.event.arguments)}",
        "",
        f"result = tools[{literal(view.event.tool)}].run(arguments)",
        "print(result.text)",
    ]
    return Snippet(text=_whole(lines), kind="tool")


def _head(what: str, seq: int, how: str, *notes: str) -> list[str]:
    first = f'"""{words(what).capitalize()} {how}: call {seq} of a recorded run, made again.'
    return [first, "", *notes, '"""', ""]


def _whole(lines: Sequence[str]) -> str:
    """The file's text. A secret that a text of the run may hold is taken out, as it is wherever text is written."""
    return Redactor().text("\n".join(lines)) + "\n"
