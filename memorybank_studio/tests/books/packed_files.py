"""DOCX and EPUB files as others make them, honest and hostile, part by part."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
REL = "http://schemas.openxmlformats.org/package/2006/relationships"

STYLES = f"""<w:styles xmlns:w="{W}">
<w:style w:type="paragraph" w:styleId="2"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="3"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="mine"><w:name w:val="My heading"/><w:basedOn w:val="2"/></w:style>
<w:style w:type="paragraph" w:styleId="out"><w:name w:val="Out"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="loop"><w:name w:val="a"/><w:basedOn w:val="loop"/></w:style>
<w:style w:type="paragraph" w:styleId="toc1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
</w:styles>"""


def zipped(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()


def p(text: str, style: str = "", inner: str = "") -> str:
    """A paragraph; `inner` is markup after its text."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r>{inner}</w:p>"


def relations(*related: tuple[str, str], external: str = "") -> str:
    lines = [
        f'<Relationship Id="r{at}" Type="{R}/{kind}" Target="{target}"/>' for at, (kind, target) in enumerate(related)
    ]
    if external:
        lines.append(f'<Relationship Id="x" Type="{R}/attachedTemplate" Target="{external}" TargetMode="External"/>')
    return f'<Relationships xmlns="{REL}">{"".join(lines)}</Relationships>'


def docx(body: str, *, doctype: str = "", external: str = "", **more: str | bytes) -> bytes:
    """A DOCX with this body; `more` are parts below `word/`, by their names without `.xml`."""
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("officeDocument", "word/document.xml")),
        "word/document.xml": f'{doctype}<w:document xmlns:w="{W}"><w:body>{body}<w:sectPr/></w:body></w:document>',
        "word/styles.xml": STYLES,
        "word/_rels/document.xml.rels": relations(
            ("styles", "styles.xml"), *((name, f"{name}.xml") for name in more), external=external
        ),
    }
    return zipped(parts | {f"word/{name}.xml": content for name, content in more.items()})


CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>
<rootfile full-path="{name}" media-type="application/oebps-package+xml"/></rootfiles></container>"""


def page(body: str, title: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" '
        '"http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd"><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>{title}</title></head><body>{body}</body></html>'
    )


def epub(
    pages: Mapping[str, str | bytes],
    *,
    nav: str = "",
    ncx: str = "",
    guide: str = "",
    not_linear: tuple[str, ...] = (),
    **more: str | bytes,
) -> bytes:
    """An EPUB with these pages in this order; `more` are parts, `__` for a slash in their names and `_` for a dot."""
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in pages)
    spine = "".join(f'<itemref idref="{name}" linear="{"no" if name in not_linear else "yes"}"/>' for name in pages)
    parts: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER.format(name="OEBPS/content.opf"),
    }
    if nav:
        items += '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
        parts["OEBPS/nav.xhtml"] = page(nav)
    if ncx:
        items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        parts["OEBPS/toc.ncx"] = ncx
    parts["OEBPS/content.opf"] = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0">'
        "<metadata><dc:title>The Bridge</dc:title><dc:creator>A. Writer</dc:creator></metadata>"
        f"<manifest>{items}</manifest><spine>{spine}</spine><guide>{guide}</guide></package>"
    )
    parts |= {f"OEBPS/{name}": content for name, content in pages.items()}
    return zipped(parts | {name.replace("__", "/").replace("_", "."): content for name, content in more.items()})
