"""Images met while reading: staged like a person's, recognised before the end, kept with the page they came from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank.integrations.foreign import AgentTool, ForeignExecutor
from memorybank.integrations.turns import Turns
from memorybank.memory.events import AnswerGiven, ImageStaged
from memorybank.runs.export import to_json
from memorybank.session.assembly import assemble, offline_parts
from memorybank.session.markup import write_image
from memorybank.session.session import Session
from memorybank.settings.config import MetImages, Settings, WebSettings
from memorybank.tools.corpus import Corpus
from memorybank.tools.deep_retrieval import as_json, view
from memorybank.tools.web.tools import Endpoints
from memorybank.views.boxes.entries import attachment_head
from tests.picturing import picture
from tests.scripted import Reader, parts
from tests.tools.web.servers import guard_for, site
from tests.tools.web.test_images import PICTURES, article

ROOT = Path(__file__).parents[3]
GOAL = "How many maps does the vault hold?"


def corpus_of(files: Mapping[str, str | bytes]) -> Corpus:
    return Corpus.from_bytes({name: told if isinstance(told, bytes) else told.encode() for name, told in files.items()})


def staged(session: Session) -> list[tuple[str, str, str]]:
    found = [one.event.image for one in session.records if isinstance(one.event, ImageStaged)]
    return [(image.id, image.name, image.found_in) for image in found]


def test_the_answer_stands_on_an_image_of_the_corpus(run_dir: Path, tmp_path: Path) -> None:
    goal, image = "What does the label of the James Webb Space Telescope say on its launch?", "webb_label_en.png"
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "lab.md").write_text(f"The Webb lab shows a label in its hall.\n\n![poster]({image})\n")
    shutil.copy(ROOT / "assets/images" / image, tmp_path / "corpus")
    settings = Settings(corpus=tmp_path / "corpus", embedding_model="hashed-ngrams", lang="en")
    with Session.start(run_dir, assemble(settings, [goal]), goal=goal) as session:
        result = session.run()
        bank = session.bank
    assert result.result == "complete"
    assert "25 December 2021" in result.answer
    assert "an image of lab.md" in result.answer
    (attachment,) = bank.tree.attachments.values()
    assert (attachment.name, attachment.found_in) == (image, "lab.md")
    assert (run_dir / "files" / attachment.path).is_file()
    assert not any((run_dir / "temp").iterdir())
    (entry,) = (one for one in bank.tree.entries.values() if one.kind == "image")
    assert entry.source == f"{image}, an image of lab.md"
    assert entry.source in entry.text.partition("\n")[0]
    node = next(node for node, spans in bank.tree.spans.items() if any(one.entry_id == entry.id for one in spans))
    assert '"found_in": "lab.md"' in json.dumps(as_json(view(bank, node)))
    shutil.copytree(run_dir / "files", tmp_path / "again" / "files")
    memory = json.dumps(to_json(bank))
    with Session.start(tmp_path / "again", assemble(settings, [goal]), memory=memory, goal=goal) as again:
        assert {one.found_in for one in again.bank.tree.attachments.values()} == {"lab.md"}
        again.run()
        assert staged(again) == [], "an image that was read before is not read again"
    assert any("Met in" in str(part) and "lab.md" in str(part) for part in attachment_head(attachment, "en"))


def test_images_are_staged_once_and_within_the_limit(run_dir: Path) -> None:
    texts = {"a.md": "The vault and its maps. ![x](1.png) ![x](0.png)"}
    texts |= {"b.md": "The vault and its keys. ![x](2.png) ![x](0.png)"}
    corpus = corpus_of({**texts, **{f"{number}.png": picture(f"{number}") for number in range(7)}})
    reads = {"0.png": "The vault holds 417 maps.", "given.png": "The vault has 3 keys.", "6.png": "The vault is old."}
    settings = Settings(images=MetImages(per_page=2, per_task=5))
    reader = Reader(("a.md", "b.md"), reads)
    made = replace(offline_parts(settings, "en", HashedNgrams(), corpus), executor=reader)
    first = [
        ("i1", "given.png", ""),
        *((f"i{number - 1}", f"{number}.png", f"{number}.png") for number in range(3, 7)),
        ("i6", "0.png", "a.md"),
    ]
    with Session.start(run_dir, made, goal=GOAL, images=[("given.png", picture("1"))]) as session:
        session.run()
        assert staged(session) == first, "what no document shows, then a document's; not 1.png, which a person gave"
        bank = session.bank
        entries = {one.source: one for one in bank.tree.entries.values() if one.kind == "image"}
        met = "0.png, an image of a.md"
        assert list(entries) == ["given.png", "3.png", "4.png", "5.png", "6.png", met]
        filed = {span.entry_id for spans in bank.tree.spans.values() for span in spans}
        assert [name for name, entry in entries.items() if entry.id in filed] == ["given.png", "6.png", met]
        assert all(entry.attachments for entry in entries.values()), "what says nothing is kept, and is no memory"
        assert dict(reader.given[-1].shown_by)[met] == "a.md", "an image is no source beside its page"
        session.ask("How old is the vault?")
        session.run()
        assert staged(session) == [*first, ("i7", "2.png", "b.md")], "another question has a limit of its own"


def test_images_that_the_answers_own_round_met_are_read_and_the_goal_is_answered_once_more(run_dir: Path) -> None:
    texts = {"a.md": "The vault. ![x](0.png)", "b.md": "The vault. ![x](1.png)"}
    corpus = corpus_of({**texts, "0.png": picture("0"), "1.png": picture("1")})
    reader = Reader(("a.md",), {"0.png": "The vault holds 417 maps."}, when=lambda given: given.task.final)
    made = replace(offline_parts(Settings(), "en", HashedNgrams(), corpus), executor=reader)
    with Session.start(run_dir, made, goal=GOAL) as session:
        for report in session.iterate():
            if any(isinstance(fact, AnswerGiven) for fact in report.facts):
                reader.visits = ("b.md",)
        answers = [one.event for one in session.records if isinstance(one.event, AnswerGiven)]
        assert len(answers) == 2
        assert staged(session) == [("i1", "0.png", "a.md")], "what the second answer meets is no more reason to go on"
        assert session.result.result == "complete"
        assert not session.bank.tree.staged
        assert any("417 maps" in node.summary for node in session.bank.graph.nodes.values())


def test_a_visited_page_brings_its_images_into_memory(run_dir: Path) -> None:
    with site(PICTURES) as there:
        there.routes["/page"] = article("/one.png", "/svg.svg", "http://10.0.0.1/x.png")
        url = f"{there.url}/page"
        reader = Reader((url, f"{there.url}/two.jpg"), {"one.png": "vault maps: 417", "two.jpg": "vault keys: 3"})
        settings = Settings(engine="scripted", web=WebSettings(visit=True))
        made = replace(parts(settings=settings, executor=reader), endpoints=Endpoints(guard=guard_for(there)))
        with Session.start(run_dir, made, goal=GOAL) as session:
            session.run()
            kinds = {
                one.source: one.kind for one in session.bank.tree.entries.values() if one.kind in ("tool", "image")
            }
            assert kinds == {url: "tool", f"one.png, an image of {url}": "image", f"{there.url}/two.jpg": "image"}
            found = {one.name: one.found_in for one in session.bank.tree.attachments.values()}
            assert found == {"one.png": url, "two.jpg": f"{there.url}/two.jpg"}


def test_tools_of_other_frameworks_stage_images_too(tmp_path: Path) -> None:
    corpus = corpus_of({"a.md": "The vault. ![x](0.png)", "0.png": picture("0")})

    def agent(prompt: str, tools: list[AgentTool]) -> str:
        offered = {tool.name: tool for tool in tools}
        if "i1 (0.png, an image of a.md)" in prompt:
            return write_image("i1", "vault maps: 417", readable=True)
        return offered["visit"](url="a.md")

    made = parts(corpus=corpus, executor=ForeignExecutor(agent))  # type: ignore[arg-type]
    with Session.start(tmp_path / "run", made, goal=GOAL) as session:
        session.run()
        assert staged(session) == [("i1", "0.png", "a.md")]
        assert any("417" in node.summary for node in session.bank.graph.nodes.values())
    with Turns.start(tmp_path / "turns", GOAL, parts=parts(corpus=corpus)) as turns:
        while prompt := turns.enhance_prompt():
            turns.intercept(agent(prompt, list(turns.tools)))
        assert staged(turns.session) == [("i1", "0.png", "a.md")]
        assert any("417" in node.summary for node in turns.session.bank.graph.nodes.values())
