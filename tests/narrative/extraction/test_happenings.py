"""An event is tied to the chapter that its sentence names, else to the last one named before it."""

from __future__ import annotations

import pytest

from memorybank.narrative.types import IN_CHAPTER, Entity, EntityKind
from memorybank.types import Lang
from tests.narrative.extraction.told import EN, ZH, Table, hub, table

CARDS = {
    "en": f"{EN}\nEvent: the mill fire\nEvent: the Great Flood",
    "zh": f"{ZH}\n事件：磨坊大火\n事件：大洪水",
}


def told(lang: Lang, text: str) -> Table:
    return table(text, lang=lang, hub=hub(CARDS[lang], lang=lang))


def dated(rows: set[tuple[str, str, str, int]]) -> dict[str, int]:
    return {row[0]: row[3] for row in rows if row[1] == IN_CHAPTER and row[2] == str(row[3])}


@pytest.mark.parametrize(
    ("lang", "text", "events"),
    [
        ("en", "In chapter 4 the mill fire broke out.", {"the mill fire": 4}),
        ("en", "The mill fire happened in chapter 4.", {"the mill fire": 4}),
        ("en", "In chapter 4 the mill fire caused the Great Flood.", {"the mill fire": 4, "the Great Flood": 4}),
        (
            "en",
            "In chapter 4 Odo moved to Ashford. The mill fire caused the Great Flood.",
            {"the mill fire": 4, "the Great Flood": 4},
        ),
        ("en", "Settled: In chapter 4 the bridge burned down.", {"the bridge burned down": 4}),
        (
            "en",
            "Settled: In chapter 5 the burning of the bridge caused the feud.",
            {"burning of the bridge": 5, "feud": 5},
        ),
        ("en", "Event: the bridge collapse in chapter 4", {"the bridge collapse": 4}),
        ("zh", "第四章磨坊大火烧起来了。", {"磨坊大火": 4}),
        ("zh", "第四章发生了磨坊大火。", {"磨坊大火": 4}),
        ("zh", "磨坊大火发生在第四章。", {"磨坊大火": 4}),
        ("zh", "第四章韩柏来到枫林渡。磨坊大火导致了大洪水。", {"磨坊大火": 4, "大洪水": 4}),
        ("zh", "定下来：第四章桥烧毁了。", {"桥烧毁了": 4}),
        ("zh", "定下来：第五章火烧粮仓引发了城中大饥。", {"火烧粮仓": 5, "城中大饥": 5}),
        ("zh", "事件：桥塌，第四章", {"桥塌": 4}),
    ],
)
def test_an_event_is_tied_to_its_chapter(lang: Lang, text: str, events: dict[str, int]) -> None:
    found = told(lang, text)
    assert dated(found.ticked) == events
    assert {one.item.name for one in found.drafts if isinstance(one.item, Entity) and one.item.kind == "Chapter"}


@pytest.mark.parametrize(
    ("lang", "text"),
    [("en", "In chapter 4 the bridge burned down."), ("zh", "第四章桥烧毁了。")],
)
def test_a_sentence_of_talk_that_may_be_an_event_is_shown_with_its_chapter_and_not_ticked(
    lang: Lang, text: str
) -> None:
    found = told(lang, text)
    assert list(dated(found.unticked).values()) == [4]
    assert not found.ticked


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "In chapter 9 Odo remembered the mill fire."),
        ("en", "The mill fire broke out."),
        ("en", "In chapter 4 I changed the tone."),
        ("en", "In chapter 4 the prose was too slow."),
        ("en", "In chapter 4 the bridge burns down."),
        ("en", "The bridge burned down."),
        ("en", "In chapter 4 Odo moved to Ashford."),
        ("en", "In chapter 4 he burned the bridge, and nobody knew why."),
        ("zh", "第四章韩柏想起磨坊大火。"),
        ("zh", "磨坊大火烧起来了。"),
        ("zh", "第四章我改了语气。"),
        ("zh", "第四章韩柏来到枫林渡。"),
    ],
)
def test_no_event_is_tied(lang: Lang, text: str) -> None:
    found = told(lang, text)
    assert not dated(found.ticked | found.unticked)


def test_an_event_of_another_chapter_on_record_stays_there() -> None:
    story = hub(CARDS["en"], "Settled: In chapter 2 the mill fire broke out.")
    found = table("Settled: In chapter 4 the mill fire caused the Great Flood.", hub=story)
    assert dated(found.ticked) == {"the Great Flood": 4}
    assert not [one for one in found.entities if one.endswith("Flood")], "a known event is no new character"
    assert all(one.item.kind is not EntityKind.CHARACTER for one in found.drafts if isinstance(one.item, Entity))
