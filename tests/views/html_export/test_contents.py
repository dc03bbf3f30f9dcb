"""What the file shows at a moment is what the app shows at that moment, drawn by the same builders."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from memorybank.contradiction.disputes import describe, disputes_of
from memorybank.errors import InputError
from memorybank.memory.events import EntryRecorded, StageFinished
from memorybank.memory.types import AttachmentType, Lang
from memorybank.runs.run_folder import RunFolder, load
from memorybank.views.boxes.conflict_claims import PAGE, claims
from memorybank.views.html_export import export_html
from memorybank.views.html_export.cards import doc_box, pictures
from memorybank.views.html_export.contents import contents
from memorybank.views.run.feed import say
from memorybank.views.run.playback import Playback
from memorybank.views.text.display import plain
from tests.recorded import recorded_run
from tests.views.html_export.reading import drawn, text_of, value_at, values_at

LANGS: tuple[Lang, ...] = ("en", "zh")


@pytest.fixture(scope="module", params=LANGS)
def run(request: pytest.FixtureRequest) -> tuple[list[Any], dict[str, Any], RunFolder, Lang]:
    folder = recorded_run(request.param)
    records = load(folder.path)
    found = contents(records, folder.files.read, request.param)
    return records, json.loads(json.dumps(found)), folder, request.param


def test_every_moment_is_that_of_the_app(run: tuple[list[Any], dict[str, Any], RunFolder, Lang]) -> None:
    records, found, _, lang = run
    pool, playback = found["pool"], Playback()
    for k in [0, *range(1, len(records), 29), len(records)]:
        moment = playback.at(records, k)
        bank = moment.bank
        assert values_at(found["gone"], k) == bank.graph.gone
        assert values_at(found["cards"], k).keys() == bank.graph.nodes.keys()
        disputes = {one.id: one for one in disputes_of(bank)}
        assert values_at(found["conflicts"], k).keys() == disputes.keys()
        assert values_at(found["merges"], k).keys() == bank.tree.merge_events.keys()
        if bank.settings is not None:
            assert drawn(value_at(found["tracks"]["doc"], k), pool) == doc_box(moment, lang).data(), k
        for name, (head, parts, status, members) in values_at(found["conflicts"], k).items():
            dispute = disputes[name]
            assert status == dispute.status
            assert plain(describe(dispute, lang)) in text_of(head, pool)
            assert tuple(one for one, *_ in members) == dispute.conflict_ids
            for conflict_id, *own in members:
                conflict = bank.conflicts.all[conflict_id]
                own_parts = own[1] if own else parts
                if own:
                    assert plain(conflict.description) in text_of(own[0], pool)
                    assert own[2] == conflict.status
                shown = [one.data() for one in claims(conflict, bank, PAGE, lang)]
                assert any(drawn(part, pool)[2][1:] == shown for part in own_parts), (k, conflict.id)
        for node_id, node in bank.graph.nodes.items():
            head, entries, _ = value_at(found["cards"][node_id], k)
            words = text_of(head, pool)
            assert plain(node.summary) in words
            assert plain(node.context) in words
            raw = "".join(text_of(number, pool) for number, _ in entries)
            span = min(bank.tree.spans[node_id], key=lambda span: (span.entry_id, span.start))
            assert plain(bank.tree.text(span)[:1_000]) in raw, (k, node_id)


def test_several_conflicts_on_one_matter_are_one(run: tuple[list[Any], dict[str, Any], RunFolder, Lang]) -> None:
    records, found, _, _ = run
    bank = Playback().at(records).bank
    disputes = disputes_of(bank)
    assert len(disputes) < len(bank.conflicts.all), "the recorded run has a dispute of several conflicts"
    shown = values_at(found["conflicts"], len(records)).values()
    assert max(len(members) for *_, members in shown) == max(len(one.conflict_ids) for one in disputes) > 1


def test_the_feed_is_whole(run: tuple[list[Any], dict[str, Any], RunFolder, Lang]) -> None:
    records, found, _, lang = run
    moment, pool = Playback().at(records), found["pool"]
    assert [line[0] for line in found["feed"]] == [item.seq for item in moment.feed]
    assert [pool[line[4]] for line in found["feed"]] == [plain(say(item, lang)) for item in moment.feed]
    assert found["stops"] == [record.seq for record in records if isinstance(record.event, StageFinished)]
    assert (found["last"], found["at"]) == (len(records), len(records))


def test_raw_texts_are_in_it_whole(run: tuple[list[Any], dict[str, Any], RunFolder, Lang]) -> None:
    records, found, _, _ = run
    entries = [record.event.entry for record in records if isinstance(record.event, EntryRecorded)]
    assert found["sources"].keys() == {entry.id for entry in entries}
    for entry in entries:
        assert found["pool"][found["sources"][entry.id][2]] == plain(entry.text)


def test_pictures_are_in_it_and_other_files_by_name_and_hash(
    run: tuple[list[Any], dict[str, Any], RunFolder, Lang],
) -> None:
    records, found, folder, _ = run
    attachments = Playback().at(records).bank.tree.attachments.values()
    kinds = {one.type: one for one in attachments}
    assert set(kinds) == set(AttachmentType)
    image = kinds[AttachmentType.IMAGE]
    assert list(found["pictures"]) == [image.id]
    assert found["pictures"][image.id].startswith("data:image/png;base64,")
    assert all(any(one.sha256 in str(text) for text in found["pool"]) for one in attachments)
    large = replace(image, size=2_000_000)
    assert pictures([large], folder.files.read) == {}
    assert pictures([image], None) == {}
    assert pictures([replace(image, media_type="image/svg+xml")], folder.files.read) == {}

    def gone(path: str) -> bytes:
        raise InputError("it is gone")

    assert pictures([image], gone) == {}


def test_the_file_tells_no_address_of_the_run_and_no_path(
    run: tuple[list[Any], dict[str, Any], RunFolder, Lang],
) -> None:
    records, _, folder, lang = run
    page = export_html(records, folder.files.read, lang).decode("utf-8")
    assert records[0].event.run_id not in page
    assert str(folder.path) not in page
    assert len(page) < 1_600_000


def test_it_opens_at_the_moment_that_was_asked_for_and_an_empty_run_is_a_page_too() -> None:
    records = load(recorded_run("en").path)
    assert contents(records, None, "en", at=120)["at"] == 120
    assert contents(records, None, "en", at=10**9)["at"] == len(records)
    assert contents([], None, "zh")["last"] == 0
    assert b"Content-Security-Policy" in export_html([], None, "en")
