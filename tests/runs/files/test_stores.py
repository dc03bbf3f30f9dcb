"""The stores of a run: what is put comes back, names that lead elsewhere are refused, and images are written anew."""

from __future__ import annotations

import hashlib
import os
import struct
import threading
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, PngImagePlugin

from memorybank.errors import InputError, JournalError, UnsafeInputError
from memorybank.language.text import sha256
from memorybank.memory.types import ImageId
from memorybank.runs.files.images import ImageLimits
from memorybank.runs.files.stores import BlobStore, FormalStore, TempStore
from tests.tables import tables

TABLES = tables(__file__)
PDF = b"%PDF-1.7"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.one_of(st.binary(max_size=300), st.text(max_size=100)), max_size=8))
def test_what_is_put_comes_back(tmp_path: Path, contents: list[bytes | str]) -> None:
    blobs = BlobStore(tmp_path / "blobs")
    digests = [blobs.put(content) for content in contents]
    for content, digest in zip(contents, digests, strict=True):
        assert blobs.get(digest) == (content.encode() if isinstance(content, str) else content)
        assert blobs.has(digest)
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


def test_a_text_has_the_digest_that_entries_have(tmp_path: Path) -> None:
    text = "量子计算 — “quantum”\n\ud83d lone surrogate"
    blobs = BlobStore(tmp_path)
    assert blobs.put(text) == sha256(text)
    assert blobs.text(sha256(text)) == text


def test_the_same_content_is_written_once_by_however_many_threads(tmp_path: Path) -> None:
    blobs, content = BlobStore(tmp_path), os.urandom(200_000)
    threads = [threading.Thread(target=blobs.put, args=(content,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (path,) = tmp_path.iterdir()
    assert path.read_bytes() == content
    os.utime(path, (1, 1))
    blobs.put(content)
    assert path.stat().st_mtime == 1
    path.write_bytes(content[:9])  # cut short by a full disk
    blobs.put(content)
    assert blobs.get(path.name) == content


def test_a_blob_is_written_without_a_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[int] = []
    monkeypatch.setattr(os, "fsync", waits.append)
    blobs = BlobStore(tmp_path / "blobs")
    for number in range(100):
        blobs.put(number.to_bytes(4, "big") * 256)
    assert (waits, len(list((tmp_path / "blobs").iterdir()))) == ([], 100)


@pytest.mark.parametrize("name", TABLES["no_digests"])
def test_a_name_that_is_no_digest_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnsafeInputError, match="64 hexadecimal digits"):
        BlobStore(tmp_path).get(name)


def test_originals_are_kept_once_and_named_by_content(tmp_path: Path) -> None:
    store = FormalStore(tmp_path / "files")
    pdf, code = store.put(PDF, ".PDF"), store.put("print('你好')\n".encode(), ".py")
    assert (pdf.path, pdf.size, pdf.media_type) == (f"{pdf.sha256}.pdf", len(PDF), "application/pdf")
    assert (store.read(pdf.path), store.read(code.path).decode()) == (PDF, "print('你好')\n")
    assert store.put(PDF, ".pdf") == pdf
    again = store.put("print('你好')\n".encode(), ".json")
    assert again == code, "the same content under another suffix keeps its first name"
    assert {path.name for path in (tmp_path / "files").iterdir()} == {pdf.path, code.path}


@pytest.mark.parametrize("suffix", [".exe", "", "py", ".py/../../x", ".svg", ".txt", ".html"])
def test_only_known_kinds_are_kept(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match="not a kind of file that is kept"):
        FormalStore(tmp_path).put(b"data", suffix)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", TABLES["paths_outside"])
def test_a_path_outside_is_refused_by_name(tmp_path: Path, path: str) -> None:
    store = FormalStore(tmp_path / "files")
    digest = store.put(PDF, ".pdf").sha256
    with pytest.raises(UnsafeInputError, match="points outside the store"):
        store.read(path.format(digest))


def test_missing_changed_and_linked_files_are_told_apart(tmp_path: Path) -> None:
    blobs, originals = BlobStore(tmp_path / "blobs"), FormalStore(tmp_path / "files")
    with pytest.raises(InputError, match="is not in blobs/"):
        blobs.get("0" * 64)
    digest, original = blobs.put(PDF), originals.put(PDF, ".pdf").path
    (tmp_path / "secret").write_bytes(PDF)
    for read, path, changed, missing in (
        (lambda: blobs.get(digest), tmp_path / "blobs" / digest, "does not hold what its name says", "存储"),
        (lambda: originals.read(original), tmp_path / "files" / original, "was changed", "附件"),
    ):
        path.write_bytes(b"forged")
        with pytest.raises(JournalError, match=changed):
            read()
        path.unlink()
        path.symlink_to(tmp_path / "secret")
        with pytest.raises(InputError, match="is not in") as error:
            read()
        assert missing in error.value.in_language("zh")
    assert not blobs.has(digest)
    blobs.put(PDF)  # replaces the link, not what it points to
    assert blobs.get(digest) == PDF
    assert not (tmp_path / "blobs" / digest).is_symlink()
    (tmp_path / "files" / original).unlink()
    os.mkfifo(tmp_path / "files" / original)
    with pytest.raises(InputError, match="is not in files/"):
        originals.read(original)


ONE = ImageId("i1")


def picture(size: tuple[int, int] = (60, 40), mode: str = "RGB") -> Image.Image:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((0, 0, size[0] // 4, size[1] // 4), fill="black")
    return image.convert(mode)


def encoded(image: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    written = BytesIO()
    image.save(written, form, **options)
    return written.getvalue()


def png_header(width: int, height: int, pixels: bytes = b"") -> bytes:
    """A PNG that claims a size; its pixels may be anything."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("form", "mode", "media_type"), TABLES["images_of_all_kinds_are_written_anew"])
def test_images_of_all_kinds_are_written_anew(tmp_path: Path, form: str, mode: str, media_type: str) -> None:
    store = TempStore(tmp_path / "temp")
    staged = store.stage(ONE, "/home/me/图片.png", encoded(picture(mode=mode), form))
    data = store.read(staged.sha256)
    assert staged.name == "图片.png"
    assert (staged.width, staged.height, staged.media_type) == (60, 40, media_type)
    assert hashlib.sha256(data).hexdigest() == staged.sha256
    assert len(data) == staged.size
    with Image.open(BytesIO(data)) as image:
        assert image.mode in ("L", "RGB", "RGBA")
        corner, far = image.convert("RGB").getpixel((2, 2)), image.convert("RGB").getpixel((50, 30))
    assert sum(corner) < sum(far), "the pixels are the picture's"  # type: ignore[arg-type]


def test_what_is_not_pixels_is_dropped(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # a quarter turn
    exif[0x010E] = "taken at home"
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "secret note")
    store = TempStore(tmp_path)
    turned = store.stage(ONE, "a.jpg", encoded(picture(), "JPEG", exif=exif))
    noted = store.stage(ONE, "b.png", encoded(picture(), "PNG", pnginfo=notes, exif=exif, icc_profile=b"profile" * 9))
    assert (turned.width, turned.height) == (40, 60)
    for staged in (turned, noted):
        data = store.read(staged.sha256)
        with Image.open(BytesIO(data)) as image:
            assert not image.getexif()
            assert "icc_profile" not in image.info
        assert b"taken at home" not in data
        assert b"secret note" not in data


def test_large_and_deep_images_are_reduced(tmp_path: Path) -> None:
    store = TempStore(tmp_path, ImageLimits(long_side=100))
    staged = store.stage(ONE, "wide.png", encoded(picture((400, 200))))
    assert (staged.width, staged.height) == (100, 50)
    deep = Image.new("I;16", (4, 4), 0x8000)
    with Image.open(BytesIO(store.read(store.stage(ONE, "deep.png", encoded(deep)).sha256))) as image:
        assert image.getpixel((0, 0)) == 0x80


def test_only_the_first_frame_of_an_animation_is_kept(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    store = TempStore(tmp_path)
    with Image.open(BytesIO(store.read(store.stage(ONE, "moving.gif", data).sha256))) as image:
        assert getattr(image, "n_frames", 1) == 1
        assert image.convert("RGB").getpixel((5, 5)) == (255, 0, 0)


@pytest.mark.parametrize(
    ("data", "error", "reason"),
    [
        (b"", InputError, "empty"),
        (b"just text", InputError, "not an image"),
        (b"%PDF-1.7 \x00", InputError, "not an image"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", InputError, "not an image"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>', InputError, "SVG"),
        (b"\xef\xbb\xbf  <SVG onload='x()'/>", InputError, "SVG"),
        (encoded(picture())[:90], InputError, "damaged or ends early"),
        (encoded(picture(), "JPEG")[:400], InputError, "damaged or ends early|not an image"),
        (png_header(60, 40, b"\x00" * 100), InputError, "damaged or ends early"),
        (png_header(100_000, 100_000), UnsafeInputError, "million pixels"),
        (png_header(9_000, 9_000, bytes(2_000_000)), UnsafeInputError, "million pixels"),
        (png_header(2**31 - 1, 2**31 - 1), UnsafeInputError, "million pixels"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 20_000_000, UnsafeInputError, "20 MB is more than|not an image"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_bad_images_are_refused_in_one_line(tmp_path: Path, data: bytes, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason) as caught:
        TempStore(tmp_path / "temp").stage(ONE, "../photos/holiday.png", data)
    assert str(caught.value).startswith("holiday.png: ")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "temp").exists(), "nothing is half written"


def test_a_small_image_with_endless_pixel_data_is_cut_at_its_size(tmp_path: Path) -> None:
    staged = TempStore(tmp_path).stage(ONE, "long.png", png_header(10, 10, bytes(5_000_000)))
    assert (staged.width, staged.height) == (10, 10)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None)
@given(
    st.sampled_from(["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"]),
    st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), max_size=12),
    st.floats(0.05, 1),
)
def test_a_damaged_image_is_read_or_refused_but_never_more(
    tmp_path: Path, form: str, changes: list[tuple[float, int]], kept: float
) -> None:
    data = bytearray(encoded(picture(), form))
    for place, value in changes:
        data[int(place * len(data))] = value
    try:
        staged = TempStore(tmp_path).stage(ONE, "x.png", bytes(data[: int(kept * len(data)) + 1]))
    except InputError:
        return
    assert staged.width * staged.height <= ImageLimits().pixels


def test_staged_images_go_at_the_end(tmp_path: Path) -> None:
    store = TempStore(tmp_path / "s1")
    first, second = (
        store.stage(ImageId(f"i{number}"), "x.png", encoded(picture((10 + number, 10)))) for number in range(2)
    )
    assert store.stage(ImageId("i9"), "again.png", encoded(picture((10, 10)))).sha256 == first.sha256
    with pytest.raises(UnsafeInputError):
        store.read("../../etc/passwd")
    assert store.read(second.sha256)
    (tmp_path / "s1" / "notes.txt").write_text("not ours")
    store.empty()
    with pytest.raises(InputError, match="not staged any more"):
        store.read(first.sha256)
    assert [path.name for path in (tmp_path / "s1").iterdir()] == ["notes.txt"]
    TempStore(tmp_path / "never made").empty()
