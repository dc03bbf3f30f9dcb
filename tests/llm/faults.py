"""One session with one fault at one place, and what became of it: the cells of `docs/faults.md`."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from memorybank.embedding.endpoint import EndpointEmbedder
from memorybank.errors import MemoryBankError
from memorybank.memory.events import AgentCalled, RelationsJudged, ToolUsed
from memorybank.memory.state import MemoryState
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.assembly import Parts, llm_parts
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank_lab.scripted import FAULTS, Faulty, Predicate, ScriptedServer, SeenRequest
from tests.llm.asking import KEY
from tests.llm.sessions import TASKS, parts, recorded
from tests.picturing import picture
from tests.tables import tables

TABLES = tables(__file__)

AGENTS = ("classification", "structure", "analysis", "integration", "planning", "react", "visit")
"""Roles of `AgentCalled`; `visit` asks a model for what matters in a page."""
EMBEDDINGS = "embeddings"
SITES = (*AGENTS, EMBEDDINGS)

_OF_EMBEDDINGS = ("body_not_json", "body_cut", "error_in_200")
"""Faults of the envelope that an embeddings endpoint can have too, beside all of transport and status."""

TIMEOUT = 1.0
ATTEMPTS = 2
DIM = 32
TIMES = 3
"""One call fails in both of its attempts, and one more is saved by its second."""

ENDS = ("complete", "complete_with_failures", "out_of_rounds", "filed")
_THOUGHTS = ("reasoning_content", "think_block", "think_unopened")
"""ReAct asks for thoughts before each act, so there they are no fault and nothing needs to be said."""

LONG: str = TABLES["long"]
"""Long enough to be condensed, and with a block that stays as it is: so the structure agent is asked."""
MEASURED = f"Of its piers {', '.join(['one more was measured and found sound'] * 170)}."
"""What makes a page too long to be shown whole: a visit asks the model for what serves the goal."""
_SHORT = "The Kessel viaduct has 42 stone arches. Visitors like to walk below them in spring."
SOURCES = [
    Source(name="guide.md", text=f"{LONG}\n\n{MEASURED}", kind="document"),
    Source(name="postcard.md", text=_SHORT, kind="document"),
]
_FIELDS: dict[str, str] = TABLES["fields"]
"""Which agent an answer's schema belongs to, by a field of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    met: int
    """How often the fault was shown; 0: nothing asked there can show it."""
    said: str
    """What the events say was done about it, the gravest first; empty: nothing."""
    end: str
    """What the session ended with, after it was resumed where it stopped."""
    stops: tuple[str, ...]
    """The errors that it stopped with, in their words."""
    wrong: tuple[str, ...]
    """What must not be."""


def fits(name: str, site: str) -> bool:
    """Whether the fault can be met there at all."""
    return site != EMBEDDINGS or FAULTS[name].family in ("status", "transport") or name in _OF_EMBEDDINGS


def every_place(name: str) -> list[str]:
    return [site for site in SITES if fits(name, site)]


def play_at(name: str, places: Sequence[str], lasting: bool = False) -> dict[str, Outcome]:
    """The fault at each of the places, in as many sessions, which wait for their timeouts side by side."""
    with ThreadPoolExecutor(len(places)) as pool:
        return dict(zip(places, pool.map(lambda site: play(name, site, lasting=lasting), places), strict=True))


def play(name: str, site: str, *, lasting: bool = False) -> Outcome:
    """A session that meets the fault at one place, three times or (`lasting`) always; a stopped one is resumed."""
    times = None if lasting or FAULTS[name].lasts else TIMES
    failing = threading.Event()
    script = Faulty(recorded("en"), FAULTS[name], _at(site, failing), times=times)
    with tempfile.TemporaryDirectory() as place, ScriptedServer(script, api_key=KEY, dim=DIM) as server:
        folder = Path(place) / "run"
        ready = _parts(server, name, site)
        failing.set()
        wrong: list[str] = []
        with Session.start(
            folder, ready, goal=TASKS["en"], sources=SOURCES, images=[("sign.png", picture("PLATFORM NINE"))]
        ) as session:
            end = _run(session)
        stops: list[str] = []
        while end.startswith("error") and len(stops) < TIMES:
            stops.append(end)
            if times is None:
                failing.clear()  # the endpoint is sound again
            try:
                session = Session.open(folder, lambda _: _parts(server, name, site))
            except MemoryBankError as error:  # it fails as early as this: the run stays as it was
                end = f"error: {error}"
                continue
            with session:
                end = _run(session)
        wrong += _broken(session.bank, folder)
        wrong += [f"no clear error: {stop!r}" for stop in stops if "\n" in stop or not stop.isprintable()]
        if end not in ENDS:
            wrong.append(f"no clear end: {end!r}")
        said = "stopped, resumed" if stops else _said(session, site)
        met = script.played
        if met and not said and not (site == "react" and name in _THOUGHTS):
            wrong.append(f"met {met} times, and no event says so")
        if said and not met:
            wrong.append(f"{said}, though there was no fault")
        return Outcome(met=met, said=said, end=end, stops=tuple(stops), wrong=tuple(wrong))


def _parts(server: ScriptedServer, name: str, site: str) -> Parts:
    native = name == "tools_refused"
    made = parts(server, "en", api_key=KEY, timeout=TIMEOUT, attempts=ATTEMPTS, native_tools=native)
    settings = replace(made.settings, max_rounds=4)
    if site != EMBEDDINGS:
        return replace(made, settings=settings)
    made.chats.close()
    embedder = EndpointEmbedder("served", server.base_url, KEY, dim=DIM, timeout=TIMEOUT, attempts=ATTEMPTS)
    return llm_parts(settings, "en", embedder)


def _run(session: Session) -> str:
    try:
        return session.run().result
    except MemoryBankError as error:
        return f"error: {error}"
    finally:
        if isinstance(session.parts.embedder, EndpointEmbedder):
            session.parts.embedder.close()


# -- where the fault is -----------------------------------------------------------------------------------------------


def _at(site: str, failing: threading.Event) -> Predicate:
    def matches(request: SeenRequest) -> bool:
        if not failing.is_set():
            return False
        if site == EMBEDDINGS:
            return request.kind == "embeddings"
        return request.kind == "chat" and _site_of(request) == site

    return matches


def _site_of(request: SeenRequest) -> str:
    """By the fields of the answer's schema, which a server without schemas is told in words; ReAct asks for text."""
    if request.answer_format == "text" and '"properties"' not in request.prompt:
        return "react"
    fields = (request.schema or {}).get("properties", {})
    return next((site for field, site in reversed(_FIELDS.items()) if field in fields), "react")


# -- what is looked at ------------------------------------------------------------------------------------------------


def _said(session: Session, site: str) -> str:
    """What events of the place say, as `docs/faults.md` calls it."""
    events = [record.event for record in session.records]
    calls = [event for event in events if isinstance(event, AgentCalled) and event.role == site]
    notes = [note for call in calls for note in call.notes]
    used = [event for event in events if isinstance(event, ToolUsed)]
    if site == "analysis":
        notes += [line for event in events if isinstance(event, RelationsJudged) for line in event.ignored]
    if site == "react":
        notes += [event.excerpt for event in used if event.outcome == "failed"]
    if any(call.outcome == "failed" for call in calls) or any(note.startswith("failed") for note in notes):
        return "failed"
    if site == EMBEDDINGS:
        return "failed" if any(event.outcome == "failed" for event in used) else ""
    again = any(note.startswith("unusable") or "asked again" in note for note in notes)
    if again or any(call.attempt > 1 for call in calls):
        return "asked again"
    return "noted" if notes else ""


def _broken(bank: MemoryState, folder: Path) -> Iterator[str]:
    """Invariants of the bank and of its journal that do not hold."""
    if fingerprint(state_at(load(folder))) != fingerprint(bank):
        yield "the journal replays to another state"
    if any(KEY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file()):
        yield "the key is on disk"
    if not {source.name for source in SOURCES} <= {entry.source for entry in bank.tree.entries.values()}:
        yield "a source was lost"
    for node in bank.graph.nodes.values():
        if not all(link in bank.graph.nodes and node.id in bank.graph.nodes[link].links for link in node.links):
            yield f"{node.id} is linked to what is not there, or one way"
        for span in bank.tree.spans.get(node.id, ()):
            entry = bank.tree.entries.get(span.entry_id)
            if entry is None or not 0 <= span.start < span.end <= len(entry.text):
                yield f"{node.id} stands on {span}, which is not there"
    for conflict in bank.conflicts.all.values():
        if not all(bank.graph.successor(node_id) in bank.graph.nodes for node_id in conflict.node_ids):
            yield f"{conflict.id} is about a node that is gone"
