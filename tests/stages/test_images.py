"""Images: temp store, one recognition task, formal store, entry, node; read once, and never lost."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from memorybank.assembly import offline_parts
from memorybank.config import Settings
from memorybank.embedding.hashed import HashedNgrams
from memorybank.markup import write_image
from memorybank.session import Session
from memorybank.types import TaskType
from tests.scripted import WorldExecutor, parts

ROOT = Path(__file__).parents[2]


def png(text: str = "") -> bytes:
    image = Image.new("RGB", (640, 120), "white")
    if text:
        ImageDraw.Draw(image).text((20, 40), text, fill="black", font=ImageFont.load_default(36))
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def test_staged_images_are_read_filed_and_kept(run_dir: Path) -> None:
    images = [("label.png", png("The vault holds 417 maps.")), ("../../blank.png", png())]
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
    tasks = [task for task in bank.doc.completed_tasks if "images" in task.description]
    assert [task.type for task in tasks] == [TaskType.NORMAL], "one task names all staged images"
    read_again = [entry for entry in bank.tree.entries.values() if entry.kind == "tool"]
    assert not read_again, "an image's text that search finds is the entry it has, not a second one"
    assert "417 maps" in session.result.answer


def test_an_image_without_a_text_is_tried_twice_and_then_filed_as_not_recognised(run_dir: Path) -> None:
    executor = WorldExecutor(say=lambda _: "I cannot see it.")
    session = Session.start(run_dir, parts(executor=executor), goal="Read it", images=[("a.png", png("x"))])
    with session:
        result = session.run()
    (entry,) = (one for one in session.bank.tree.entries.values() if one.kind == "image")
    assert "not recognised" in entry.text
    assert result.result == "complete_with_failures"
    assert not session.bank.tree.staged


def test_another_frameworks_image_blocks_are_understood(run_dir: Path) -> None:
    executor = WorldExecutor(say=lambda given: write_image("i1", "EXIT: 3", readable=True) if given.images else "done")
    session = Session.start(run_dir, parts(executor=executor), images=[("sign.png", png("EXIT"))])
    with session:
        assert session.run().result == "filed"
    assert [node.summary for node in session.bank.graph.nodes.values()] == ["EXIT: 3"]
