"""A chapter through the gateway, its model a scripted endpoint over real HTTP: written, stopped, failed, revised."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.runs.journal import read
from memorybank_lab.scripted import Script, asks, error_reply, on
from memorybank_studio.chapters.context import running_state, unfounded
from memorybank_studio.chapters.manuscript import MOST_LENGTH, OUTCOME, ChapterId, PieceChecked, PieceWritten
from memorybank_studio.continuity.findings import FindingKind
from memorybank_studio.hub.stores import Stores, next_chapter
from memorybank_studio.journal.events import STUDIO
from memorybank_studio.names import stands_in
from memorybank_studio.tests.chapters.story import NUMBER, TITLE, answers, begin, revised, rules, writing
from memorybank_studio.tests.tasks.studio import Studio
from memorybank_studio.types import Fact, PlanKind, PlanStatus
from memorybank_studio.writes import Mark, StatusChange

PIECES = answers("en")["pieces"]
NO_MARKS: dict[str, Any] = {"marks": [], "doubts": [], "now": []}


def asked(server: Any) -> Counter[str]:
    return Counter(request.schema_name for request in server.chats)


def test_a_chapter_is_one_call_for_its_plan_and_one_for_each_piece(tmp_path: Path, stores: Stores) -> None:
    with writing(tmp_path, stores, rules("en")) as (gateway, server):
        before = stores.facts.count()
        chapter = gateway.chapters.write(begin(gateway, stores, "en").id)
        assert [piece.text for piece in chapter.pieces] == [piece["text"] for piece in PIECES]
        assert asked(server) == {"chapter_plan": 1, "chapter_piece": 3}
        steps = {plan.key: plan.title for plan in stores.plans.all()}
        assert [steps[beat.step] for beat in chapter.beats if beat.step] == [
            "Ilse enters the Tide Tower",
            "Ilse finds her mother in the lamp room",
            "Ilse finds her mother in the lamp room",
        ]
        held = {(line.kind.value, line.who): line.what for line in running_state(chapter.pieces)}
        assert held["place", "Ilse Marrow"] == "the lamp room of the Tide Tower"
        assert held["place", "Tomas Quill"] == "at the oak door below the lamp room", "he was kept out"
        assert stores.facts.count() == before, "nothing of it is a fact"
        assert {plan.status for plan in stores.plans.all() if plan.key in chapter.plans} == {
            PlanStatus.IN_PROGRESS,
            PlanStatus.PENDING,
        }, "nor done"
        events = [record.event for record in read(gateway._desk._path, STUDIO)[0]]
        written = [event for event in events if isinstance(event, PieceWritten)]
        assert [event.spent.calls for event in written] == [1, 1, 1]
        assert all(event.spent.input_tokens > 0 for event in written)
        assert [event.piece for event in events if isinstance(event, PieceChecked)] == [1, 2, 3]


def test_it_stops_where_it_is_told_and_goes_on_without_asking_again(tmp_path: Path, stores: Stores) -> None:
    with writing(tmp_path, stores, rules("en")) as (gateway, server):
        id_ = begin(gateway, stores, "en").id
        assert len(gateway.chapters.write(id_, pieces=0).beats) == 3, "the plan alone, for the author to look at"
        stopped = gateway.chapters.write(id_, stopped=lambda: len(gateway.chapters.chapter(id_).pieces) == 1)
        assert (len(stopped.pieces), stopped.problem, stopped.is_written) == (1, None, False)
        assert len(gateway.chapters.write(id_, pieces=1).pieces) == 2
        assert gateway.chapters.write(id_).is_written
        gateway.chapters.write(id_)
        assert asked(server) == {"chapter_plan": 1, "chapter_piece": 3}, "a chapter that is written asks nothing more"


def test_a_model_that_fails_in_the_middle_leaves_what_was_done(tmp_path: Path, stores: Stores) -> None:
    broken = error_reply(500, "it broke")
    with writing(tmp_path, stores, rules("en", PIECES[0], broken, *PIECES[1:])) as (gateway, server):
        id_ = begin(gateway, stores, "en").id
        stopped = gateway.chapters.write(id_)
        assert len(stopped.pieces) == 1
        assert stopped.problem is not None
        assert "it broke" in str(stopped.problem)
        assert "500" in stopped.problem.in_language("zh")
        whole = gateway.chapters.write(id_)
        assert (whole.problem, [piece.text for piece in whole.pieces]) == (None, [piece["text"] for piece in PIECES])
        assert asked(server)["chapter_piece"] == 4


def test_what_is_said_of_a_text_and_is_not_in_it_goes_no_further(tmp_path: Path, stores: Stores) -> None:
    line = {"kind": "possession", "who": "Tomas Quill", "what": "a loaded pistol", "quote": "He drew the pistol."}
    state = [line, *PIECES[0]["state"]]
    bad = {**PIECES[0], "state": state, "outcome_quote": "The key turned.", "ended": ["7.7"]}
    with writing(tmp_path, stores, rules("en", bad, PIECES[1])) as (gateway, server):
        chapter = gateway.chapters.write(begin(gateway, stores, "en").id, pieces=2)
        assert [kept.what for kept in unfounded(chapter.pieces)] == ["a loaded pistol"]
        assert "pistol" not in server.chats[-1].text, "the next piece is not told"
        (mark,) = chapter.pieces[0].marks or ()
        assert (mark.kind, mark.against) == (OUTCOME, answers("en")["plan"]["pieces"][0]["outcome"])


def test_a_check_marks_and_changes_nothing(tmp_path: Path, stores: Stores) -> None:
    dead = "Captain Brandt came down the stair and took the lantern from her."
    second = {**PIECES[1], "text": f"{dead}\n\n{PIECES[1]['text']}"}

    def marked(request: Any) -> Any:
        line = next(line.split()[0] for line in request.prompt.splitlines() if "Captain Brandt is dead" in line)
        fault = {"sentence": "s1", "quote": "Captain Brandt came down", "against": line, "kind": "dead_returns"}
        return {"marks": [{**fault, "reason": "He is dead."}]}

    script = rules("en", PIECES[0], second, more=[on(asks(schema="continuity"), NO_MARKS, marked)])
    with writing(tmp_path, stores, script, reads=True) as (gateway, _):
        piece = gateway.chapters.write(begin(gateway, stores, "en").id, pieces=2).pieces[1]
        assert piece.text == second["text"]
        (mark,) = piece.marks or ()
        assert (mark.kind, mark.against) == (FindingKind.DEAD_RETURNS, "Captain Brandt is dead (since chapter 2)")


def test_a_model_checks_each_piece_and_is_told_where_things_stand(tmp_path: Path, stores: Stores) -> None:
    broken = error_reply(500, "it broke")
    script = rules("en", more=[on(asks(schema="continuity"), NO_MARKS, NO_MARKS, broken)])
    with writing(tmp_path, stores, script, reads=True) as (gateway, server):
        first, second, third = gateway.chapters.write(begin(gateway, stores, "en").id).pieces
        asked_of = [request.text for request in server.chats if request.schema_name == "continuity"]
        assert "What Quill has" not in asked_of[0]
        assert "What Tomas Quill has: the end of the boat's rope" in asked_of[1]
        assert (first.check_failure, second.check_failure) == (None, None)
        assert "it broke" in str(third.check_failure)
        assert third.marks == ()
        checked = gateway.chapters.check(gateway.chapters.all()[0].id)
        assert [piece.check_failure is None for piece in checked.pieces] == [True, True, False], "it was asked again"
        assert len([one for one in server.chats if one.schema_name == "continuity"]) == 4


def test_a_passage_is_rewritten_and_taken_or_left(tmp_path: Path, stores: Stores) -> None:
    with writing(tmp_path, stores, rules("en")) as (gateway, _):
        id_ = gateway.chapters.write(begin(gateway, stores, "en").id).id
        words = answers("en")["passage_of"]
        before = gateway.chapters.chapter(id_).pieces
        revised(gateway, id_, "en")
        assert gateway.chapters.decide(id_, accepted=False).pieces == before
        revised(gateway, id_, "en")
        after = gateway.chapters.decide(id_, accepted=True)
        assert after.revision is None
        new = answers("en")["passage"]
        assert after.pieces[1].text == before[1].text.replace(words, new["text"])
        assert after.pieces[1].summary == new["summary"]
        assert [piece.older_than for piece in after.pieces] == [None, None, 2], "the third was written before"
        assert [piece.marks for piece in after.pieces] == [()] * 3, "and is checked anew"
        with pytest.raises(InputError, match="no rewritten passage waits"):
            gateway.chapters.decide(id_, accepted=True)
        with pytest.raises(InputError, match="do not stand there"):
            revised(gateway, id_, "en")
        with pytest.raises(InputError, match="more than once"):
            gateway.chapters.revise(id_, 2, "said", "shorter")
        with pytest.raises(InputError, match="nothing says what to change"):
            gateway.chapters.revise(id_, 2, "What would I know?\tI mend nets.", " ")


def test_what_the_author_writes_over_takes_the_state_that_stood_on_it_along(tmp_path: Path, stores: Stores) -> None:
    with writing(tmp_path, stores, rules("en")) as (gateway, server):
        id_ = gateway.chapters.write(begin(gateway, stores, "en").id, pieces=1).id
        text = gateway.chapters.chapter(id_).pieces[0].text
        edited = gateway.chapters.edit(
            id_, 1, text.replace("the rope in his hand went slack", "he had let the rope go")
        )
        assert not any(line.what == "the end of the boat's rope" for line in running_state(edited.pieces))
        assert edited.pieces[0].marks == (), "the author's own text owes no quote"
        gateway.chapters.write(id_, pieces=1)
        told = server.chats[-1].text
        assert "the end of the boat's rope" not in told
        assert told.count("he had let the rope go") >= 1, "a text without a summary is shown itself"
        taken_back = gateway.chapters.withdraw(id_)
        assert len(taken_back.pieces) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_chapter_that_is_archived_proposes_its_steps_and_what_it_tells(
    tmp_path: Path, stores: Stores, lang: Lang
) -> None:
    with writing(tmp_path, stores, rules(lang), lang) as (gateway, _):
        id_ = gateway.chapters.write(begin(gateway, stores, lang).id).id
        before = stores.facts.count()
        steps = lambda: {plan.key for plan in stores.plans.all(kind=PlanKind.STEP, status=PlanStatus.COMPLETED)}  # noqa: E731
        completed = steps()
        table = gateway.archive_chapter(id_).table
        chapter = gateway.chapters.chapter(id_)
        assert chapter.archived
        changes = {row.item.plan: row.item.status for row in table.proposals if isinstance(row.item, StatusChange)}
        assert [changes[plan] for plan in chapter.plans] == [PlanStatus.COMPLETED] * len(chapter.plans)
        noted = [row.item for row in table.proposals if isinstance(row.item, Fact)]
        assert noted
        for fact in noted:
            assert (fact.since, fact.origin.task, fact.origin.turns) == (NUMBER, table.task, ())
            assert stands_in(fact.origin.source, chapter.text), "a row stands on words of the chapter"
        assert all(stands_in(line.line, chapter.text) and line.chapter == NUMBER for line in table.unread)
        assert (steps(), stores.facts.count()) == (completed, before), "nothing is written unconfirmed"
        assert gateway.confirm(table.task, table.proposals).applied
        assert steps() == completed | set(chapter.plans)
        assert stores.facts.count()[1] > before[1]
        assert next_chapter(stores) == 5
        again = gateway.archive_chapter(id_).table
        assert {row.mark for row in again.proposals} == {Mark.KNOWN}, "its steps are completed, its facts on record"
        assert dict(stores.archive.chapters())[NUMBER] == TITLE[lang]
        assert "".join(chunk.text for chunk in stores.archive.chapter(NUMBER)) == chapter.text
        changed = gateway.chapters.edit(id_, 3, "Then she turned round at last.")
        assert not changed.archived, "the archive has it as it was"


def test_a_chapter_is_put_back_as_it_was_and_that_is_a_version_too(studio: Studio) -> None:
    chapters = studio.gateway.chapters
    id_ = chapters.begin_with("It rained.", 1, "Rain").id
    chapters.write_by_hand(id_, "It stopped.")
    chapters.edit(id_, 1, "It snowed.")
    chapters.withdraw(id_)
    texts = ["It rained.", "It rained.\n\nIt stopped.", "It snowed.\n\nIt stopped.", "It snowed."]
    assert [version.text for version in chapters.versions(id_)] == texts
    assert chapters.put_back(id_, 1).text == texts[1]
    assert chapters.put_back(id_, 3).text == texts[3]
    assert [version.text for version in chapters.versions(id_)] == [*texts, texts[1], texts[3]]
    again = studio.reopened().gateway.chapters
    assert [version.text for version in again.versions(id_)][-1] == again.chapter(id_).text == texts[3]


def test_one_works_on_a_chapter_at_a_time(tmp_path: Path, stores: Stores) -> None:
    refused: list[str] = []

    def meanwhile(request: Any) -> Any:
        with pytest.raises(InputError, match="somebody is at work") as caught:
            gateway.chapters.write(id_)
        refused.append(str(caught.value))
        return PIECES[0]

    with writing(tmp_path, stores, rules("en", meanwhile)) as (gateway, _):
        id_ = begin(gateway, stores, "en").id
        assert len(gateway.chapters.write(id_, pieces=1).pieces) == 1
    assert len(refused) == 1


def test_a_plan_that_leaves_a_step_out_is_sent_back_once(tmp_path: Path, stores: Stores) -> None:
    plan = answers("en")["plan"]["pieces"]
    wrong = {"pieces": [{**plan[0], "step": "S9"}, *plan[1:]]}
    left_out = {"pieces": [{**piece, "step": "S1"} for piece in plan]}
    script = Script(rules=[on(asks(schema="chapter_plan"), wrong, left_out)])
    with writing(tmp_path, stores, script) as (gateway, server):
        chapter = gateway.chapters.write(begin(gateway, stores, "en").id)
        assert "there is no step 'S9'" in server.chats[1].text
        assert "no piece serves the step S2" in str(chapter.problem)
        assert (chapter.beats, chapter.pieces) == ((), ())


# -- without a language model -----------------------------------------------------------------------------------------


def test_without_a_model_the_author_writes_and_nobody_checks(studio: Studio) -> None:
    chapters = studio.gateway.chapters
    assert not chapters.can_write
    chapter = chapters.begin(5, "The hall", length=200, outline="Wen is remembered.")
    with pytest.raises(InputError, match="needs a language model"):
        chapters.write(chapter.id)
    assert [beat.happens for beat in chapters.plan_by_steps(chapter.id).beats] == ["Wen is remembered."]
    chapters.write_by_hand(chapter.id, "He counted the steps.")
    second = chapters.write_by_hand(chapter.id, "Snow fell.").pieces[1]
    assert second.check_failure is not None
    assert "page Settings" in second.check_failure.in_language("en"), "nobody has read it beside the record"
    with pytest.raises(InputError, match="no words"):
        chapters.edit(chapter.id, 1, "  ")
    with pytest.raises(InputError, match="no piece 3"):
        chapters.edit(chapter.id, 3, "x")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"length": 99}, "has 100 to"),
        ({"length": MOST_LENGTH + 1}, "has 100 to"),
        ({"outline": " "}, "nothing says what happens"),
        ({"plan": "p-none"}, "no step or short outline"),
        ({"title": "x" * 201}, "at most 200"),
    ],
)
def test_a_chapter_that_cannot_be_begun_is_none(studio: Studio, given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        studio.gateway.chapters.begin(**{"number": 1, "title": "x", "length": 500, "outline": "y", **given})
    assert studio.gateway.chapters.all() == ()
    with pytest.raises(InputError, match="no chapter that is being written"):
        studio.gateway.chapters.withdraw(ChapterId("c7"))
