"""Images, given or met while reading: temp store, one recognition task, formal store, entry, node; none is lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.integrations.foreign import AgentTool, ForeignExecutor
from memorybank.integrations.turns import Turns
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import AnswerGiven, ContextIntercepted, ImageStaged, StageFinished
from memorybank.memory.types import ConflictStatus, Evidence, TaskType
from memorybank.runs.export import fingerprint, to_json
from memorybank.runs.run_folder import load, state_at
from memorybank.session.assembly import Parts, assemble, offline_parts
from memorybank.session.checks import standing_summary
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.markup import write_image
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import MetImages, Settings, WebSettings
from memorybank.tools.corpus import Corpus
from memorybank.tools.deep_retrieval import as_json, view
from memorybank.tools.web.tools import Endpoints
from memorybank.views.boxes.entries import attachment_head
from tests.picturing import picture
from tests.scripted import Reader, WorldExecutor, numbered, parts, write_verdict
from tests.tools.web.servers import guard_for, site
from tests.tools.web.test_images import PICTURES, article

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


GOAL = "How many turbines has the Kelda Wind Farm?"
SAYS = "The Kelda Wind Farm has 18 turbines."
DISPUTED = [
    Source(name="operator.md", text=f"{SAYS} Kelda Energy built it.", kind="document"),
    Source(
        name="herald.md", text="The Kelda Wind Farm has 24 turbines. Fishermen had asked for fewer.", kind="document"
    ),
]
SIGN = ("sign.png", picture("Tours start at noon by the gate. The Kelda Wind Farm has 18 turbines.", size=(1400, 120)))
TEXTS = ("willow qubits: 105\n", "willow qubits: 98\n")


class Checker:
    """Reads the waiting image in the kinds of rounds it is told to, and settles conflicts by what stands on it."""

    name = "checker"

    def __init__(self, *reads_in: TaskType | str, writes: str = "", fails: int = 0) -> None:
        self.reads_in, self.writes, self.fails = reads_in, writes, fails

    def run(self, given: Assignment, fx: Effects) -> Execution:
        kind = "final" if given.task.final else "images" if given.images else given.task.type
        lines = ["Done."]
        if kind in self.reads_in and given.waiting:
            read = fx.use("read_image", image_id="i1").text
            if self.writes:
                lines.append(write_image("i1", self.writes, readable=True))
            if self.fails:
                self.fails -= 1
                return Execution(answer="", transcript="-", failure="it broke")
            quote = self.writes or read
            evidence = (Evidence(source="sign.png", quote=quote, supports="left", independent=True),)
            lines += [
                write_verdict(
                    StatedVerdict(
                        conflict=brief.conflict.id,
                        status=ConflictStatus.RESOLVED,
                        winner="left",
                        value="105",
                        reasoning="sign.png says so",
                        evidence=evidence,
                    )
                )
                for brief in given.briefs
            ]
        lines += [write_image(image.id, "willow sign: 3", readable=True) for image in given.images]
        return Execution(answer="\n".join(lines), transcript="-", quotes_only=True)


def session_of(folder: Path, executor: Checker, **options: object) -> Session:
    made = parts(executor=executor, **options)  # type: ignore[arg-type]
    image = ("sign.png", picture("willow qubits: 105"))
    return Session.start(folder, made, goal="How many qubits?", sources=numbered(*TEXTS), images=[image])


def routes(session: Session) -> list[str]:
    return [record.event.route for record in session.records if isinstance(record.event, ContextIntercepted)]


def test_an_image_read_in_a_check_is_evidence_and_has_no_round_of_its_own(run_dir: Path) -> None:
    with session_of(run_dir, Checker(TaskType.CROSS_VALIDATE)) as session:
        session.run()
        bank = session.bank
    assert "images" not in routes(session)
    assert not bank.tree.staged
    (entry,) = (entry for entry in bank.tree.entries.values() if entry.kind == "image")
    assert "105" in entry.text
    assert (run_dir / "files" / bank.tree.attachments[entry.attachments[0]].path).is_file()
    (conflict,) = bank.conflicts.all.values()
    assert conflict.status is ConflictStatus.RESOLVED
    assert [(piece.source, piece.entry_id, piece.refused) for piece in conflict.evidence] == [
        ("sign.png", entry.id, "")
    ]
    live = [node_id for node_id in bank.graph.nodes if entry.id in bank.tree.entries_of(node_id)]
    assert live, "it is memory like any other source"
    stages = [record.event.stage for record in session.records if isinstance(record.event, StageFinished)]
    assert stages[stages.index("resolve") + 1 :][:4] == ["classify", "structure", "file", "analyse"]
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)


@pytest.mark.parametrize("check", ["does not read it", "breaks after reading it"])
def test_an_image_that_a_check_did_not_take_in_has_its_round(run_dir: Path, check: str) -> None:
    breaks = check != "does not read it"
    executor = Checker(*([TaskType.CROSS_VALIDATE] if breaks else []), fails=2 * breaks)
    with session_of(run_dir, executor) as session:
        session.run()
        bank = session.bank
    assert routes(session).count("images") == 1
    assert not bank.tree.staged
    (entry,) = (entry for entry in bank.tree.entries.values() if entry.kind == "image")
    assert entry.text.endswith("willow sign: 3")


def test_an_image_read_for_the_answer_itself_is_filed_and_its_text_is_no_part_of_the_answer(run_dir: Path) -> None:
    settings = Settings(engine="scripted", parallel_calls=1, max_rounds=1)
    executor = Checker("final", writes="willow sign: 417")
    with session_of(run_dir, executor, settings=settings) as session:
        result = session.run()
        bank = session.bank
    assert result.answer == "Done."
    assert not bank.tree.staged
    assert any("417" in node.summary for node in bank.graph.nodes.values())


def offline() -> Parts:
    return offline_parts(Settings(), "en", HashedNgrams())


def test_the_offline_engine_weighs_an_image_that_waits(run_dir: Path) -> None:
    with Session.start(run_dir, offline(), goal=GOAL, sources=DISPUTED, images=[SIGN]) as session:
        result = session.run()
        bank = session.bank
    assert "images" not in routes(session)
    first = next(iter(bank.conflicts.all.values()))
    assert (first.status, first.winner) == (ConflictStatus.RESOLVED, "left")
    assert ("sign.png", True) in [(piece.source, piece.independent) for piece in first.evidence]
    assert "18" in result.answer
    assert not any("24 turbines" in standing_summary(node) for node in bank.graph.nodes.values())
    assert not bank.tree.unfiled(live=bank.graph.nodes)


def test_an_image_on_which_nothing_can_be_read_keeps_its_round(run_dir: Path) -> None:
    with Session.start(run_dir, offline(), goal=GOAL, sources=DISPUTED, images=[("a.png", picture())]) as session:
        session.run()
        bank = session.bank
    assert routes(session).count("images") == 1
    assert next(iter(bank.conflicts.all.values())).status is ConflictStatus.INCONCLUSIVE
    assert not bank.tree.staged


def test_an_image_and_the_page_that_shows_it_are_one_voice(run_dir: Path) -> None:
    with Session.start(run_dir, offline(), goal=GOAL, sources=DISPUTED, images=[SIGN]) as session:
        session.run_until(lambda report: report.stage == "analyse")
    journal = run_dir / "journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    for line in lines:
        event = line.get("event", line)
        if event.get("type") == "ImageStaged":
            event["image"]["found_in"] = "operator.md"
    journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    with Session.open(run_dir, lambda _: offline()) as session:
        session.run()
        first = next(iter(session.bank.conflicts.all.values()))
    assert first.status is ConflictStatus.INCONCLUSIVE, "its page is a party already"


VAULT = "How many maps does the vault hold?"


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
    assert any("Found in" in str(part) and "lab.md" in str(part) for part in attachment_head(attachment, "en"))


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
    with Session.start(run_dir, made, goal=VAULT, images=[("given.png", picture("1"))]) as session:
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
    with Session.start(run_dir, made, goal=VAULT) as session:
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
        with Session.start(run_dir, made, goal=VAULT) as session:
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
    with Session.start(tmp_path / "run", made, goal=VAULT) as session:
        session.run()
        assert staged(session) == [("i1", "0.png", "a.md")]
        assert any("417" in node.summary for node in session.bank.graph.nodes.values())
    with Turns.start(tmp_path / "turns", VAULT, parts=parts(corpus=corpus)) as turns:
        while prompt := turns.enhance_prompt():
            turns.intercept(agent(prompt, list(turns.tools)))
        assert staged(turns.session) == [("i1", "0.png", "a.md")]
        assert any("417" in node.summary for node in turns.session.bank.graph.nodes.values())
