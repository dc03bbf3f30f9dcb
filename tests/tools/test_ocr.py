"""Text in images, with the weights that come in the package: English, Chinese, nothing, and what is no image."""

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from memorybank.errors import InputError, UnsafeInputError
from memorybank.runs.files.images import prepare_image
from memorybank.tools.ocr import OcrReader

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
    found = OcrReader("en").read(drawn(LINES, ground=ground, ink=ink, mode=mode))
    assert [line.text.replace(" ", "") for line in found.lines] == [line.replace(" ", "") for line in LINES]
    assert found.text == "\n".join(line.text for line in found.lines)
    assert "9 December 2024" in found.text, "words stay apart"
    assert 0.8 < found.confidence <= 1
    assert found.readable


def test_chinese_is_read() -> None:
    pictures = sorted(ASSETS.glob("*_zh.png"))
    assert pictures
    for path in pictures:
        found = OcrReader("zh").read(prepare_image(path.name, path.read_bytes()).data)
        assert found.confidence > 0.9
        assert sum("\u4e00" <= char <= "\u9fff" for char in found.text) > 20


def test_an_image_without_text_says_so_in_the_sessions_language() -> None:
    written = BytesIO()
    Image.new("RGB", (640, 480), "white").save(written, "PNG")
    english, chinese = OcrReader("en").read(written.getvalue()), OcrReader("zh").read(written.getvalue())
    assert english.text == "no readable text (PNG, 640×480)"
    assert chinese.text == "没有可读的文字 (PNG, 640×480)"
    assert english.lines == ()
    assert not english.readable
    noise = BytesIO()
    Image.effect_noise((300, 200), 80).convert("RGB").save(noise, "JPEG")
    assert OcrReader("en").read(noise.getvalue()).text == "no readable text (JPEG, 300×200)"


def test_what_is_no_image_is_refused() -> None:
    with pytest.raises(InputError, match="not an image"):
        OcrReader().read(b"hello")
    with pytest.raises(UnsafeInputError, match="more than"):
        OcrReader().read(bytes(20_000_001))


def test_nothing_is_loaded_before_the_first_image() -> None:
    code = (
        "import sys; from memorybank.tools.ocr import OcrReader; OcrReader('zh'); "
        "print([name for name in ('cv2', 'onnxruntime', 'rapidocr') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
