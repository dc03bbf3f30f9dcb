"""The file shows each moment as the app does, and what the run has come to, whole; and the command that writes it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import pytest

from memorybank.contradiction.disputes.dispute import describe
from memorybank.errors import InputError
from memorybank.memory.types import AttachmentType, Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, load
from memorybank.runs.stages import ends_stage
from memorybank.views.graph.moment_view import view_of
from memorybank.views.html_export import export_html
from memorybank.views.html_export.__init__ import moments_of
from memorybank.views.html_export.panels import page_of, pictures
from memorybank.views.run.feed import say
from memorybank.views.run.playback import Moment, Playback
from memorybank.views.text.display import plain
from tests.command_line import memorybank, refused, typed
from tests.recorded import recorded_run
from tests.views.html_export.reading import data_in, slides_in


class Exported(NamedTuple):
    records: list[Record[Any]]
    folder: RunFolder
    lang: Lang
    page: Element

    @property
    def moment(self) -> Moment:
        return Playback().at(self.records)

    def named(self, start: str) -> dict[str, Element]:
        """What unfolds on the page, by the rest of its name."""
        return {name.removeprefix(start): each for name, each in _named(self.page) if name.startswith(start)}


def _named(page: Element) -> Iterator[tuple[str, Element]]:
    yield from ((each.attrib["id"], each) for each in page.iter() if "id" in each.attrib)


def words(element: Element) -> str:
    return "".join(element.itertext())


@pytest.fixture(scope="module", params=["en", "zh"])
def run(request: pytest.FixtureRequest) -> Exported:
    folder = recorded_run(request.param)
    records = list(load(folder.path))
    return Exported(records, folder, request.param, page_of(records, folder.files.read, request.param))


def test_every_moment_of_the_graph_is_that_of_the_app(run: Exported) -> None:
    made = moments_of(run.records, run.lang, at=None, since=0)
    ends = [record.seq for record in run.records if ends_stage(record)]
    assert [moment["seq"] for moment in made["moments"]] == [0, *ends]
    assert made["at"] == len(ends)
    picture: dict[str, dict[str, Any]] = {"nodes": {}, "edges": {}, "frame": {}}
    playback = Playback()
    for moment in made["moments"]:
        for part, name, content in moment["changes"]:
            picture[part][name] = content
        shown = {
            part: {name: item for name, item in items.items() if item is not None} for part, items in picture.items()
        }
        assert shown == view_of(playback.at(run.records[: moment["seq"]]), None, run.lang).parts
        assert moment["words"]
    assert {"answer", "conflict", "verdict"} <= {moment["tone"] for moment in made["moments"]}


def test_every_memory_dispute_merge_and_event_is_in_it(run: Exported) -> None:
    bank = run.moment.bank
    nodes = run.named("node-")
    assert nodes.keys() == bank.graph.nodes.keys()
    for node_id, node in bank.graph.nodes.items():
        assert plain(node.summary) in words(nodes[node_id])
        span = min(bank.tree.spans[node_id], key=lambda span: (span.entry_id, span.start))
        assert plain(bank.tree.text(span)[:1_000]) in words(nodes[node_id])
    disputes, conflicts = run.named("dispute-"), run.named("conflict-")
    assert conflicts.keys() == bank.conflicts.all.keys()
    assert disputes.keys() == {dispute.id for dispute in run.moment.disputes}
    assert len(disputes) < len(conflicts), "the recorded run has a dispute of several conflicts"
    for dispute in run.moment.disputes:
        assert plain(describe(dispute, run.lang)) in words(disputes[dispute.id])
        for conflict_id in dispute.conflict_ids:
            assert conflicts[conflict_id] in [*disputes[dispute.id].iter()]
            for contradiction in bank.conflicts.all[conflict_id].contradictions:
                assert plain(contradiction.left.text) in words(conflicts[conflict_id])
    assert run.named("merge-").keys() == bank.tree.merge_events.keys()
    lines = run.named("panel-")["events"].findall("div/ol/li")
    assert [words(line) for line in lines] == [plain(say(item, run.lang)) for item in reversed(run.moment.feed)]


def test_raw_texts_are_in_it_whole_and_each_lead_has_an_end(run: Exported) -> None:
    names = {name for name, _ in _named(run.page)}
    for entry_id, entry in run.moment.bank.tree.entries.items():
        assert run.named("entry-")[entry_id].findtext("div/div[@class='raw']") == plain(entry.text)
    for lead in (each.attrib["data-choose"] for each in run.page.iter() if "data-choose" in each.attrib):
        kind, _, target = lead.partition(":")
        name = target.partition("@")[0]
        if kind in ("node", "tree"):
            assert f"node-{run.moment.bank.graph.successor(name)}" in names
        else:
            assert kind == "moment" or f"{kind}-{name}" in names, lead


def test_pictures_are_in_it_and_other_files_by_name_and_hash(run: Exported) -> None:
    attachments = run.moment.bank.tree.attachments.values()
    kinds = {one.type: one for one in attachments}
    assert set(kinds) == set(AttachmentType)
    image = kinds[AttachmentType.IMAGE]
    (drawn,) = run.page.iter("img")
    assert drawn.attrib["src"].startswith("data:image/png;base64,")
    assert all(one.sha256 in words(run.page) for one in attachments)
    read = run.folder.files.read
    assert pictures([replace(image, size=2_000_000)], read) == {}
    assert pictures([image], None) == {}
    assert pictures([replace(image, media_type="image/svg+xml")], read) == {}

    def gone(path: str) -> bytes:
        raise InputError("it is gone")

    assert pictures([image], gone) == {}


def test_the_file_tells_no_address_of_the_run_and_no_path(run: Exported) -> None:
    page = export_html(run.records, run.folder.files.read, run.lang).decode("utf-8")
    assert run.records[0].event.run_id not in page
    assert str(run.folder.path) not in page
    assert len(page) < 1_600_000


def test_it_opens_at_the_moment_that_was_asked_for_and_an_empty_run_is_a_page_too() -> None:
    records = load(recorded_run("en").path)
    opened = data_in(export_html(records, None, "en", at=120))
    assert opened["moments"][opened["at"]]["seq"] <= 120 < opened["moments"][opened["at"] + 1]["seq"]
    assert len(data_in(export_html([], None, "zh"))["moments"]) == 1


# -- `memorybank export`, as it is typed ------------------------------------------------------------------------------


def test_it_writes_the_file_and_says_so(tmp_path: Path) -> None:
    run, out = recorded_run("en").path, tmp_path / "run.html"
    done = typed("export", run, "--html", out, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    data = data_in(out.read_bytes())
    assert (told["events"], told["bytes"]) == (data["moments"][-1]["seq"], out.stat().st_size)
    assert out.read_text("utf-8").count("<img") == 1

    again = memorybank("export", run, "--html", out)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "run.html is there already" in again.stderr
    other = memorybank("export", run / "journal.jsonl", "--html", tmp_path / "zh.html", "--lang", "zh")
    assert other.returncode == 0, other.stderr
    assert "wrote zh.html" in other.stdout
    assert '<html lang="zh-CN">' in (tmp_path / "zh.html").read_text("utf-8")


def test_what_it_cannot_do_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, file = recorded_run("en").path, tmp_path / "a.html"
    assert "no journal" in refused("export", tmp_path, "--html", file)
    assert "there is no folder" in refused("export", run, "--html", tmp_path / "none" / "a.html")
    monkeypatch.setitem(sys.modules, "pyvis", None)
    monkeypatch.delitem(sys.modules, "pyvis.network", raising=False)
    assert 'pip install "agentic-memory-bank[export]"' in refused("export", run, "--html", file)
    assert list(tmp_path.iterdir()) == []


def test_the_option_that_made_slides_writes_the_file_that_prints_as_slides(tmp_path: Path) -> None:
    run = recorded_run("zh").path
    done = typed("export", run, "--storyboard", tmp_path / "run.html", "--json")
    assert done.returncode == 0, done.stderr
    assert slides_in((tmp_path / "run.html").read_bytes())[0].kind == "任务"
    other = memorybank("export", run, "--storyboard", tmp_path / "run.pdf")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    assert "the browser saves as PDF" in other.stderr
