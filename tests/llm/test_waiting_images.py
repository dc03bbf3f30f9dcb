"""A poster beside two documents that differ: read by a model that checks them, or in a round of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memorybank.memory.events import ContextIntercepted
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank_lab.scripted import Rule, ScriptedReply, ScriptedServer, SeenRequest, on, scripted_agents, tool_reply
from tests.llm.sessions import parts, round_of
from tests.picturing import picture

POSTER = "Railway museum. The Kessel viaduct has 24 stone arches."
GOAL = {"en": "How many arches has the Kessel viaduct?", "zh": "凯塞尔高架桥有多少个桥拱？"}
DOCUMENTS = {
    "en": {
        "guide.md": "The Kessel viaduct has 24 stone arches. The Kessel line still crosses it every day.\n",
        "postcard.md": "The Kessel viaduct has 42 stone arches. Visitors like to walk below them in spring.\n",
    },
    "zh": {
        "导览.md": "凯塞尔高架桥有24个石砌桥拱。凯塞尔线的列车每天仍从桥上驶过。\n",
        "明信片.md": "凯塞尔高架桥有42个石砌桥拱。游客喜欢在春天到桥下散步。\n",
    },
}
CHECKS = {"en": "] Check the open conflicts", "zh": "] 核实待验证的冲突"}
PIECE: dict[str, Any] = {"source": "poster.png", "quote": "The Kessel viaduct has 24 stone arches.", "supports": "left"}
STATED = {
    "conflict": "c1",
    "evidence": [{**PIECE, "contradictions": [0], "independent": True}],
    "reasoning": "poster.png",
    "claims": [{"contradiction": 0, "status": "resolved", "winner": "left", "value": "24"}],
}


def reads(request: SeenRequest) -> ScriptedReply | str:
    """Asks for the image, whose id stands in the prompt."""
    assert "i1 (poster.png)" in request.text
    if request.tools:
        return tool_reply(("read_image", {"image_id": "i1"}))
    return '<tool_call>\n{"name": "read_image", "arguments": {"image_id": "i1"}}\n</tool_call>'


def rules(lang: Lang, *, vision: bool) -> list[Rule]:
    """A reader that sees the poster writes it down; one that does not has what the local OCR read."""
    block = f'<image id="i1">\n{POSTER} A drawing of a bridge.\n</image>\n' if vision else ""
    verdict = f"<verdict>{json.dumps(STATED)}</verdict>"
    return [
        on(round_of(CHECKS[lang], results=0), reads),
        on(round_of(CHECKS[lang], results=1), f"<answer>\n24.\n{block}{verdict}\n</answer>"),
    ]


def research(folder: Path, server: ScriptedServer, lang: Lang, **llm: Any) -> Session:
    sources = [Source(name=name, text=text, kind="document") for name, text in DOCUMENTS[lang].items()]
    image = ("poster.png", picture(POSTER, size=(1200, 120)))
    ready = parts(server, lang, **llm)
    with Session.start(folder, ready, goal=GOAL[lang], sources=sources, images=[image]) as session:
        session.run()
    assert not session.bank.tree.staged
    return session


def routes(session: Session) -> list[str]:
    return [record.event.route for record in session.records if isinstance(record.event, ContextIntercepted)]


@pytest.mark.parametrize(
    ("lang", "native", "vision"), [("en", False, True), ("zh", False, True), ("en", True, True), ("en", False, False)]
)
def test_read_while_checking_it_decides_and_has_no_round(run_dir: Path, lang: Lang, native: bool, vision: bool) -> None:
    with ScriptedServer(scripted_agents(*rules(lang, vision=vision))) as server:
        session = research(run_dir, server, lang, native_tools=native, vision=vision)
        assert any(request.images for request in server.chats) is vision
    bank = session.bank
    assert "images" not in routes(session)
    assert routes(session)[0] == "cross_validate"
    first = next(iter(bank.conflicts.all.values()))
    (entry,) = (entry for entry in bank.tree.entries.values() if entry.kind == "image")
    assert (first.status, first.claims[0].winner) == (ConflictStatus.RESOLVED, "left")
    assert [(piece.source, piece.entry_id, piece.refused) for piece in first.evidence] == [("poster.png", entry.id, "")]
    assert ("A drawing" in entry.text) is vision
    assert any(entry.id in bank.tree.entries_of(node_id) for node_id in bank.graph.nodes)
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)


def test_not_read_while_checking_it_has_its_round_after_it(run_dir: Path) -> None:
    with ScriptedServer(scripted_agents()) as server:
        session = research(run_dir, server, "en")
        assert any("may be sources" in request.text for request in server.chats)
    assert routes(session)[:2] == ["cross_validate", "images"]
