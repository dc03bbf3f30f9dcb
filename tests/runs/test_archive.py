"""A run as one file: the way out and back, and files that nobody should be able to do harm with."""

from __future__ import annotations

import errno
import io
import json
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError, JournalError, MemoryBankError
from memorybank.runs import archive
from memorybank.runs.export import fingerprint
from memorybank.runs.files.growing import GrowingFile
from memorybank.runs.files.stores import digest_of
from memorybank.runs.run_folder import JOURNAL, RunFolder, fork, load, state_at
from memorybank.settings.redaction import MASK, hide
from tests import hostile
from tests.command_line import memorybank, typed
from tests.hostile import BROKEN_JOURNALS
from tests.recorded import recorded_run

Members = dict[str, bytes]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("packed") / "run.zip"
    archive.pack(recorded_run(), target)
    return target


@pytest.fixture(scope="module")
def members(packed: Path) -> Members:
    with zipfile.ZipFile(packed) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(members: Members) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return written.getvalue()


def test_a_run_packed_and_unpacked_elsewhere_is_the_same_run(packed: Path, tmp_path: Path) -> None:
    recorded = recorded_run()
    elsewhere = RunFolder(tmp_path / "elsewhere")
    contents = archive.unpack(packed, elsewhere)
    records = load(recorded.path)
    assert load(elsewhere.path) == records
    assert contents.events == len(records) > 300
    bank = state_at(records)
    assert fingerprint(state_at(load(elsewhere.path))) == fingerprint(bank)
    assert {kept.type.value for kept in bank.tree.attachments.values()} == {"image", "document", "code"}
    for attachment in bank.tree.attachments.values():
        assert elsewhere.files.read(attachment.path) == recorded.files.read(attachment.path)
    blobs = [path.name for path in (recorded.path / "blobs").iterdir()]
    assert [elsewhere.blobs.get(name) for name in blobs] == [recorded.blobs.get(name) for name in blobs]
    assert contents.files == len(blobs) + len(bank.tree.attachments)
    assert {path.name for path in elsewhere.path.iterdir()} <= {JOURNAL, "blobs", "files", ".lock"}


def test_the_same_run_packs_to_the_same_bytes(packed: Path) -> None:
    again = io.BytesIO()
    archive.pack(recorded_run(), again)
    assert again.getvalue() == packed.read_bytes()


def test_a_folder_that_was_zipped_by_hand_opens_too(members: Members, tmp_path: Path) -> None:
    around = {f"my run/{name}": data for name, data in members.items()}
    around |= {"my run/memory.json": b"{}", "my run/.lock": b"", "__MACOSX/._x": b"x", "my run/corpus/a.md": b"text"}
    run = RunFolder(tmp_path / "run")
    archive.unpack(zipped(around), run)
    assert load(run.path) == load(recorded_run().path)
    assert not (run.path / "corpus").exists()
    assert not (run.path / "memory.json").exists()


def test_a_secret_of_this_machine_leaves_neither_way(members: Members, tmp_path: Path) -> None:
    goal = "Where was the James Webb Space Telescope launched"
    secret = "sentence-that-nobody-may-read".ljust(len(goal), "4")  # of the same length: places count characters
    hide(secret)
    blob = f"asked with {secret}".encode()
    hostile_members = {**members, f"blobs/{digest_of(blob)}": blob}
    hostile_members[JOURNAL] = members[JOURNAL].replace(goal.encode(), secret.encode())
    run = RunFolder(tmp_path / "run")
    contents = archive.unpack(zipped(hostile_members), run)
    assert contents.left_out == 1
    assert secret.encode() not in run.journal.read_bytes()
    assert MASK in state_at(load(run.path)).doc.task_goal
    assert not run.blobs.has(digest_of(blob))

    run.blobs.put(blob)  # as a run would keep it that was begun before the secret was known
    out = io.BytesIO()
    assert archive.pack(run, out).left_out == 1
    with zipfile.ZipFile(out) as packed:
        assert not any(secret.encode() in packed.read(name) for name in packed.namelist())


# -- files that are not to be trusted ---------------------------------------------------------------------------------


def _link(members: Members) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as packed:
        packed.writestr(JOURNAL, members[JOURNAL])
        member = zipfile.ZipInfo("blobs/" + "0" * 64)
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(member, "/etc/passwd")
    return written.getvalue()


def _encrypted(members: Members) -> bytes:
    data = bytearray(zipped({JOURNAL: members[JOURNAL]}))
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + at] |= 1
    return bytes(data)


def _image_bomb(members: Members) -> bytes:
    bomb = hostile.image_bomb()
    return zipped({**members, f"files/{digest_of(bomb)}.png": bomb})


def _changed_blob(members: Members) -> bytes:
    name = next(name for name in members if name.startswith("blobs/"))
    return zipped({**members, name: b"something else"})


HOSTILE: dict[str, tuple[Callable[[Members], bytes], str]] = {
    "a path that climbs": (lambda found: zipped({**found, "blobs/../../../outside": b"x"}), "outside the run"),
    "an absolute path": (lambda found: zipped({**found, "/etc/cron.d/x": b"x"}), "outside the run"),
    "a path of Windows": (lambda found: zipped({**found, "C:\\windows\\x": b"x"}), "outside the run"),
    "a path that climbs backwards": (lambda found: zipped({**found, "..\\..\\x": b"x"}), "outside the run"),
    "a link": (_link, "is a link"),
    "two journals": (lambda its: zipped({JOURNAL: its[JOURNAL], f"again/{JOURNAL}": its[JOURNAL]}), "twice"),
    "an encrypted member": (_encrypted, "encrypted"),
    "a bomb": (lambda found: zipped({JOURNAL: b"0" * 300_000_000}), "more than a run may hold"),
    "a bomb beside a run": (
        lambda found: zipped({**found, "blobs/" + "0" * 64: b"0" * 300_000_000}),
        "more than a run may hold",
    ),
    "too many members": (lambda found: zipped({f"blobs/{n:064x}": b"" for n in range(20_001)}), "20,001 files"),
    "no journal": (lambda found: zipped({"notes.txt": b"hello"}), "holds no journal.jsonl"),
    "a changed blob": (_changed_blob, "does not hold what its name says"),
    "a picture that unpacks without end": (_image_bomb, "pixels"),
    "a picture that is a program": (
        lambda its: zipped({**its, f"files/{digest_of(hostile.SVG)}.png": hostile.SVG}),
        "is not a picture",
    ),
    "a zip that was cut": (lambda found: zipped(found)[:5_000], "damaged zip"),
    "nothing but the beginning of a zip": (lambda found: b"PK\x03\x04", "damaged zip"),
    "nothing": (lambda found: b"", "is empty"),
    "a picture": (lambda found: hostile.picture(), "is no journal"),
    "a journal that contradicts itself": (
        lambda found: found[JOURNAL].replace(b'"left": "n', b'"left": "n9'),
        "does not hold at that point",
    ),
    "more events than a page could show": (lambda found: found[JOURNAL] + b"\n" * 200_001, "at most 200,000"),
    "brackets that take minutes to parse": (
        lambda found: b'{"journal": "memorybank", "schema": 1}\n{"seq": 1, "event": [' + b"[]," * 400_000 + b"[]]}\n",
        "parts",
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_one_sentence_and_leaves_nothing(kind: str, members: Members, tmp_path: Path) -> None:
    make, says = HOSTILE[kind]
    outside = sorted(path.name for path in tmp_path.iterdir())
    run = RunFolder(tmp_path / "runs" / "new")
    with pytest.raises(MemoryBankError, match=says) as refused:
        archive.unpack(make(members), run, name="../evil\n\u202ename.zip")
    assert isinstance(refused.value, InputError | JournalError)
    message = str(refused.value)
    assert "\n" not in message
    assert "\u202e" not in message
    assert str(tmp_path) not in message
    assert not run.path.exists()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "runs") == outside


@pytest.mark.parametrize("kind", BROKEN_JOURNALS)
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "zipped"])
def test_a_broken_journal_leaves_nothing(kind: str, alone: bool, members: Members, tmp_path: Path) -> None:
    change, says = BROKEN_JOURNALS[kind]
    lines = members[JOURNAL].rstrip(b"\n").split(b"\n")
    journal = b"".join(line + b"\n" for line in change(lines))
    run = RunFolder(tmp_path / "new")
    with pytest.raises(JournalError, match=says):
        archive.unpack(journal if alone else zipped({**members, JOURNAL: journal}), run)
    assert not run.path.exists()


def test_pack_and_unpack_on_the_command_line(tmp_path: Path) -> None:
    source = recorded_run().path
    done = typed("pack", source, tmp_path / "run.zip", "--json")
    told = json.loads(done.stdout)
    assert told["events"] == len(load(source))
    done = memorybank("unpack", tmp_path / "run.zip", "--out", tmp_path / "back")
    assert done.returncode == 0, done.stderr
    assert f"{told['events']} events" in done.stdout
    assert load(tmp_path / "back") == load(source)
    for refused in (
        memorybank("pack", source, tmp_path / "run.zip"),
        memorybank("pack", tmp_path / "nowhere", tmp_path / "other.zip"),
        memorybank("unpack", tmp_path / "nowhere.zip", "--out", tmp_path / "new"),
        memorybank("unpack", tmp_path / "run.zip", "--out", tmp_path / "back"),
    ):
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["back", "run.zip"]


@pytest.mark.parametrize(
    ("act", "whose", "call"), [("unpack", os, "fsync"), ("unpack", GrowingFile, "close"), ("fork", os, "fsync")]
)
def test_a_disk_that_fails_at_any_call_leaves_no_part_of_a_run(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, whose: Any, call: str
) -> None:
    records, real = load(recorded_run().path), getattr(whose, call)
    for number in count():
        folder, left = RunFolder(tmp_path / str(number)), iter(range(number))
        with monkeypatch.context() as failing:

            def fails(*given: Any, left: Iterator[int] = left) -> None:
                real(*given)
                if next(left, None) is None:
                    raise OSError(errno.ENOSPC, "No space left on device")

            failing.setattr(whose, call, fails)
            try:
                archive.unpack(packed, folder) if act == "unpack" else fork(recorded_run(), records, 99, folder)
            except (OSError, JournalError):
                assert [path for path in folder.path.rglob("*") if path.is_file() and path.stat().st_size] == []
                continue
        assert number
        return
