"""Images: temp store, one recognition task, formal store, entry, node; read once, and never lost."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.events import StageFinished
from memorybank.memory.types import TaskType
from memorybank.runs.run_folder import load, state_at
from memorybank.session.assembly import offline_parts
from memorybank.session.markup import write_image
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from tests.picturing import picture
from tests.scripted import WorldExecutor, parts

ROOT = Path(__file__).parents[3]


def test_staged_images_are_read_filed_and_kept(run_dir: Path) -> None:
    images = [("label.png", picture("The vault holds 417 maps.")), ("../../blank.png", picture())]
    session = Session.start(
        run_dir, offline_parts(Settings(), "en", HashedNgrams()), goal="How many maps?", images=images
    )
    with session:
        assert len(list((run_dir / "temp").iterdir())) == 2
        session.run()
        bank = session.bank
    entries = [entry for entry in bank.tree.entries.values() if entry.kind == "image"]
    assert [entry.source for entry in entries] == ["label.png", "blank.png"]
    assert "417 maps" in entries[0].text
    assert "no readable text (PNG, 640×120)" in entries[1].text
    for entry in entries:
        (attachment,) = (bank.tree.attachments[one] for one in entry.attachments)
        assert attachment.id in entry.text
        assert (run_dir / "files" / attachment.path).is_file()
        assert any(span.entry_id == entry.id for spans in bank.tree.spans.values() for span in spans)
    assert not bank.tree.staged
    assert not any((run_dir / "temp").iterdir()), "the temp store is emptied at the end"
    (task,) = (task for task in bank.doc.completed_tasks if "images" in task.description)
    assert task.type is TaskType.NORMAL, "one task names all staged images"
    assert task.context == f"label.png: {entries[0].body} blank.png: {entries[1].body}", (
        "the Insight Doc has their texts"
    )
    read_again = [entry for entry in bank.tree.entries.values() if entry.kind == "tool"]
    assert not read_again, "an image's text that search finds is the entry it has, not a second one"
    assert "417 maps" in session.result.answer


def test_an_image_without_a_text_is_tried_twice_and_then_filed_as_not_recognised(run_dir: Path) -> None:
    executor = WorldExecutor(say=lambda _: "I cannot see it.")
    session = Session.start(run_dir, parts(executor=executor), goal="Read it", images=[("a.png", picture("x"))])
    with session:
        result = session.run()
    (entry,) = (one for one in session.bank.tree.entries.values() if one.kind == "image")
    assert "not recognised" in entry.text
    assert result.result == "complete_with_failures"
    assert not session.bank.tree.staged
    first, second = session.bank.doc.completed_tasks[:2]
    assert first.context == "a.png: not recognised"
    assert second.context.startswith("a.png: not recognised")


@pytest.mark.parametrize("read_before", [False, True], ids=["while it waits", "after it was filed"])
@pytest.mark.parametrize("apart", [False, True], ids=["temp in the run", "temp elsewhere"])
def test_a_fork_of_the_time_before_an_image_was_read_reads_it(tmp_path: Path, read_before: bool, apart: bool) -> None:
    settings = Settings(temp_dir=tmp_path / "waiting" if apart else None)
    made = offline_parts(settings, "en", HashedNgrams())
    images = [("label.png", picture("The vault holds 417 maps."))]
    with Session.start(tmp_path / "run", made, goal="How many maps?", images=images) as session:
        if read_before:
            session.run()
        fork = session.fork(_first_border(session), tmp_path / "fork")
    with Session.open(fork, lambda _: made) as branch:
        assert list(branch.bank.tree.staged) == ["i1"]
        branch.run()
        (entry,) = (one for one in branch.bank.tree.entries.values() if one.kind == "image")
        assert "417 maps" in entry.text
        (attachment,) = branch.bank.tree.attachments.values()
        assert (fork / "files" / attachment.path).is_file()


def test_an_image_whose_file_is_gone_is_filed_as_text_that_says_so(tmp_path: Path) -> None:
    made = offline_parts(Settings(), "en", HashedNgrams())
    with Session.start(tmp_path / "run", made, goal="Read it", images=[("a.png", picture("EXIT"))]) as session:
        fork = session.fork(_first_border(session), tmp_path / "fork")
    shutil.rmtree(fork / "temp")
    with Session.open(fork, lambda _: made) as branch:
        result = branch.run()
        bank = branch.bank
    (entry,) = (one for one in bank.tree.entries.values() if one.kind == "image")
    assert "no longer there" in entry.text
    assert "not recognised: a.png" in entry.text
    assert entry.attachments == ()
    assert not bank.tree.attachments
    assert not bank.tree.staged
    assert result.result == "complete_with_failures"
    assert state_at(load(fork)).tree.entries == bank.tree.entries

    said = WorldExecutor(say=lambda given: write_image("i1", "EXIT: 3", readable=True) if given.images else "done")
    with Session.start(tmp_path / "other", made, images=[("a.png", picture("EXIT"))]) as session:
        other = session.fork(_first_border(session), tmp_path / "known")
    shutil.rmtree(other / "temp")
    with Session.open(other, lambda _: replace(made, executor=said)) as branch:
        branch.run()
        (entry,) = (one for one in branch.bank.tree.entries.values() if one.kind == "image")
    assert entry.text.endswith("EXIT: 3"), "what was read is kept all the same"


def _first_border(session: Session) -> int:
    return next(record.seq for record in session.records if isinstance(record.event, StageFinished))
