"""Images for tests: with a word written on them, so that no two are alike."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont


def picture(text: str = "", *, kind: str = "PNG", size: tuple[int, int] = (640, 120)) -> bytes:
    image = Image.new("RGB", size, "white")
    if text:
        ImageDraw.Draw(image).text((20, size[1] // 3), text, fill="black", font=ImageFont.load_default(36))
    data = BytesIO()
    image.save(data, kind)
    return data.getvalue()
