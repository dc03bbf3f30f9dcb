"""A rename is one operation: every place before and after, all or nothing at any crash, and taken back exactly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError, StoreUnavailableError
from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.tasks.studio import IMPORT, Studio, character, chunk, fact, open_studio
from memorybank_studio.types import HAS_STATUS, UNRESOLVED, EntityKind, Plan, PlanKind, Setting, TaskState
from tests.tables import tables

TABLES = tables(__file__)

MARA = replace(character("Mara", note="Mara is a smith."), aliases=("the Smith",))
BEA = character("Bea")
MARA_LEE = character("Mara Lee")
OPEN = character(UNRESOLVED, kind=EntityKind.STATUS)
HOOK = character("Who wrote to Mara?", kind=EntityKind.HOOK)
TEXT = "Mara slept. Marathon runners passed. Mara's lamp; Mara Lee wept."


@pytest.fixture
def story(studio: Studio) -> Studio:
    stores = studio.stores
    told = [fact(BEA, "HATES", MARA, reason="Mara lied"), fact(HOOK, HAS_STATUS, OPEN)]
    stores.facts.apply([MARA, BEA, MARA_LEE, HOOK, OPEN], told)
    stores.plans.apply([Plan(kind=PlanKind.GENERAL, title="Mara leaves", text="Mara goes.", origin=IMPORT)])
    stores.settings.put([Setting(key="Mara", text="Mara has red hair.", origin=IMPORT)])
    stores.archive.put([chunk(1, 0, TEXT, "Mara", "Mara Lee"), chunk(1, 1, "Mara woke.", "Mara"), chunk(2, 0, "Snow.")])
    chapter = studio.gateway.chapters.begin(3, "Mara's way", length=100, outline="Mara walks.")
    studio.gateway.chapters.plan_by_steps(chapter.id)
    studio.gateway.chapters.write_by_hand(chapter.id, "Mara walked on.")
    studio.open_task("Talk", "Mara is tired.")
    return studio


def read(studio: Studio) -> dict[str, Any]:
    """All that stands in the stores and in the chapters in writing."""
    stores = studio.stores
    entities = stores.facts.entities(stores.facts.names().values()).values()
    return {
        "names": {each.key: (each.name, each.aliases, each.note) for each in entities},
        "facts": {
            each.key: [(f.predicate, dict(f.properties)) for f in stores.facts.history(each.key)] for each in entities
        },
        "plans": [(plan.key, plan.title, plan.text) for plan in stores.plans.all()],
        "settings": [(setting.key, setting.text) for setting in stores.settings.all()],
        "chapters": [stores.archive.chapter(number) for number, _ in stores.archive.chapters()],
        "written": [(each.title, each.outline, each.beats, each.text) for each in studio.gateway.chapters.all()],
    }


def rename(studio: Studio, new: str = "Vera", **aliases: str) -> bool:
    renames = studio.gateway.renames
    shown = renames.preview(MARA.key, new, aliases)
    return renames.rename(MARA.key, new, aliases, chosen=[place.id for place in shown.places])


def test_the_preview_lists_every_place_and_writes_nothing(story: Studio) -> None:
    before = read(story)
    shown = story.gateway.renames.preview(MARA.key, "Vera").places
    assert [(place.kind, place.where) for place in shown] == [
        ("entity", "Mara"),
        ("entity", "Who wrote to Mara?"),
        ("fact", "hates"),
        ("plan", "Mara leaves"),
        ("setting", "Mara"),
        ("archive", "1 Title 1"),
        ("manuscript", "3 Mara's way"),
    ]
    archive = next(place for place in shown if place.kind == "archive")
    assert archive.texts[0][1] == "Vera slept. Marathon runners passed. Vera's lamp; Mara Lee wept.", "she alone"
    assert archive.count == 3
    assert [place.fixed for place in shown] == [True] + [False] * 6
    assert read(story) == before


def test_a_rename_changes_all_and_keeps_the_old_name_and_the_history(story: Studio) -> None:
    said = [story.gateway.history(task.id) for task in story.gateway.tasks()]
    assert rename(story)
    now = read(story)
    assert now["names"][MARA.key] == ("Vera", ("Mara", "the Smith"), "Vera is a smith.")
    assert now["names"][HOOK.key][0] == "Who wrote to Vera?"
    assert now["facts"][MARA.key] == [("HATES", {"reason": "Vera lied"})], "her facts are still about her"
    assert now["plans"][0][1:] == ("Vera leaves", "Vera goes.")
    assert now["settings"] == [("Vera", "Vera has red hair.")]
    first, second = now["chapters"][0]
    assert (first.entity_list, second.text) == (("Vera", "Mara Lee"), "Vera woke.")
    title, outline, beats, text = now["written"][0]
    assert (title, outline, beats[0].happens, text) == ("Vera's way", "Vera walks.", "Vera walks.", "Vera walked on.")
    assert [story.gateway.history(task.id) for task in story.gateway.tasks()][: len(said)] == said
    assert story.gateway.tasks()[-1].title == "Rename: Mara → Vera"
    assert story.gateway.tasks()[-1].state is TaskState.CLOSED
    assert story.stores.facts.named("Mara")[0].key == MARA.key
    reopened = story.reopened()
    assert read(reopened) == now, "replayed it is the same"
    reopened.gateway.close()


def test_an_alias_goes_with_it_and_what_is_not_ticked_stays(story: Studio) -> None:
    story.stores.archive.put([chunk(2, 0, "The Smith sang.")])
    renames = story.gateway.renames
    shown = renames.preview(MARA.key, "Vera", {"the Smith": "the Baker"})
    chosen = [place.id for place in shown.places if place.where != "1 Title 1"]
    assert renames.rename(MARA.key, "Vera", {"the Smith": "the Baker"}, chosen=chosen)
    now = read(story)
    assert now["chapters"][1][0].text == "The Baker sang."
    assert now["chapters"][0][0].text == TEXT
    assert now["chapters"][0][0].entity_list == ("Vera", "Mara Lee"), "who is in it is known all the same"
    assert now["names"][MARA.key][1] == ("Mara", "the Smith", "the Baker")


def test_a_rename_is_taken_back_exactly_unless_something_changed_since(story: Studio) -> None:
    before = read(story)
    rename(story)
    assert story.gateway.renames.undo()
    assert read(story) == before
    with pytest.raises(InputError, match="no rename"):
        story.gateway.renames.undo()
    rename(story, "Nora")
    story.stores.settings.put([Setting(key="Nora", text="Nora has no hair.", origin=IMPORT)])
    with pytest.raises(InputError, match="changed since"):
        story.gateway.renames.undo()


@pytest.mark.parametrize(("new", "why"), TABLES["a_name_that_is_none_or_is_taken"])
def test_a_name_that_is_none_or_is_taken_is_refused(story: Studio, new: str, why: str) -> None:
    before, told = read(story), len(story.gateway.tasks())
    with pytest.raises(InputError, match=why):
        rename(story, new)
    assert read(story) == before
    assert len(story.gateway.tasks()) == told


def test_while_a_chapter_is_being_written_nothing_is_renamed(story: Studio) -> None:
    """A piece on its way would keep the old name."""
    chapters = story.gateway.chapters
    (chapter,) = chapters.all()
    before = read(story)
    refused = r"Mara's way” is being written"
    with chapters._working(chapter.id):
        with pytest.raises(InputError, match=refused):
            story.gateway.renames.rename(MARA.key, "Nora", chosen=())
        with pytest.raises(InputError, match=refused):
            story.gateway.renames.undo()
    assert read(story) == before
    assert story.gateway.renames.rename(MARA.key, "Nora", chosen=())


def test_a_place_that_reads_differently_by_now_is_refused(story: Studio) -> None:
    chosen = [place.id for place in story.gateway.renames.preview(MARA.key, "Vera").places]
    story.stores.archive.put([chunk(1, 0, "Mara left.")])
    with pytest.raises(InputError, match="differently"):
        story.gateway.renames.rename(MARA.key, "Vera", chosen=chosen)


class Killed(BaseException):
    """The process ends here."""


WRITES = [("plans", "apply"), ("facts", "apply"), ("settings", "put"), ("settings", "remove"), ("archive", "put")]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("store", "method"), WRITES, ids=[".".join(each) for each in WRITES])
def test_killed_at_any_write_it_is_the_new_name_everywhere(
    story: Studio, monkeypatch: pytest.MonkeyPatch, store: str, method: str, after: bool
) -> None:
    real = getattr(getattr(story.stores, store), method)

    def dies(*arguments: Any, **named: Any) -> None:
        if after:
            real(*arguments, **named)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(getattr(story.stores, store), method, dies)
        with pytest.raises(Killed):
            rename(story)
    expect_all_new(story)


@pytest.mark.parametrize("at", range(4), ids=["confirmed", "begun", "applied", "closed"])
def test_killed_at_any_event_it_is_the_old_or_the_new_everywhere(
    story: Studio, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    before, journal = read(story), story.gateway._desk._journal
    real, calls = journal.append, 0

    def dies(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > at:
            raise Killed
        return real(*arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr(journal, "append", dies)
        if at < 3:
            with pytest.raises(Killed):
                rename(story)
        else:
            rename(story)
    if at:
        expect_all_new(story)
    else:
        reopened = story.reopened()
        assert read(reopened) == before
        reopened.gateway.close()


def expect_all_new(story: Studio) -> None:
    reopened = story.reopened()
    texts = repr(read(reopened)).replace("Mara Lee", "").replace("Marathon", "")
    assert texts.count("Vera") > 10
    for alias in ("('Mara', 'the Smith')", "('Who wrote to Mara?',)"):
        texts = texts.replace(alias, "")
    assert "Mara" not in texts, "but as an alias the old name is nowhere"
    reopened.gateway.close()


def test_a_store_that_is_away_gets_it_when_it_is_back(story: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise StoreUnavailableError("hub.lone_surrogate", character=1, place=1)

    with monkeypatch.context() as patched:
        patched.setattr(story.stores.settings, "put", away)
        assert not rename(story)
        story.clock.now += 100
        with pytest.raises(StoreUnavailableError), story.hub.reading():
            pass
    story.clock.now += 100
    expect_all_new(story)


def test_in_chinese_a_longer_name_is_somebody_else(tmp_path: Path, stores: Stores) -> None:
    lin, house = character("林月"), character("林月楼", kind=EntityKind.LOCATION)
    stores.facts.apply([lin, house], [])
    stores.archive.put([chunk(1, 0, "林月来到林月楼，林月笑了。", "林月", "林月楼")])
    studio = open_studio(tmp_path / "zh", stores)
    shown = studio.gateway.renames.preview(lin.key, "苏晴")
    assert [place.texts[0][1] for place in shown.places if place.kind == "archive"] == ["苏晴来到林月楼，苏晴笑了。"]
    studio.gateway.close()


def test_a_card_and_a_fact_under_the_new_name_are_about_the_same_one(story: Studio) -> None:
    rename(story)
    task = story.open_task("More", "fact: Vera LOVES Bea @4")
    story.settle(task)
    assert len(story.stores.facts.named("Vera")) == 1
    assert [told.predicate for told in story.stores.facts.about(MARA.key)] == ["HATES", "LOVES"]
    again = story.open_task("Again", "fact: Mara KNOWS Bea @5")
    story.settle(again)
    assert story.stores.facts.named("Mara")[0].name == "Vera", "told by the old name it is still called by the new one"


def test_words_are_looked_for_on_record_in_chapters_and_in_what_was_said(story: Studio) -> None:
    hits = story.gateway.renames.find("mara", {"draft": "Poor Mara."})
    assert [(hit.kind, hit.where, hit.count) for hit in hits] == [
        ("entity", "Mara", 2),
        ("entity", "Mara Lee", 1),
        ("entity", "Who wrote to Mara?", 1),
        ("fact", "Bea", 1),
        ("plan", "Mara leaves", 2),
        ("setting", "Mara", 2),
        ("archive", "1 Title 1", 4),
        ("manuscript", "3 Mara's way", 5),
        ("discussion", "t1 · 1", 1),
        ("discussion", "t1 · 2", 1),
        ("typed", "draft", 1),
    ]
    assert all(hit.text[hit.start : hit.end] == "Mara" for hit in hits)
    assert not story.gateway.renames.find("Marath", {}), "a part of a word is no word"
    with pytest.raises(InputError, match="look for"):
        story.gateway.renames.find("  ", {})
