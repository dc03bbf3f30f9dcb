"""Images of a corpus: only files of the folder, by a document's word or alone; and what is inside a PDF."""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from memorybank.documents.pdf import PdfLimits, pdf_images
from memorybank.errors import InputError
from memorybank.tools.corpus import Corpus, CorpusLimits
from memorybank.tools.corpus_pictures import pictures_of, unreferenced_pictures
from memorybank.tools.pictures import Picture
from tests.documents import pdf_files
from tests.hostile import SVG, huge_file, image_bomb
from tests.picturing import picture

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
