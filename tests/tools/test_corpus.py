"""A folder as a corpus: what is read, in what order, what is skipped and why."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memorybank.documents import DocumentLimits
from memorybank.errors import InputError
from memorybank.tools.corpus import Corpus, CorpusLimits, SkippedFile
from tests.documents import pdf_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    for name, content in {
        "b.md": b"# IBM\n\nCondor has 1,121 qubits.",
        "a.txt": "九章由中国科学技术大学研制，是一台光量子计算原型机。".encode("gbk"),
        "sub/c.html": b"<p>Willow, 105 qubits.</p>",
        "sub/d.pdf": pdf_files.pdf([["Surface codes."]]),
        "sub/e.py": b"print(1)\n",
        "Z.csv": b"a,b\n1,2\n",
        ".hidden.md": b"hidden",
        ".git/config.toml": b"[x]",
        "photo.png": b"\x89PNG",
        "old.doc": b"\xd0\xcf",
        "empty.md": b"  ",
        "binary.txt": b"\x00\x01",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def test_documents_are_read_in_the_order_of_their_names(folder: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    corpus = Corpus.open(folder, progress=lambda *step: seen.append(step))
    assert corpus.names == ("Z.csv", "a.txt", "b.md", "sub/c.html", "sub/d.pdf", "sub/e.py")
    assert corpus.get("sub/c.html").text == "Willow, 105 qubits."
    assert corpus.get("a.txt").text.startswith("九章")
    assert [document.kind for document in corpus] == ["table", "text", "text", "page", "pdf", "code"]
    assert {skip.name: skip.reason.partition(":")[0] for skip in corpus.skipped} == {
        "binary.txt": "a binary file, not text",
        "empty.md": "the file is empty",
        "old.doc": "not a kind of file that is searched",
    }
    assert list(corpus.images) == ["photo.png"], "read when it is looked at"
    assert seen[0] == (1, 8, "Z.csv")
    assert len(seen) == 8
    assert Corpus.open(folder) == corpus


def test_links_do_not_lead_out_of_the_folder(folder: Path) -> None:
    outside = folder.parent / "secret"
    outside.mkdir()
    (outside / "key.md").write_text("the key")
    (folder / "file.md").symlink_to(outside / "key.md")
    (folder / "folder").symlink_to(outside)
    (folder / "up.md").symlink_to("../secret/key.md")
    (folder / "gone.md").symlink_to("nowhere.md")
    (folder / "loop").symlink_to(folder)
    (folder / "same.md").symlink_to("b.md")
    os.mkfifo(folder / "pipe.md")
    corpus = Corpus.open(folder)
    assert len(corpus) == 6
    reasons = dict(corpus.skipped)
    for name in ("file.md", "folder", "up.md"):
        assert reasons[name] == "a link that leads outside the folder: copy the file here"
    assert reasons["same.md"] == "a link to b.md, which is read under its own name"
    assert "loop" in reasons
    assert reasons["pipe.md"].startswith("not a file")
    linked = folder.parent / "link"
    linked.symlink_to(folder)
    assert Corpus.open(linked).names == corpus.names, "the folder itself may be reached through a link"


def test_a_folder_without_documents_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match=r"none: no document in it can be read: give \.md \.markdown"):
        Corpus.open(tmp_path / "none")
    (tmp_path / "none" / "a.md").write_bytes(b"\x00")
    with pytest.raises(InputError, match=r"1 skipped, such as a\.md: a binary file") as caught:
        Corpus.open(tmp_path / "none")
    assert "\n" not in str(caught.value)
    for missing in (tmp_path / "nowhere", tmp_path / "none" / "a.md"):
        with pytest.raises(InputError, match="no such folder"):
            Corpus.open(missing)


def test_an_unknown_name_is_answered_with_near_ones(folder: Path) -> None:
    corpus = Corpus.open(folder)
    with pytest.raises(InputError, match=r"no document 'sub/c\.htm' in the corpus: try sub/c\.html"):
        corpus.get("sub/c.htm")
    with pytest.raises(InputError):
        corpus.get("../secret/key.md")


def test_a_corpus_has_its_limits(folder: Path) -> None:
    few = Corpus.open(folder, limits=CorpusLimits(documents=2))
    assert few.names == ("Z.csv", "a.txt")
    assert SkippedFile("b.md", "the corpus is full: use a smaller folder") in few.skipped
    short = Corpus.open(folder, limits=CorpusLimits(characters=10))
    assert len(short) == 1
    small = Corpus.open(folder, limits=CorpusLimits(document=DocumentLimits(text_bytes=20)))
    assert "b.md" not in small.names


def test_uploads_are_a_corpus_too() -> None:
    corpus = Corpus.from_bytes(
        {"../x/b.md": b"Two.", "/a.md": b"One.", "C:\\docs\\c.txt": b"Three.", "x/b.md": b"Again.", "d.bin": b"\x00"}
    )
    assert corpus.names == ("C:/docs/c.txt", "a.md", "x/b.md")
    assert corpus.get("x/b.md").text == "Two."
    assert [skip.name for skip in corpus.skipped] == ["d.bin", "x/b.md"]
    with pytest.raises(InputError, match="the uploaded files: no document"):
        Corpus.from_bytes({})


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Root may read everything: give that up for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_what_may_not_be_opened_is_skipped() -> None:
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = Path(place, "corpus")
        (folder / "sub").mkdir(parents=True)
        for name in ("a.md", "b.md", "sub/c.md"):
            (folder / name).write_text("Willow has 105 qubits.")
        (folder / "b.md").chmod(0)
        (folder / "sub").chmod(0)
        try:
            with ordinary_user():
                corpus = Corpus.open(folder)
        finally:
            (folder / "sub").chmod(0o700)
    assert corpus.names == ("a.md",)
    reasons = dict(corpus.skipped)
    assert "permissions" in reasons["b.md"]
    assert "permissions" in reasons["sub/"]
