"""Small PDFs made by hand, so that the tests hold no binary file: text in English and Chinese, and hostile ones."""

from __future__ import annotations

import zlib
from collections.abc import Sequence


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF of these pages, each a list of lines; Chinese lines use a font whose characters are named by Unicode."""
    contents = [zlib.compress(_drawing(lines)) for lines in pages]
    drawn = "".join(line for lines in pages for line in lines if not line.isascii())
    return _file([_stream(content, "/Filter /FlateDecode") for content in contents], drawn=drawn)


def placed(pages: Sequence[Sequence[tuple[int, int, str]]]) -> bytes:
    """A PDF of these pages, each of lines at (x, y), drawn in this order."""
    drawn = ("".join(f"BT /F1 8 Tf {x} {y} Td ({line}) Tj ET\n" for x, y, line in lines) for lines in pages)
    return _file([_stream(lines.encode("ascii"), "") for lines in drawn])


def bomb(megabytes: int) -> bytes:
    """A PDF whose only page unpacks to that many megabytes of zeros. Packed twice, 2 GB take a few kilobytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)  # stands alone, so it may be repeated
    check = (megabytes * 1_000_000 % 65_521) << 16 | 1  # Adler-32 of zeros
    once = b"\x78\xda" + block * megabytes + b"\x03\x00" + check.to_bytes(4, "big")
    return _file([_stream(zlib.compress(once, 9), "/Filter [/FlateDecode /FlateDecode]")])


def repeated_page(count: int) -> bytes:
    """A PDF whose page tree names one page many times."""
    return _file([_stream(_drawing(["again"]), "")], kids=f"{_PAGE} 0 R " * count, count=count)


def image_only() -> bytes:
    """What a scanner makes: a page that draws a picture and no text."""
    return _file([_stream(b"q 100 0 0 100 0 0 cm 0 0 10 10 re f Q", "")])


_FONTS = 3  # the first objects: catalogue, pages, fonts (3-7); then page and content, two by two
_PAGE = 8


def _drawing(lines: Sequence[str]) -> bytes:
    parts = ["BT 14 TL 50 750 Td"]
    for line in lines:
        if line.isascii():
            escaped = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            parts.append(f"/F1 11 Tf ({escaped}) Tj T*")
        else:
            parts.append(f"/F2 11 Tf <{line.encode('utf-16-be').hex()}> Tj T*")
    return "\n".join([*parts, "ET"]).encode("ascii")


def _stream(data: bytes, filters: str) -> bytes:
    return b"<< /Length %d %s >> stream\n%s\nendstream" % (len(data), filters.encode(), data)


def _file(contents: Sequence[bytes], *, drawn: str = "", kids: str = "", count: int = 0) -> bytes:
    """`drawn`: what the font of Unicode's characters draws."""
    kids = kids or " ".join(f"{_PAGE + 2 * index} 0 R" for index in range(len(contents)))
    resources = "<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
    cid = "/BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    codes = [b"%04x" % ord(each) for each in sorted({" ", *drawn})]  # no more: each reader reads the table anew
    to_unicode = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def 1 begincodespacerange "
        b"<0000> <ffff> endcodespacerange %d beginbfchar %s endbfchar endcmap end end"
    ) % (len(codes), b" ".join(b"<%s> <%s>" % (code, code) for code in codes))
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count or len(contents)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /Identity-H /DescendantFonts [5 0 R] "
        b"/ToUnicode 6 0 R >>",
        f"<< /Type /Font /Subtype /CIDFontType0 {cid} >>".encode(),
        _stream(to_unicode, ""),
        b"<< >>",
    ]
    for index, content in enumerate(contents):
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources {resources} /Contents "
        objects += [f"{page}{_PAGE + 2 * index + 1} 0 R >>".encode(), content]
    return _assembled(objects)


def _assembled(objects: Sequence[bytes]) -> bytes:
    data, offsets = b"%PDF-1.7\n", list[int]()
    for number, content in enumerate(objects, start=1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    trailer = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(objects) + 1} /Root 1 0 R >>"
    )
    return data + f"{trailer}\nstartxref\n{len(data)}\n%%EOF\n".encode()
