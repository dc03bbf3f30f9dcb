"""Make the demo files that are not plain text: one PDF with a text layer and four images with text.

Run from the project's root: `python assets/make_assets.py`. The PDF needs nothing; the images need Pillow and a font
with Han characters (by default Noto Sans CJK; another one as `--font PATH`). The results are committed, so this is only
for changing them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

ASSETS = Path(__file__).parent
CJK_FONT = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")

SURFACE_CODES = """\
Surface codes: a handout

A surface code spreads one logical qubit over a patch of many physical qubits.
Half of them hold data; the others are measured again and again and report
where an error has happened, without revealing the data itself.

The idea goes back to Alexei Kitaev, who described the toric code in 1997.
Drawn on a flat square instead of a torus it became the surface code.

A patch of distance d takes 2 d^2 - 1 physical qubits: 17 for distance 3,
49 for distance 5 and 97 for distance 7. If errors are rarer than about one
in a hundred steps, a larger patch is a better one; above that threshold it
is a worse one. Every gate touches neighbours only, and that is why makers
of superconducting chips like this code in spite of its size.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """An image: a coloured card with lines of text, turned a little as if it had been photographed."""

    name: str
    lines: tuple[tuple[int, str], ...]
    """(size in pixels, text)."""
    paper: tuple[int, int, int]
    ink: tuple[int, int, int]
    tilt: float
    """Degrees."""


CARDS = (
    Card(
        name="willow_poster_en.png",
        lines=(
            (54, "WILLOW"),
            (32, "Quantum chip of Google"),
            (32, "105 qubits, made in Santa Barbara"),
            (32, "Announcement: 9 December 2024"),
            (32, "Error rate cut in half twice: from"),
            (32, "distance 3 to 5, from 5 to 7"),
        ),
        paper=(232, 238, 246),
        ink=(20, 36, 80),
        tilt=0.0,
    ),
    Card(
        name="webb_label_en.png",
        lines=(
            (40, "James Webb Space Telescope"),
            (26, "Launched on 25 December 2021 from Kourou,"),
            (26, "French Guiana, on an Ariane 5 rocket."),
            (26, "Main mirror: 6.5 metres, 18 segments."),
            (26, "Model, scale 1:30"),
        ),
        paper=(244, 240, 228),
        ink=(36, 32, 28),
        tilt=1.5,
    ),
    Card(
        name="jiuzhang_slide_zh.png",
        lines=(
            (52, "“九章”光量子计算原型机"),
            (30, "中国科学技术大学，合肥"),
            (30, "发布时间：2020年12月4日"),
            (30, "探测到的光子：76个"),
            (30, "任务：高斯玻色取样，用时200秒"),
        ),
        paper=(250, 250, 250),
        ink=(20, 36, 80),
        tilt=0.0,
    ),
    Card(
        name="fast_label_zh.png",
        lines=(
            (44, "中国天眼 FAST"),
            (28, "500米口径球面射电望远镜"),
            (28, "贵州省平塘县"),
            (28, "2016年9月25日落成启用"),
            (28, "首席科学家兼总工程师：南仁东"),
        ),
        paper=(232, 238, 230),
        ink=(24, 44, 30),
        tilt=-1.0,
    ),
)


def text_pdf(text: str) -> bytes:
    """One A4 page of Helvetica with a text layer (PDF 1.4, ISO 32000-1), ASCII only."""
    escaped = (line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in text.splitlines())
    shown = "\n".join(f"({line}) Tj T*" for line in escaped)
    page = f"BT /F1 11 Tf 15 TL 72 760 Td\n{shown}\nET"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(page)} >>\nstream\n{page}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    )
    body, offsets = "%PDF-1.4\n", list[int]()
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode("ascii")


def card_image(card: Card, font_path: Path) -> Image:
    """The card in 64 colours, 720 pixels wide."""
    from PIL import Image, ImageDraw, ImageFont

    margin, leading = 48, 1.5
    height = 2 * margin + int(sum(size * leading for size, _ in card.lines))
    image = Image.new("RGB", (720, height), card.paper)
    draw, top = ImageDraw.Draw(image), float(margin)
    face = 2 if font_path.suffix == ".ttc" else 0  # of the faces in the Noto collection, the one for simplified Chinese
    for size, line in card.lines:
        draw.text((margin, top), line, font=ImageFont.truetype(str(font_path), size, index=face), fill=card.ink)
        top += size * leading
    table = (96, 84, 72)
    if card.tilt:
        image = image.rotate(card.tilt, resample=Image.Resampling.BICUBIC, expand=True, fillcolor=table)
    return image.quantize(64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--font", type=Path, default=CJK_FONT)
    font_path = parser.parse_args().font
    (ASSETS / "corpus/en/surface_codes.pdf").write_bytes(text_pdf(SURFACE_CODES))
    for card in CARDS:
        card_image(card, font_path).save(ASSETS / "images" / card.name, optimize=True)


if __name__ == "__main__":
    main()
