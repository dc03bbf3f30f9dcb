"""The fact graph's picture, the marked draft, the demo's files, the shelf and the jobs: without a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.errors import InputError, StoreUnavailableError
from memorybank.memory.types import Lang
from memorybank.views.box import Box
from memorybank.views.graph.layout import Layout
from memorybank_studio.chapters.manuscript import PieceMark
from memorybank_studio.continuity.profile import RelationMap
from memorybank_studio.page.chapter_pieces import marked_text
from memorybank_studio.page.demo import demo
from memorybank_studio.page.facts import build_fact_view, place
from memorybank_studio.page.shelf import Card, Shelf
from memorybank_studio.tests.hub.in_memory import link_of
from memorybank_studio.tests.tasks.studio import fact
from memorybank_studio.types import HAS_STATUS, Entity, EntityKind, Origin, TaskId

ORIGIN = Origin(task=TaskId("t1"))
LIN, MEI = (Entity(kind=EntityKind.CHARACTER, name=name, origin=ORIGIN) for name in ("Lin", "Mei"))
SWORD = Entity(kind=EntityKind.ITEM, name="Frost <b>", origin=ORIGIN)
DEAD = Entity(kind=EntityKind.STATUS, name="dead", origin=ORIGIN)


FACTS = (
    fact(LIN, "OWNS", SWORD),
    fact(LIN, "KNOWS", MEI),
    fact(LIN, "HATES", MEI),
    fact(MEI, "KNOWS", LIN),
    fact(MEI, HAS_STATUS, DEAD),
)


def test_the_picture_has_an_arrow_a_pair_and_states_in_words() -> None:
    entities = (LIN, MEI, SWORD, DEAD)
    layout = Layout()
    points = place(layout, entities[:3], FACTS)
    map_ = RelationMap(entities=entities[:3], states=(DEAD,), links=tuple(map(link_of, FACTS)), left_out=2)
    view = build_fact_view(map_, points, None, "en", told_in="en")
    assert {node["shape"] for node in view.nodes} == {"dot", "diamond"}
    assert view.shown == 3, "a status is no node"
    mei = view.parts["nodes"][MEI.key]
    assert "is dead" in mei["title"]
    both = view.parts["edges"][f"{LIN.key}|{MEI.key}"]
    assert (both["label"], both["arrows"], len(both["lines"])) == ("knows · hates", "to", 2)
    assert f"{MEI.key}|{LIN.key}" in view.parts["edges"], "the other direction is another fact"
    assert "2 more" in view.notice
    assert [item.words for item in view.legend] == ["character", "item", "a fact, from its subject to its object"]
    assert json.dumps(view.parts), "the component can take it"
    before = dict(points)
    more = Entity(kind=EntityKind.LOCATION, name="Tower", origin=ORIGIN)
    place(layout, (*entities[:3], more), (*FACTS, fact(LIN, "LOCATED_IN", more)))
    assert before.items() <= dict(layout).items(), "an older node never moves"


def test_a_piece_is_marked_without_losing_a_character() -> None:
    text = "One. Two two. Three."
    marks = [PieceMark(kind=kind, start=5, end=13) for kind in ("contradicts", "dead_returns")]
    pieces = marked_text(text, marks)
    plain = [piece if isinstance(piece, str) else piece.inside[0] for piece in pieces]
    assert plain == ["One. ", "1, 2", "Two two.", " Three."]
    assert [piece.tag for piece in pieces if isinstance(piece, Box)] == ["span", "mark"]
    assert marked_text(text, []) == (text,)
    assert marked_text("", []) == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_demo_stands_on_its_own_words(lang: Lang) -> None:
    told = demo(lang)
    text = "".join(one["text"] for one in told.chapters) + "".join(str(one.get("note")) for one in told.entities)
    assert [source for *_, source in told.facts if source not in text] == []


def test_the_shelf_lists_what_is_there_and_tries_again_what_failed(tmp_path: Path) -> None:
    tried: list[Path] = []

    def opener(folder: Path, card: Card) -> object:
        tried.append(folder)
        raise StoreUnavailableError("the graph cannot be reached: start it")

    shelf = Shelf(tmp_path / "studio", opener)  # type: ignore[arg-type]
    assert shelf.saved() == []
    id_ = shelf.add("  ../../etc  <b> ", "en")
    assert [(one.id, one.card.title) for one in shelf.saved()] == [(id_, "../../etc <b>")]
    assert [path.parent for path in (tmp_path / "studio").iterdir()] == [tmp_path / "studio"], "a title is no path"
    for _ in range(2):
        job = shelf.open(id_)
        assert job.wait(10)
        assert isinstance(job.error, StoreUnavailableError)
    assert len(tried) == 2
    for unknown in ("../" + id_, "0" * 32, ""):
        with pytest.raises(InputError, match="no such studio"):
            shelf.open(unknown)
    for title in ("", " ", "x" * 121):
        with pytest.raises(InputError, match="1 to 120"):
            shelf.add(title, "en")
    (tmp_path / "studio" / ("ab" * 16)).mkdir()
    (tmp_path / "studio" / ("ab" * 16) / "studio.json").write_text("{not json")
    assert len(shelf.saved()) == 1, "a folder without a card that can be read is none of ours"
