"""The bible edited by hand: at once in the hub, in the journal first, and undone exactly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memorybank.errors import InputError
from memorybank_studio.continuity.candidates import Gathering, Present
from memorybank_studio.creativity.evidence import Lookups, settings_about
from memorybank_studio.hub.verbalisation import tell
from memorybank_studio.reading.mentions import Names
from memorybank_studio.settlement.edits import blank
from memorybank_studio.tasks.retrieval import Inquiry, Retrieval
from memorybank_studio.tests.tasks.studio import Studio, outline
from memorybank_studio.types import EntityKind, PlanStatus
from memorybank_studio.writes import ProposalKind

LIN = {"name": "Lin", "kind": "Character", "aliases": "the Fox", "note": "a thief"}
SWORD = {"name": "Frost Sword", "kind": "Item", "aliases": "", "note": ""}
OWNS = {"subject": "Lin", "predicate": "OWNS", "object": "Frost Sword", "chapter": "2", "properties": ""}


def add(studio: Studio, kind: ProposalKind, values: dict[str, str]) -> None:
    assert studio.gateway.bible.add((kind, {**blank(kind), **values}))


def test_a_character_is_added_changed_deleted_and_each_undone_also_by_the_next_program(studio: Studio) -> None:
    add(studio, "entity", LIN)
    add(studio, "entity", SWORD)
    add(studio, "fact", OWNS)
    facts, bible = studio.stores.facts, studio.gateway.bible
    (lin,) = facts.named("the Fox")
    bible.change(lin, {"aliases": "Lin the Grey", "note": ""})
    (changed,) = facts.named("Lin the Grey")
    assert (changed.key, changed.note, facts.named("the Fox")) == (lin.key, "", ()), "an alias can go"
    assert bible.delete(changed)
    assert (facts.named("Lin"), facts.count()) == ((), (1, 0)), "and with her what was on record of her"
    assert studio.gateway.tasks() == (), "nothing of it is a task"
    studio = studio.reopened()
    bible = studio.gateway.bible
    bible.undo()
    assert [fact.since for fact in facts.history(lin.key)] == [2]
    bible.undo()
    assert [entity.note for entity in facts.named("the Fox")] == ["a thief"]
    for _ in range(3):
        bible.undo()
    assert facts.count() == (0, 0)
    with pytest.raises(InputError, match="no change"):
        bible.undo()
    studio.gateway.close()


def test_a_fact_ends_what_it_cannot_stand_beside_and_gives_it_back(studio: Studio) -> None:
    for kind, values in (("entity", LIN), ("entity", {**LIN, "name": "Rao", "aliases": ""}), ("fact", OWNS)):
        add(studio, kind, values)  # type: ignore[arg-type]
    (lin,) = studio.stores.facts.named("Lin")
    add(studio, "fact", {**OWNS, "subject": "Rao", "chapter": "5"})
    (owned,) = studio.stores.facts.history(lin.key)
    assert owned.until == 5
    studio.gateway.bible.undo()
    (owned,) = studio.stores.facts.history(lin.key)
    assert owned.until is None
    studio.gateway.bible.change(owned, {"chapter": "3", "properties": "reason: a gift"})
    (later,) = studio.stores.facts.history(lin.key)
    assert (later.since, later.properties) == (3, {"reason": "a gift"})
    with pytest.raises(InputError, match="changed since"):
        studio.gateway.bible.delete(owned)
    studio.gateway.bible.undo()
    assert studio.stores.facts.history(lin.key) == (owned,)


def test_plans_are_changed_in_place(studio: Studio) -> None:
    plans, bible = studio.stores.plans, studio.gateway.bible
    add(studio, "plan", {"title": "The war", "level": "GeneralOutline"})
    (plan,) = plans.all()
    bible.change(plan, {"title": "The long war", "text": "Ten years."})
    (changed,) = plans.all()
    assert (changed.key, changed.title, changed.text) == (plan.key, "The long war", "Ten years.")
    bible.undo()
    assert [kept.title for kept in plans.all()] == ["The war"]
    bible.undo()
    assert [kept.status for kept in plans.all()] == [PlanStatus.DROPPED], "what was planned is never gone for good"


BOARD = outline(("The siege", "Book one", "The night"), ("one", "two", "three"), "walls")
FIRST, SECOND, THIRD = BOARD[3:]


def board_of(studio: Studio) -> list[tuple[str, str, str]]:
    return [(plan.title, plan.storyline, plan.status.value) for plan in studio.stores.plans.all()]


def test_moves_on_the_plan_board_are_kept_beside_each_other_and_undone_one_by_one(studio: Studio) -> None:
    studio.stores.plans.apply(BOARD)
    bible, boards = studio.gateway.bible, [board_of(studio)]
    moves: list[Callable[[], object]] = [
        lambda: bible.place(THIRD, "walls", FIRST.key),
        lambda: bible.place(FIRST, "court"),
        lambda: bible.turn(THIRD, PlanStatus.IN_PROGRESS),
        lambda: bible.turn(FIRST, PlanStatus.IN_PROGRESS),
        lambda: bible.place(FIRST, "walls"),  # one of a storyline is in progress: the other is set back
        lambda: bible.turn(SECOND, PlanStatus.COMPLETED),
        lambda: bible.turn(studio.stores.plans.all()[2], PlanStatus.DROPPED),
    ]
    for move in moves:
        move()
        boards.append(board_of(studio))
    assert [title for title, *_ in boards[2][3:]] == ["one", "three", "two"], "each move is kept"
    with pytest.raises(InputError, match="another tab"):
        bible.turn(SECOND, PlanStatus.IN_PROGRESS)
    with pytest.raises(InputError, match="cannot stand there"):
        bible.place(SECOND, "walls", SECOND.key)
    assert board_of(studio) == boards[-1], "what is refused changes nothing"
    studio = studio.reopened()
    for before in boards[-2::-1]:
        studio.gateway.bible.undo()
        assert board_of(studio) == before
    studio.gateway.close()


def test_an_ability_has_its_ranks_in_order_and_who_stands_where_is_a_fact(studio: Studio) -> None:
    art = {"name": "Frost Art", "kind": "Ability", "ranks": "Breath\n\n Ice \nBreath\nWinter"}
    add(studio, "entity", art)
    facts, bible = studio.stores.facts, studio.gateway.bible
    (known,) = facts.named("Frost Art")
    assert known.ranks == ("Breath", "Ice", "Winter")
    assert tell(known, facts.entity, "en") == "Frost Art (ability): Ranks, the lowest first: Breath → Ice → Winter."
    has = {"subject": "Lin", "predicate": "HAS_ABILITY", "object": "Frost Art"}
    add(studio, "fact", {**has, "chapter": "2", "properties": "rank: Breath"})
    add(studio, "fact", {**has, "chapter": "5", "properties": "rank: Ice"})
    held = [(fact.properties["rank"], fact.until) for fact in facts.history(known.key)]
    assert held == [("Breath", 5), ("Ice", None)]
    bible.change(known, {"ranks": "Breath\nFrost\nIce"})
    studio = studio.reopened()
    assert studio.stores.facts.named("Frost Art")[0].ranks == ("Breath", "Frost", "Ice")
    studio.gateway.bible.undo()
    assert studio.stores.facts.named("Frost Art") == (known.keyed,)
    with pytest.raises(InputError, match="an ability alone has ranks"):
        studio.gateway.bible.add(("entity", {**blank("entity"), **LIN, "ranks": "Breath"}))
    studio.gateway.close()


def test_a_kind_is_changed_with_what_is_on_record_unless_a_relation_cannot_lead_there(studio: Studio) -> None:
    for kind, values in (("entity", LIN), ("entity", SWORD), ("fact", OWNS)):
        add(studio, kind, values)  # type: ignore[arg-type]
    facts, bible = studio.stores.facts, studio.gateway.bible
    (lin,) = facts.named("Lin")
    (sword,) = facts.named("Frost Sword")
    with pytest.raises(InputError, match="Lin owns Frost Sword"):
        bible.change(sword, {"kind": "Location"})
    bible.change(lin, {"kind": "Faction"})
    (guild,) = facts.named("the Fox")
    assert (guild.kind, guild.note, facts.entity(lin.key)) == (EntityKind.FACTION, "a thief", None)
    assert [fact.ends for fact in facts.history(sword.key)] == [(guild.key, sword.key)]
    bible.undo()
    assert (facts.named("Lin"), facts.entity(guild.key)) == ((lin.keyed,), None)
    assert [fact.ends for fact in facts.history(sword.key)] == [(lin.key, sword.key)]


def test_what_is_there_is_not_added_and_what_was_built_upon_not_undone(studio: Studio) -> None:
    add(studio, "entity", LIN)
    with pytest.raises(InputError, match="on record already"):
        add(studio, "entity", {**LIN, "note": "a king"})
    task = studio.open_task("Sword", "fact: Lin OWNS Frost Sword @3")
    studio.settle(task)
    with pytest.raises(InputError, match="changed since"):
        studio.gateway.bible.undo()
    assert studio.stores.facts.named("Lin")[0].kind is EntityKind.CHARACTER


def test_a_setting_of_an_art_bears_on_whoever_has_it(studio: Studio) -> None:
    add(studio, "entity", LIN)
    add(studio, "fact", {**OWNS, "predicate": "HAS_ABILITY", "object": "Frost Art", "chapter": "2"})
    for key in ("Rules of the Frost Art", "Lin", "Tea", "Line of kings"):
        add(studio, "setting", {"key": key, "text": "One breath a day."})
    (lin,) = studio.stores.facts.named("Lin")
    told = lambda chapter: [entry.key for entry in settings_about(studio.stores, [lin], chapter)]  # noqa: E731
    assert told(2) == ["Lin", "Rules of the Frost Art"]
    assert told(1) == ["Lin"], "she does not have it yet"


def test_a_setting_changes_from_a_chapter_on_and_each_chapter_is_told_its_own(studio: Studio) -> None:
    add(studio, "entity", {**LIN, "name": "Arn bridge", "kind": "Location", "note": "It stands."})
    add(studio, "setting", {"key": "Arn bridge", "text": "It stands."})
    stores, bible = studio.stores, studio.gateway.bible
    (stands,) = stores.settings.all()
    with pytest.raises(InputError, match="from chapter 0 on already"):
        bible.change(stands, {"text": "It burns."}, is_new_state=True)
    bible.change(stands, {"text": "It is burnt.", "chapter": "3", "until": "9"}, is_new_state=True)
    studio = studio.reopened()
    stores, bible = studio.stores, studio.gateway.bible
    (burnt,) = stores.settings.all()
    assert (burnt.text, burnt.since, burnt.until, burnt.earlier) == ("It is burnt.", 3, 9, (stands,))
    (bridge,) = stores.facts.named("Arn bridge")
    assert bridge.note == "", "a note has no chapters: the setting alone tells it"

    def told(chapter: int) -> set[str]:
        asked = Inquiry(text="Arn bridge", chapter=chapter, named={bridge.key: "Arn bridge"}, as_of=chapter)
        return {
            *(entry.text for entry in settings_about(stores, [bridge], chapter)),
            Lookups(stores, chapter, "en").setting("Arn bridge").removeprefix("Arn bridge: "),
            *(part.text.partition(" (")[0] for part in Retrieval("en").entries(asked, stores)),
        }

    assert [told(chapter) for chapter in (2, 3, 9)] == [{"It stands."}, {"It is burnt."}, {""}]
    here, names = Present((bridge.key,), (), ()), Names.of(stores.facts)
    drafts = (Gathering(stores, names, chapter, "en", [here], ["Arn bridge"]) for chapter in (2, 3, 4))
    lines = [[line.text.partition(": ")[2] for line in draft.candidates()] for draft in drafts]
    stood, burns = "It stands. (until chapter 3)", "It is burnt. (since chapter 3; until chapter 9)"
    assert lines == [[stood], [stood, burns], [burns]], "in the chapter of the change either may be so"
    bible.change(stands, {"text": "It stood.", "key": "Old bridge"})
    bible.delete(stores.settings.all()[0].states[-1])
    assert [(kept.key, kept.text, kept.until) for kept in stores.settings.all()] == [("Old bridge", "It stood.", None)]
    bible.undo()
    bible.undo()
    studio.settle(studio.open_task("River", "setting: Arn bridge = It is ash."))
    (ash,) = stores.settings.all()
    assert (ash.text, ash.since, ash.until, ash.earlier) == ("It is ash.", 3, 9, (stands,)), "its newest state"
    assert tell(ash, stores.facts.entity, "zh") == "Arn bridge：It is ash.（自第3章起；至第9章止）"
    studio.gateway.close()
