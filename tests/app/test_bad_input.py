"""Bad input in the app: one message in the page's language, what was typed stays, nothing is half written.

The table of all bad input and its tests is in `tests/test_bad_input.py`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.hosting.browser_mark import Visitor
from memorybank.hosting.registry import Runs, parts_of
from memorybank.hosting.run import NewRun, Upload
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.ui.shell.state import default_settings
from tests import hostile
from tests.app.driving import keys, press, rest, says, start, submit, tab_of, texts, worker_of
from tests.documents import pdf_files
from tests.waiting import wait_until

ONE = "The Tamar Bridge was opened in 1961. It is 335 metres long and carries three lanes of traffic."


def in_chinese(app: AppTest) -> AppTest:
    app.query_params["lang"] = "zh"
    return app


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        ("context", [("空.txt", b" \n", "是空文件")]),
        ("context", [("binary.txt", bytes(range(256)) * 40, "是二进制文件")]),
        ("context", [("latin.txt", hostile.LATIN.encode("latin-1"), "请另存为 UTF-8")]),
        ("context", [("paper.pdf", b"%PDF-1.7 broken", "已损坏")]),
        ("images", [("photo.png", b"no image at all", "不是可以读取的图片")]),
        ("images", [("bomb.png", hostile.image_bomb(), "百万像素")]),
        ("images", [("drawing.png", hostile.SVG, "是 SVG")]),
        (
            "corpus-files",
            [("a.md", b"", "其中没有可读的文档（跳过 2 个，例如："), ("b.pdf", pdf_files.bomb(2_000), "")],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0][0],
)
def test_what_cannot_be_read_is_one_line_and_what_was_typed_stays(
    app: AppTest, tmp_path: Path, field: str, bad: list[tuple[str, bytes, str]]
) -> None:
    in_chinese(app).run()
    app.text_area(key="new-prompt").set_value("里面说了什么？")
    app.selectbox(key="new-corpus").set_value("upload" if field == "corpus-files" else "none").run()
    for name, data, _ in bad:
        app.file_uploader(key=f"new-{field}").upload(name, data)
    app.button(key="new-run").click().run()
    assert not app.exception
    (line,) = (text for text in texts(app) if bad[0][0] in text and bad[0][2] in text)
    assert "\n" not in line
    assert says(app, "没有成功")
    assert app.text_area(key="new-prompt").value == "里面说了什么？"
    assert tab_of(app).run is None
    assert not list(tmp_path.glob("runs/*"))


def test_a_bad_file_beside_good_ones_adds_nothing(app: AppTest, tmp_path: Path) -> None:
    worker = worker_of(rest(start(app, "", ("one.txt", ONE.encode()))))
    before, kept = len(worker.records), sorted((tmp_path / "runs" / worker.run_id).rglob("*"))
    app.file_uploader(key="add-files").upload("good.py", b"print(1)\n").upload("bad.txt", b"")
    submit(app, "Add and file")
    assert says(app, "bad.txt: the file is empty")
    app.file_uploader(key="add-files").upload("good.py", b"print(1)\n")
    app.file_uploader(key="add-images").upload("bad.png", b"no image")
    submit(app, "Add and file")
    assert says(app, "bad.png: not an image")
    assert len(worker.records) == before
    assert sorted((tmp_path / "runs" / worker.run_id).rglob("*")) == kept


@pytest.mark.parametrize("document", [("one.txt", ONE.encode()), ("one.py", b"print(1)\n")], ids=["run", "form"])
def test_a_folder_that_cannot_be_written_is_one_message(
    app: AppTest, tmp_path: Path, document: tuple[str, bytes]
) -> None:
    """Met by the run itself, or already by the form, which keeps a code file's original."""
    (tmp_path / "runs").write_text("a file where the runs' folder should be")
    start(in_chinese(app), "何时通车？", document)
    if tab_of(app).run is not None:
        rest(app)
    assert not app.exception
    assert says(app, "请检查磁盘空间和权限")
    assert not any(str(tmp_path) in text for text in texts(app))


def test_names_with_path_parts_stay_names(app: AppTest, tmp_path: Path) -> None:
    start(app, "", ("..\\..\\evil.txt", ONE.encode()), ("../../evil.py", b"print(1)\n"))
    rest(app)
    entries = worker_of(app).session.bank.tree.entries.values()  # type: ignore[union-attr]
    assert {entry.source for entry in entries} == {"evil.txt", "evil.py"}
    assert not list(tmp_path.parent.rglob("*evil*"))
    images = (Upload(name="../../../evil.png", data=hostile.picture()),)
    corpus = (Upload(name="../../evil.md", data=ONE.encode()), Upload(name="/etc/evil.md", data=ONE.encode() * 2))
    new = NewRun(prompt="x", images=images, corpus=corpus, settings=default_settings())
    runs = Runs(tmp_path / "more")
    worker = runs.start(new, by=Visitor("tab"))
    wait_until(lambda: not worker.busy, 60, lambda: worker.phase)
    assert worker.error is None
    assert {image.name for image in worker.session.bank.tree.staged.values()} == {"evil.png"}  # type: ignore[union-attr]
    found = [path.relative_to(runs.root / worker.run_id) for path in tmp_path.parent.rglob("*evil*")]
    assert {path.parts[0] for path in found} == {"corpus"}
    assert len(found) == 2
    worker.close()


@pytest.fixture
def left_behind(app: AppTest, tmp_path: Path) -> tuple[AppTest, Path]:
    """A run that its tab has left, and a new tab that has not opened it yet."""
    worker = worker_of(rest(start(app, "When was the Tamar Bridge opened?", ("one.txt", ONE.encode()))))
    assert worker.close()
    page = AppTest.from_file(app._script_path, default_timeout=30)
    page.query_params["run"] = worker.run_id
    return page, tmp_path / "runs" / worker.run_id


def opened(page: AppTest) -> AppTest:
    page.run()
    if tab_of(page).run is not None:
        rest(page)
    return page


@pytest.mark.parametrize("kind", hostile.BROKEN_JOURNALS)
def test_a_broken_journal_is_one_message(left_behind: tuple[AppTest, Path], kind: str) -> None:
    page, folder = left_behind
    says_it = hostile.break_journal(folder / "journal.jsonl", kind)
    before = (folder / "journal.jsonl").read_bytes()
    opened(page)
    assert not page.exception
    assert says(page, says_it)
    assert page.button(key="demo")
    again = in_chinese(AppTest.from_file(page._script_path, default_timeout=30))
    again.query_params["run"] = folder.name
    opened(again)
    (line,) = (text for text in texts(again) if "journal.jsonl" in text)
    assert any("\u4e00" <= char <= "\u9fff" for char in line)
    assert (folder / "journal.jsonl").read_bytes() == before


@pytest.mark.usefixtures("whole_app")
def test_what_is_good_of_a_damaged_run_is_opened_as_a_copy(left_behind: tuple[AppTest, Path]) -> None:
    page, folder = left_behind
    good = (folder / "journal.jsonl").read_bytes()
    damaged = good + b"\0\0\n"
    (folder / "journal.jsonl").write_bytes(damaged)
    opened(page)
    assert says(page, "with --to-last-good")
    opened_as = [opened(press(page, "open-good"))]
    other = AppTest.from_file(page._script_path, default_timeout=30).run()
    other.file_uploader(key="open-file-0").upload("run.jsonl", damaged).run()
    opened_as.append(opened(press(press(other, "open-file-do"), "open-file-good")))
    for one in opened_as:
        assert not one.exception
        assert worker_of(one).run_id != folder.name
        assert says(one, "(lines: 1, size: 3 B, ended stages: 0)")
        assert says(one, "Complete")
    assert (folder / "journal.jsonl").read_bytes() == damaged
    again = in_chinese(AppTest.from_file(page._script_path, default_timeout=30))
    again.query_params["run"] = folder.name
    opened(again)
    assert says(again, "之前的部分完好")


def test_a_journal_cannot_choose_where_models_come_from(left_behind: tuple[AppTest, Path]) -> None:
    page, folder = left_behind
    hostile.name_a_model_elsewhere(folder / "journal.jsonl")
    in_chinese(page).run()
    assert not page.exception
    assert says(page, "Tamar Bridge"), "to be read, it asks for no model"
    rest(press(page, "continue-run"))
    assert not page.exception
    assert says(page, "向量模型")


def test_a_run_that_another_program_writes_is_only_watched(left_behind: tuple[AppTest, Path]) -> None:
    page, folder = left_behind
    runs = Runs(folder.parent)
    with Session.open(folder, lambda begun: parts_of(begun, runs.folder(folder.name), Settings())) as other:
        before = (folder / "journal.jsonl").read_bytes()
        in_chinese(page).run()
        assert not page.exception
        assert says(page, "另一个进程正在写这次运行")
        assert not {"run", "step", "pause"} & keys(page)
        assert (folder / "journal.jsonl").read_bytes() == before
        other.ask("How long is the Tamar Bridge?")
        assert "335" in other.run().answer
        page.run()
        assert says(page, "335"), "what the other program wrote is shown as it comes"
    again = AppTest.from_file(page._script_path, default_timeout=30)
    again.query_params["run"] = folder.name
    opened(again)
    assert says(again, "How long is the Tamar Bridge?")
    worker_of(again).close()
    shutil.rmtree(folder)
