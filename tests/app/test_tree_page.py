"""Tree: entries exactly as stored, by node and by entry, with hash, spans, files, and the ways to and from them."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from memorybank.memory.events import EntryRecorded, StageFinished
from memorybank.memory.types import AttachmentType, EntryId, Lang
from memorybank.runs.run_folder import load
from memorybank.views.i18n import t
from memorybank.views.memory.edges import search
from memorybank.views.memory.provenance import provenance
from tests.app.driving import (
    bank_of,
    choose,
    component,
    follow,
    keys,
    open_page,
    order,
    press,
    says,
    shown,
    targets,
    worker_of,
)
from tests.recorded import recorded_run

PAGE = "4_tree"


def test_before_anything_is_recorded(app: AppTest) -> None:
    open_page(app, PAGE, "zh", k=1)
    assert says(app, t("tree.empty", "zh"))


def test_recorded_and_not_filed_yet(app: AppTest) -> None:
    recorded = next(one.seq for one in load(recorded_run("zh").path) if isinstance(one.event, StageFinished))
    open_page(app, PAGE, "zh", events=recorded)
    assert says(app, t("tree.no_nodes", "zh"))
    choose(app, "tree-view", "entries")
    assert says(app, "retry.py")
    assert says(app, t("tree.owners_none", "zh"))


def test_a_node_shows_what_it_stands_on_and_where_it_was_used(app: AppTest, lang: Lang) -> None:
    open_page(app, PAGE, lang)
    bank, records = bank_of(app), worker_of(app).records
    node_id = next(node_id for node_id in bank.graph.nodes if f"[{node_id}:" in bank.progress.answer)
    follow(app, "tree", node_id)
    assert bank.graph.nodes[node_id].summary in shown(app, "tree-about")
    assert says(app, t("tree.in_final", lang))
    for entry_id in bank.tree.entries_of(node_id):
        assert bank.tree.entries[entry_id].source in shown(app, f"entry-{entry_id}")
        assert any(target.startswith(f"entry:{entry_id}") for target in targets(app))
    found = provenance(records)
    used = {f"prompt:{use.place.seq}" for use in found.prompts[node_id]}
    assert used == {target for target in targets(app) if target.startswith("prompt:")}
    assert f"moment:{found.born[node_id].place.seq}" in targets(app)
    follow(app, "tree", "n99")
    assert says(app, t("tree.node_unknown", lang, node_id="n99"))
    follow(app, "entry", "e99@3-4")
    assert says(app, t("tree.entry_unknown", lang, entry_id="e99"))
    assert not says(app, t("tree.text", lang))


def test_nodes_are_searched(app: AppTest) -> None:
    open_page(app, PAGE)
    nodes = bank_of(app).graph.nodes.values()
    app.text_input(key="tree-search").set_value("MIRROR").run()
    assert {f"tree:{one}" for one in search(nodes, "mirror")} == {one for one in targets(app) if "tree:" in one}
    app.text_input(key="tree-search").set_value("no such words").run()
    assert says(app, "Nothing here matches.")


def test_every_entry_is_shown_exactly_as_stored(app: AppTest, lang: Lang) -> None:
    open_page(app, PAGE, lang)
    bank, records = bank_of(app), worker_of(app).records
    for entry in bank.tree.entries.values():
        follow(app, "entry", entry.id)
        about = shown(app, "tree-entry-about")
        assert entry.source in about
        assert f"{len(entry.text):,}" in about
        assert entry.sha256 in about
        assert t("tree.hash_of.none", lang) not in about
        recorded = next(
            one.seq for one in records if isinstance(one.event, EntryRecorded) and one.event.entry.id == entry.id
        )
        assert t("conflicts.event", lang, seq=recorded) in about
        assert read_through(app, entry.id, lang) == entry.text
        owners = {f"tree:{node_id}" for node_id in bank.graph.nodes if entry.id in bank.tree.entries_of(node_id)}
        assert owners <= targets(app)


def read_through(app: AppTest, entry_id: EntryId, lang: Lang) -> str:
    """The text page by page, by the button, without the names of nodes that stand in it."""
    text = ""
    for _ in range(50):
        text += words_of(app, f"text-{entry_id}")
        if "tree-page-next" not in keys(app) or app.button(key="tree-page-next").disabled:
            return text
        press(app, "tree-page-next")
    raise AssertionError("the pages do not end")


def words_of(app: AppTest, key: str) -> str:
    """What a box of raw text holds, the links in it left out."""

    def inside(piece: object) -> str:
        if isinstance(piece, str):
            return piece
        assert isinstance(piece, list)
        return "" if piece[1] == "cite" else "".join(map(inside, piece[2]))

    return inside(component(app, key)["boxes"][1])


def test_an_entry_is_opened_at_the_place_a_link_names(app: AppTest) -> None:
    open_page(app, PAGE)
    transcript = max(bank_of(app).tree.entries.values(), key=lambda entry: len(entry.text))
    assert len(transcript.text) > 20_000
    begin = 15_000
    follow(app, "entry", f"{transcript.id}@{begin}-{begin + 40}")
    page = words_of(app, f"text-{transcript.id}")
    at = page.find(transcript.text[begin : begin + 40])
    assert 0 <= at < 300, "near the top"
    assert page in transcript.text
    press(app, "tree-page-previous")
    before = words_of(app, f"text-{transcript.id}")
    assert transcript.text.find(before) + len(before) >= transcript.text.find(page), "no gap on the way back"
    press(app, "tree-page-first")
    assert transcript.text.startswith(words_of(app, f"text-{transcript.id}"))
    follow(app, "entry", f"{transcript.id}@99999999-100000000")
    assert words_of(app, f"text-{transcript.id}") in transcript.text


def test_entries_are_filtered_by_kind_and_by_words(app: AppTest) -> None:
    open_page(app, PAGE)
    entries = bank_of(app).tree.entries
    choose(choose(app, "tree-view", "entries"), "tree-kind", "document")
    documents = {entry_id for entry_id, entry in entries.items() if entry.kind == "document"}
    listed = {one.removeprefix("entry:") for one in rows_of(app)}
    assert listed == documents
    app.session_state["tree-kind"] = None
    app.text_input(key="tree-search").set_value("cape canaveral").run()
    found = {one.removeprefix("entry:").partition("@")[0] for one in rows_of(app)}
    assert found == {entry_id for entry_id, entry in entries.items() if "cape canaveral" in entry.text.lower()}
    target = next(one for one in rows_of(app) if "@" in one)
    place = target.partition("@")[2].split("-")
    entry = entries[EntryId(target.removeprefix("entry:").partition("@")[0])]
    assert entry.text[int(place[0]) : int(place[1])].lower() == "cape canaveral"


def rows_of(app: AppTest) -> set[str]:
    """What the list's rows lead to; without a choice made, nothing else on the page leads to a bare entry."""
    return {row[2][0][3]["choose"] for row in component(app, "tree-entries")["boxes"][0][2]}


def test_files_are_shown_with_their_hash_and_one_that_was_changed_is_one_message(app: AppTest, tmp_path: Path) -> None:
    open_page(app, PAGE)
    tree = bank_of(app).tree
    entries = {id_: entry for entry in tree.entries.values() for id_ in entry.attachments}
    assert {one.type for one in tree.attachments.values()} == set(AttachmentType)
    for attachment in tree.attachments.values():
        entry = entries[attachment.id]
        follow(app, "entry", entry.id)
        head = shown(app, f"attachment-{entry.id}-{attachment.id}-head")
        assert attachment.sha256 in head
        assert attachment.name in head
        if attachment.type is AttachmentType.IMAGE:
            image = attachment
            assert app.get("image")
        elif attachment.type is AttachmentType.CODE:
            assert any("for _ in range(times)" in block.value for block in app.code)
        else:
            assert t("tree.read_from_document", "en") in head
    path = next((tmp_path / "runs").rglob(image.path))
    path.chmod(0o600)
    path.write_bytes(b"not the picture")
    entry = entries[image.id]
    follow(app, "entry", entry.id)
    assert says(app, "That did not work")
    assert not app.get("image")
    assert words_of(app, f"text-{entry.id}") == entry.text, "the rest of the page stays"


def read_and_not_taken_in() -> int:
    """Where the recorded run had read something new and had not taken it in yet."""
    records, read = load(recorded_run().path), 0
    for record in records:
        if isinstance(record.event, EntryRecorded) and record.event.entry.kind == "tool":
            read = record.seq
        elif read and isinstance(record.event, StageFinished):
            return record.seq
    raise AssertionError("the recorded run reads nothing")


def test_what_is_only_read_cannot_be_filed_again(app: AppTest) -> None:
    open_page(app, PAGE, events=read_and_not_taken_in())
    assert not [one for one in app.button if str(one.key).startswith("refile")]
    assert says(app, t("tree.refile_not", "en"))


def test_what_was_left_unfiled_can_be_filed_again(app: AppTest) -> None:
    open_page(app, PAGE, events=read_and_not_taken_in(), own=True)
    unfiled = bank_of(app).tree.unfiled(live=bank_of(app).graph.nodes)
    assert unfiled
    assert {f"entry:{entry_id}" for entry_id in unfiled} <= targets(app)
    order(app, "refile-rest")
    bank = bank_of(app)
    assert set(bank.tree.unfiled(live=bank.graph.nodes)) < set(unfiled)
