"""A folder as a corpus: what is read, in what order, what is skipped and why; and which images it has."""

from __future__ import annotations

import base64
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from memorybank.documents import DocumentLimits
from memorybank.documents.pdf import PdfLimits, pdf_images
from memorybank.errors import InputError
from memorybank.tools.corpus import Corpus, CorpusLimits, SkippedFile, pictures_of, unreferenced_pictures
from memorybank.tools.pictures import Picture
from tests.documents import pdf_files
from tests.hostile import SVG, huge_file, image_bomb
from tests.picturing import picture


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
    corpus = Corpus.open(folder)
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


# -- Images of a corpus: only files of the folder, by a document's word or alone; and what is inside a PDF -------------

DATA = base64.b64encode(picture("inline")).decode()
FILES = {
    "towers.md": "Towers.\n\n![a](pictures/one.png) ![b](pictures/%E5%A1%94.jpg) ![x](../secret.png) ![x](/etc/passwd) "
    "![x](https://x.example/a.png) ![x](file:///etc/hosts) ![c](/sub/two.webp) ![d](missing.png) ![e](link.png) "
    "![f](svg.png) ![g](bomb.png) ![h](huge.png) ![i](tiny.png) ![j](words.png) ![k](sub\\four.gif) ![l](http://[)",
    "sub/page.html": f"<p>Bridges, old and new.</p><img src='../pictures/one.png'><img src=two.webp>"
    f"<img src='data:image/png;base64,{DATA}'><img src='data:image/svg+xml,<svg/>'>",
    "plain.txt": "No images.",
}
IMAGES = {
    "pictures/one.png": picture("one"),
    "pictures/塔.jpg": picture("two", kind="JPEG"),
    "sub/two.webp": picture("three", kind="WEBP"),
    "sub/four.gif": picture("four", kind="GIF"),
    "alone.png": picture("five"),
    "bridge_opening.png": picture("six"),
    "svg.png": SVG,
    "bomb.png": image_bomb(),
    "tiny.png": picture("", size=(30, 400)),
    "words.png": b"no image at all",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    root = tmp_path / "corpus"
    for name, content in {**FILES, **IMAGES}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    huge_file(root / "huge.png")
    (tmp_path / "secret.png").write_bytes(picture("secret"))
    (root / "link.png").symlink_to(tmp_path / "secret.png")
    return Corpus.open(root)


def named(pictures: object) -> list[tuple[str, str]]:
    return [(one.name, one.found_in) for one in pictures if isinstance(one, Picture)]  # type: ignore[attr-defined]


def test_a_document_shows_images_of_the_folder_and_no_others(corpus: Corpus) -> None:
    assert named(pictures_of(corpus, corpus.get("towers.md"), 50)) == [
        ("one.png", "towers.md"),
        ("塔.jpg", "towers.md"),
        ("two.webp", "towers.md"),
        ("four.gif", "towers.md"),
    ]
    assert named(pictures_of(corpus, corpus.get("sub/page.html"), 50)) == [
        ("one.png", "sub/page.html"),
        ("two.webp", "sub/page.html"),
        ("image", "sub/page.html"),
    ]
    assert len(pictures_of(corpus, corpus.get("towers.md"), 2)) == 2
    assert pictures_of(corpus, corpus.get("plain.txt"), 3) == pictures_of(corpus, corpus.get("towers.md"), 0) == []
    assert "link.png" in dict(corpus.skipped)


def test_images_that_no_document_shows_come_by_the_words_of_a_query(corpus: Corpus) -> None:
    assert named(unreferenced_pictures(corpus, ["towers"], lambda name: False, 50)) == [
        ("alone.png", "alone.png"),
        ("bridge_opening.png", "bridge_opening.png"),
    ]
    assert named(unreferenced_pictures(corpus, ["when was the opening"], lambda name: False, 1)) == [
        ("bridge_opening.png", "bridge_opening.png")
    ]
    assert unreferenced_pictures(corpus, ["x"], lambda name: True, 9) == []


def test_a_file_that_became_a_link_is_not_followed(corpus: Corpus, tmp_path: Path) -> None:
    for name in ("alone.png", "pictures"):
        (tmp_path / "away").mkdir(exist_ok=True)
        path = tmp_path / "corpus" / name
        path.rename(tmp_path / "away" / name)
        path.symlink_to(tmp_path / "away" / name)
    for name in ("alone.png", "pictures/one.png"):
        with pytest.raises(InputError, match="leads outside the folder"):
            corpus.images[name]()
    assert named(pictures_of(corpus, corpus.get("towers.md"), 3)) == [
        ("two.webp", "towers.md"),
        ("four.gif", "towers.md"),
    ]


def test_a_folder_of_images_alone_is_a_corpus_and_has_its_limit(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.png").write_bytes(picture(str(number)))
    corpus = Corpus.open(tmp_path)
    assert (corpus.names, list(corpus.images)) == ((), ["0.png", "1.png", "2.png"])
    few = Corpus.open(tmp_path, limits=CorpusLimits(images=2))
    assert list(few.images) == ["0.png", "1.png"]
    assert dict(few.skipped) == {"2.png": "the corpus is full: use a smaller folder"}
    uploaded = Corpus.from_bytes({"../a.png": picture("a"), "a.md": b"![a](a.png)"})
    assert named(pictures_of(uploaded, uploaded.get("a.md"), 3)) == [("a.png", "a.md")]


def illustrated(*texts: str) -> bytes:
    """A PDF with a page of text, and a page for each picture."""
    writer = PdfWriter(PdfReader(BytesIO(pdf_files.pdf([["Towers and bridges."]]))))
    for text in texts:
        drawn = BytesIO()
        size = (640, 120) if text else (20, 20)
        Image.open(BytesIO(picture(text, size=size))).save(drawn, "PDF")
        writer.append(BytesIO(drawn.getvalue()))
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def test_images_inside_a_pdf(tmp_path: Path) -> None:
    (tmp_path / "towers.pdf").write_bytes(illustrated("one", "", "two", "three"))
    corpus = Corpus.open(tmp_path)
    document = corpus.get("towers.pdf")
    found = pictures_of(corpus, document, 2)
    assert [one.found_in for one in found] == ["towers.pdf", "towers.pdf"]
    assert [(one.image.width, one.image.height) for one in found] == [(640, 120), (640, 120)], (
        "the small one is left out"
    )
    assert found[0].image.sha256 != found[1].image.sha256
    assert len(pictures_of(corpus, document, 9)) == 3
    assert pictures_of(corpus, document, 0) == []
    for broken in (b"%PDF-1.7 nothing", pdf_files.bomb(2_000), illustrated("one")[:2_000]):
        assert len(pdf_images(broken, 3, PdfLimits(seconds=20))) <= 1
    assert pdf_images(illustrated("one"), 3, PdfLimits(seconds=0.01)) == ()
