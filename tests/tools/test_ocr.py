"""Text in images, with the weights that come in the package: English, Chinese, nothing, and in which order."""

from __future__ import annotations

import random
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from memorybank.errors import InputError, UnsafeInputError
from memorybank.runs.files.images import prepare_image
from memorybank.tools.ocr import Box, reading_order, recognise

ASSETS = Path(__file__).parents[2] / "assets" / "images"


def drawn(lines: list[str], *, ground: str = "white", ink: str = "black", size: int = 22, mode: str = "RGB") -> bytes:
    """A picture of these lines in the font that Pillow carries (Latin only)."""
    image = Image.new("RGBA", (520, 30 + 40 * len(lines)), (0, 0, 0, 0) if ground == "clear" else ground)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size)
    for number, line in enumerate(lines):
        pen.text((20, 15 + 40 * number), line, font=font, fill=ink)
    written = BytesIO()
    image.convert(mode).save(written, "PNG")
    return written.getvalue()


LINES = ["Willow: 105 qubits, Santa Barbara", "Announced on 9 December 2024", "Error rate 0.143 % per cycle"]


@pytest.mark.parametrize(
    ("ground", "ink", "mode"),
    [("white", "black", "RGB"), ("#203040", "#ffe9a0", "RGB"), ("clear", "white", "RGBA"), ("clear", "black", "RGBA")],
    ids=["dark on light", "light on dark", "white on nothing", "black on nothing"],
)
def test_english_lines_are_read_in_order(ground: str, ink: str, mode: str) -> None:
    found = recognise(drawn(LINES, ground=ground, ink=ink, mode=mode))
    assert found.text.replace(" ", "").split("\n") == [line.replace(" ", "") for line in LINES]
    assert "9 December 2024" in found.text, "words stay apart"
    assert found.is_readable


def test_chinese_is_read() -> None:
    pictures = sorted(ASSETS.glob("*_zh.png"))
    assert pictures
    for path in pictures:
        found = recognise(prepare_image(path.name, path.read_bytes()).data, "zh")
        assert sum("\u4e00" <= char <= "\u9fff" for char in found.text) > 20


def test_an_image_without_text_says_so_in_the_sessions_language() -> None:
    written = BytesIO()
    Image.new("RGB", (640, 480), "white").save(written, "PNG")
    english, chinese = recognise(written.getvalue()), recognise(written.getvalue(), "zh")
    assert english.text == "no readable text (PNG, 640×480)"
    assert chinese.text == "没有可读的文字 (PNG, 640×480)"
    assert not english.is_readable
    noise = BytesIO()
    Image.effect_noise((300, 200), 80).convert("RGB").save(noise, "JPEG")
    assert recognise(noise.getvalue()).text == "no readable text (JPEG, 300×200)"


def test_what_is_no_image_is_refused() -> None:
    with pytest.raises(InputError, match="not an image"):
        recognise(b"hello")
    with pytest.raises(UnsafeInputError, match="more than"):
        recognise(bytes(20_000_001))


def test_nothing_is_loaded_before_the_first_image() -> None:
    code = (
        "import sys; from memorybank.tools.ocr import read_image_tool; read_image_tool(dict, bytes, 'zh'); "
        "print([name for name in ('cv2', 'onnxruntime', 'rapidocr') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# -- The order of boxes: rows, columns, headings across columns, tables ------------------------------------------------


def box(text: str, left: float, top: float, width: float, height: float = 20) -> Box:
    return Box(left, top, left + width, top + height, text)


def read(boxes: list[Box]) -> list[str]:
    random.Random(1).shuffle(boxes)
    return [" ".join(piece.text for piece in row) for row in reading_order(boxes)]


def test_a_label_is_read_row_by_row_even_when_it_is_tilted() -> None:
    boxes = [box("FAST", 50, 10, 80), box("radio telescope", 140, 14, 200), box("500 m", 50, 45, 60)]
    assert read(boxes) == ["FAST radio telescope", "500 m"]


def test_a_table_keeps_its_rows() -> None:
    boxes = [box(f"{row}{column}", 60 + 150 * column, 30 * row, 40) for row in range(6) for column in range(3)]
    assert read(boxes) == [f"{row}0 {row}1 {row}2" for row in range(6)]


def test_columns_are_read_one_after_the_other_below_their_heading() -> None:
    boxes = [box("heading over both", 40, 0, 420, 30)]
    boxes += [box(f"left {line}", 40, 40 + 24 * line, 200) for line in range(8)]
    boxes += [box(f"right {line}", 248, 47 + 24 * line, 200) for line in range(8)]
    boxes += [box("heading between", 40, 270, 420, 30)]
    boxes += [box(f"left {line}", 40, 310 + 24 * (line - 8), 200) for line in range(8, 12)]
    boxes += [box(f"right {line}", 248, 313 + 24 * (line - 8), 200) for line in range(8, 12)]
    assert read(boxes) == [
        "heading over both",
        *(f"left {line}" for line in range(8)),
        *(f"right {line}" for line in range(8)),
        "heading between",
        *(f"left {line}" for line in range(8, 12)),
        *(f"right {line}" for line in range(8, 12)),
    ]


@given(
    st.lists(st.tuples(*[st.integers(0, 300)] * 2, st.integers(1, 200), st.integers(1, 40)), max_size=30),
    st.integers(0, 9),
)
def test_every_box_is_read_once_and_always_in_the_same_order(places: list[tuple[int, ...]], seed: int) -> None:
    boxes = [Box(x, y, x + w, y + h, str(number)) for number, (x, y, w, h) in enumerate(places)]
    shuffled = list(boxes)
    random.Random(seed).shuffle(shuffled)
    order = reading_order(shuffled)
    assert order == reading_order(boxes)
    assert sorted(piece for row in order for piece in row) == sorted(boxes)
