"""An image from outside, made safe: decoded by Pillow within bounds and written anew, so that only pixels are kept.

What is refused: anything but PNG, JPEG, GIF, WebP, BMP and TIFF (SVG, EPS and PDF are programs that draw); more bytes
or pixels than the limits, told from the header before a pixel is decoded; a file that ends early or is damaged. What
is dropped: EXIF (place, camera), colour profiles, comments, frames after the first.
"""

from __future__ import annotations

import hashlib
import struct
import warnings
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

from memorybank.errors import InputError, UnsafeInputError
from memorybank.runs.files.names import base_name

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")

# What Pillow's decoders raise on a damaged file, found by corrupting files of each format.
_DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    OverflowError,
    struct.error,
    zlib.error,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageLimits:
    bytes: int = 20_000_000
    """The most bytes of the file as it came."""
    pixels: int = 50_000_000
    """Width times height, before anything is decoded."""
    long_side: int = 4096
    """Larger images are reduced to it."""
    formats: tuple[str, ...] = FORMATS


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedImage:
    """An image as we wrote it."""

    data: bytes
    sha256: str
    suffix: str
    """The suffix, `.png` or `.jpg`."""
    media_type: str
    width: int
    height: int


def prepare_image(name: str, data: bytes, limits: ImageLimits = ImageLimits()) -> PreparedImage:
    """Decode within the limits, turn upright, reduce, and encode as JPEG (photographs) or PNG (the rest).

    Raises UnsafeInputError when it is larger than the limits, InputError when it is no image we can read.
    """
    shown_name = base_name(name, default="image")
    image = open_image(shown_name, data, limits)
    lossy = image.format in ("JPEG", "MPO") or (image.format == "WEBP" and image.mode == "RGB")
    try:
        upright = _upright(image, limits.long_side)
    except _DAMAGED as error:
        raise InputError("image.damaged", name=shown_name) from error
    written = BytesIO()
    if lossy and upright.mode in ("L", "RGB"):
        upright.save(written, "JPEG", quality=92)
        suffix, media_type = ".jpg", "image/jpeg"
    else:
        upright.save(written, "PNG")
        suffix, media_type = ".png", "image/png"
    content = written.getvalue()
    return PreparedImage(
        data=content,
        sha256=hashlib.sha256(content).hexdigest(),
        suffix=suffix,
        media_type=media_type,
        width=upright.width,
        height=upright.height,
    )


def open_image(name: str, data: bytes, limits: ImageLimits = ImageLimits()) -> Image:
    """Return the image with its header read and found within the limits; no pixel is decoded yet."""
    from PIL import Image, UnidentifiedImageError

    if len(data) > limits.bytes:
        size, most = len(data) / 1e6, limits.bytes / 1e6
        raise UnsafeInputError("image.too_large", name=name, size=size, limit=most)
    if not data:
        raise InputError("image.empty", name=name)
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith(b"<") and b"<svg" in head:
        raise InputError("image.svg", name=name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            warnings.simplefilter("ignore", UserWarning)  # odd EXIF and the like: dropped anyway
            image = Image.open(BytesIO(data), formats=limits.formats)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_large(name, limits) from error
    except (UnidentifiedImageError, *_DAMAGED) as error:
        raise InputError("image.unknown_format", name=name, formats=_listed(limits.formats)) from error
    if image.width * image.height > limits.pixels:
        raise _too_large(name, limits)
    return image


def _listed(formats: tuple[str, ...]) -> str:
    names = ["WebP" if name == "WEBP" else name for name in formats]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _too_large(name: str, limits: ImageLimits) -> UnsafeInputError:
    return UnsafeInputError("image.unpacks", name=name, count=limits.pixels / 1e6)


def _upright(image: Image, long_side: int) -> Image:
    """Return the first frame's pixels in mode L, RGB or RGBA, turned as its EXIF says, and nothing else of the file."""
    from PIL import Image, ImageOps

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        image.load()
        turned = ImageOps.exif_transpose(image)
    pixels = _plain_mode(turned)
    if max(pixels.size) > long_side:
        pixels.thumbnail((long_side, long_side), Image.Resampling.LANCZOS)
    bare = Image.new(pixels.mode, pixels.size)
    bare.paste(pixels)
    return bare


def _plain_mode(image: Image) -> Image:
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    if image.mode.startswith("I"):  # 16 bits a pixel: convert("L") would clip instead of scaling
        import numpy as np
        from PIL import Image

        return Image.fromarray((np.asarray(image).astype(np.int64) >> 8).clip(0, 255).astype(np.uint8))
    if image.mode == "1":
        return image.convert("L")
    return image.convert("RGBA" if image.mode in ("LA", "PA", "La", "RGBa") or "transparency" in image.info else "RGB")
