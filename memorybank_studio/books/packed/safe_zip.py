"""A zip archive from anyone: nothing is written to disk, nothing is fetched, and what is unpacked has its limits.

Only the parts that are asked for are unpacked, each no further than one part may be, all together no further than a
file may be. A name that leads out of the archive is the name of nothing. XML is read without its DTD; one that
declares entities is refused, for no honest file of these kinds does.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from lxml import etree

_ENCRYPTED: Final = 0x1
_ENTITY_RE: Final = re.compile(rb"<!ENTITY", re.IGNORECASE)
_NAME_RE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
"""A name that XML allows an attribute; HTML lets a page have others."""
CONTROL_RE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""What XML has not, and HTML's reader lets through."""
MOST_ATTRIBUTES: Final = 100
"""Attributes of an element that are read; each is looked for among all, so that of many more nothing is."""
_REMOTE_RE: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|\\")


class RefusedError(Exception):
    """The file is not read; the message is the reason's name."""


class SafeZip:
    def __init__(self, data: bytes, limits: Mapping[str, float]) -> None:
        """Open the archive. Raises RefusedError: not_zip, parts."""
        self._most_part = int(limits["part_bytes"])
        self._left = int(limits["unpacked_bytes"])
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OverflowError, OSError, NotImplementedError) as error:
            raise RefusedError("not_zip") from error
        entries = self._zip.infolist()
        if len(entries) > limits["parts"]:
            raise RefusedError("parts")
        self._entries = {entry.filename: entry for entry in entries if _stays_inside(entry.filename)}

    @property
    def names(self) -> list[str]:
        return list(self._entries)

    def has(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """Raises RefusedError: damaged, protected, unpacks."""
        entry = self._entries.get(name)
        if entry is None:
            raise RefusedError("damaged")
        if entry.flag_bits & _ENCRYPTED:
            raise RefusedError("protected")
        most = min(self._most_part, self._left)
        if entry.file_size > most:
            raise RefusedError("unpacks")
        try:
            with self._zip.open(entry) as part:
                data = part.read(most + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
            raise RefusedError("damaged") from error
        if len(data) > most:
            raise RefusedError("unpacks")
        self._left -= len(data)
        return data

    def xml(self, name: str) -> Any:
        """Return the root element of a part. Raises RefusedError as `read`; also entities."""
        return parse_xml(self.read(name))

    def beside(self, base: str, reference: str) -> str:
        """Return the name of what a part refers to; empty for what lies outside, here or on the network."""
        path = unquote(reference.partition("#")[0])
        if not path or _REMOTE_RE.match(path):
            return ""
        inside = path[1:] if path.startswith("/") else posixpath.join(posixpath.dirname(base), path)
        name = posixpath.normpath(inside)
        return name if _stays_inside(name) else ""


def parse_xml(data: bytes) -> Any:
    """Parse without DTD, entities and network. Raises RefusedError: damaged, entities; MemoryError."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error
        raise RefusedError("entities" if _ENTITY_RE.search(data) else "damaged") from error
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(True for _ in dtd.iterentities()):
        raise RefusedError("entities")
    return without_namespaces(root)


def without_namespaces(root: Any) -> Any:
    """Name elements and attributes by their local names alone: producers disagree on namespaces, and none is needed."""
    etree.strip_elements(root, etree.Entity, etree.PI, with_tail=False)
    for element in root.iter():
        if "}" in element.tag:
            element.tag = element.tag.rpartition("}")[2]
        for key, held in element.items() if len(element.attrib) <= MOST_ATTRIBUTES else ():
            name = key.removeprefix("epub:").rpartition("}")[2]  # read as HTML a page has no namespaces, only prefixes
            if _NAME_RE.fullmatch(name) and element.get(name) is None:
                element.set(name, CONTROL_RE.sub("", held))
    return root


def value(element: Any, path: str) -> str:
    """Return the attribute `val` of what lies at a path below an element; empty where there is no such thing."""
    at = element.find(path)
    return "" if at is None else str(at.get("val", ""))


def _stays_inside(name: str) -> bool:
    return not (name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/"))
