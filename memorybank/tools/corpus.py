"""A folder of documents as the offline tools search and read it.

Everything is read when the corpus is opened, in the order of the names, so that what can be searched is known and the
same each time. The folder's border holds: a link that leads outside is not followed. A file that cannot be read is no
reason to do without the others; it is listed in `skipped` with the reason.
"""

from __future__ import annotations

import difflib
import os
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from memorybank.documents import ACCEPTED, Document, DocumentLimits, read_bytes, read_file
from memorybank.documents.pdf import pdf_images
from memorybank.documents.read import read_image
from memorybank.errors import InputError, Notice
from memorybank.language.tokens import tokenize
from memorybank.runs.files.kinds import kind_of
from memorybank.runs.files.names import shown
from memorybank.tools.pictures import SUFFIXES, Picture, accept_pictures, picture, written_out


class SkippedFile(NamedTuple):
    """A file of the folder that is not in the corpus, and why, for people."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusLimits:
    documents: int = 5_000
    characters: int = 100_000_000
    """The most characters of text, over all documents; the files after it are skipped."""
    images: int = 5_000
    document: DocumentLimits = field(default_factory=DocumentLimits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Documents by their names, in the order of the names (by code point, whatever the system)."""

    documents: tuple[Document, ...]
    skipped: tuple[SkippedFile, ...] = ()
    images: Mapping[str, Callable[[], bytes]] = field(default_factory=dict, repr=False, compare=False)
    """Image files by their names; each is read, and refused, only when it is looked at."""
    _by_name: Mapping[str, Document] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {document.name: document for document in self.documents})

    @classmethod
    def open(cls, folder: Path, *, limits: CorpusLimits | None = None) -> Corpus:
        """Read every document below the folder; a document is named by its path from there, with `/`.

        Hidden files (a name that begins with a dot) are left out. Raises InputError when it is no folder or when
        nothing in it can be read.
        """
        place, limits = shown(str(folder)), limits or CorpusLimits()
        if not folder.is_dir():
            raise InputError("corpus.no_folder", place=place)
        root = folder.resolve()
        paths, skipped = _walk(root)
        images = {name: partial(_image, root, path, name) for name, path in paths.items() if _is_image(name)}
        readers = {
            name: partial(read_file, path, name=name, limits=limits.document)
            for name, path in paths.items()
            if name not in images
        }
        return _read(place, readers, images, skipped, limits)

    @classmethod
    def from_bytes(cls, files: Mapping[str, bytes]) -> Corpus:
        """Return the documents of uploads, names to contents; of a name no part that leads upwards is kept.

        Raises InputError when none can be read.
        """
        readers: dict[str, Callable[[], Document]] = {}
        images: dict[str, Callable[[], bytes]] = {}
        skipped: list[SkippedFile] = []
        for path, data in files.items():
            # A name from outside is a path below the corpus: `../a/b.md` and `/a/b.md` are `a/b.md`.
            parts = PurePosixPath(shown(path).replace("\\", "/")).parts
            name = "/".join(part for part in parts if part not in ("/", "..", ".")) or "file"
            if _is_image(name):
                images.setdefault(name, partial(bytes, data))
            elif name in readers:
                skipped.append(SkippedFile(name, "another file has this name: rename it"))
            else:
                readers[name] = partial(read_bytes, name, data)
        return _read(Notice("corpus.uploaded"), readers, images, skipped, CorpusLimits())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(document.name for document in self.documents)

    def get(self, name: str) -> Document:
        """Return the document of this name. Raises InputError that names the nearest ones when there is none."""
        document = self._by_name.get(name)
        if document is None:
            near = difflib.get_close_matches(name, self.names, n=3, cutoff=0.4) or self.names[:3]
            raise InputError("corpus.no_document", name=shown(name)[:120], names=", ".join(near))
        return document

    def text_at(self, name: str) -> str | None:
        """Return the text of the file of this name, empty for an image; None when there is no such file."""
        document = self._by_name.get(name)
        return document.text if document is not None else "" if name in self.images else None

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)


def _read(
    place: str | Notice,
    readers: Mapping[str, Callable[[], Document]],
    images: Mapping[str, Callable[[], bytes]],
    skipped: list[SkippedFile],
    limits: CorpusLimits,
) -> Corpus:
    documents: list[Document] = []
    failed: dict[str, InputError] = {}
    characters = 0
    for name in sorted(readers):
        if len(documents) >= limits.documents or characters >= limits.characters:
            skipped.append(SkippedFile(name, "the corpus is full: use a smaller folder"))
            continue
        try:
            document = readers[name]()
        except InputError as error:
            failed[name] = error
            skipped.append(SkippedFile(name, str(error).removeprefix(f"{name}: ")))
        else:
            documents.append(document)
            characters += len(document.text)
    for name in sorted(images)[limits.images :]:
        skipped.append(SkippedFile(name, "the corpus is full: use a smaller folder"))
    kept = {name: images[name] for name in sorted(images)[: limits.images]}
    if not documents and not kept:
        kinds = " ".join(ACCEPTED)
        if not skipped:
            raise InputError("corpus.nothing_readable", place=place, kinds=kinds)
        name, reason = min(skipped)
        example = failed.get(name) or Notice("text.at", place=name, reason=reason)
        raise InputError("corpus.all_skipped", place=place, count=len(skipped), example=example, kinds=kinds)
    return Corpus(documents=tuple(documents), skipped=tuple(sorted(skipped)), images=kept)


def _walk(root: Path) -> tuple[dict[str, Path], list[SkippedFile]]:
    """Return the files of our kinds below a resolved folder, and what is left out; nothing outside is looked at."""
    paths: dict[str, Path] = {}
    skipped: list[SkippedFile] = []

    def unreadable(error: OSError) -> None:
        name = Path(error.filename).relative_to(root).as_posix()
        skipped.append(SkippedFile(f"{shown(name)}/", f"cannot be opened ({error.strerror}): check its permissions"))

    for at, folders, files in os.walk(root, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for base in [*files, *folders]:
            path = Path(at, base)
            name = path.relative_to(root).as_posix()
            reason = _reason_against(root, path, name)
            if reason:
                skipped.append(SkippedFile(shown(name), reason))
            elif base in files and not base.startswith("."):
                paths[name] = path
    return paths, skipped


def _reason_against(root: Path, path: Path, name: str) -> str:
    """Return why this file or folder is not read; empty when it is. `os.walk` itself follows no link to a folder."""
    if path.name.startswith("."):
        return ""
    if path.is_symlink():
        target = Path(os.path.realpath(path))
        if not target.is_relative_to(root):
            return "a link that leads outside the folder: copy the file here"
        return f"a link to {shown(target.relative_to(root).as_posix())}, which is read under its own name"
    if path.is_dir():
        return ""
    if shown(name) != name:
        return "its name has characters that cannot be shown: rename it"
    if kind_of(name) is None and not _is_image(name):
        return "not a kind of file that is searched"
    return ""


def _is_image(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


def _image(root: Path, path: Path, name: str) -> bytes:
    """Read when it is needed, which is later than the folder was looked through: it may lead elsewhere by now."""
    if not Path(os.path.realpath(path)).is_relative_to(root):
        raise InputError("corpus.link_outside", name=shown(name))
    return read_image(path, name)


# -- images: files that documents show, files that stand alone, and those inside a PDF --------------------------------
#
# A document's word for an image is looked up among the files that were found in the folder, and nowhere else: whatever
# it says, no other file is opened and nothing is fetched.


def pictures_of(corpus: Corpus, document: Document, limit: int) -> Sequence[Picture]:
    """Return the images that a document of the corpus shows, at most `limit`."""
    if document.kind == "pdf" and document.original is not None:
        inside = pdf_images(document.original, limit)
        return accept_pictures((partial(picture, name, data, document.name) for name, data in inside), limit)
    return accept_pictures(_referenced(corpus, document), limit)


def unreferenced_pictures(
    corpus: Corpus, queries: Sequence[str], met: Callable[[str], bool], limit: int
) -> Sequence[Picture]:
    """Return image files that no document shows and that were not met, best match of name and queries first."""
    query_words = {word for query in queries for word in tokenize(query)}
    shown_names = {_resolved(corpus, document.name, named) for document in corpus for named in document.images}
    names = [name for name in corpus.images if name not in shown_names and not met(name)]
    names.sort(key=lambda name: (-len(query_words & set(tokenize(name))), name))
    return accept_pictures((partial(_file, corpus, name, name) for name in names), limit)


def _referenced(corpus: Corpus, document: Document) -> Iterator[Callable[[], Picture]]:
    for reference in document.images:
        if reference[:5].lower() == "data:":
            yield partial(written_out, reference, document.name)
        elif name := _resolved(corpus, document.name, reference):
            yield partial(_file, corpus, name, document.name)


def _resolved(corpus: Corpus, document: str, reference: str) -> str:
    """Return the image file that a document means; empty when it is none of the corpus."""
    try:
        parts = urlsplit(reference.replace("\\", "/"))
    except ValueError:
        return ""
    if parts.scheme or parts.netloc:
        return ""
    named = unquote(parts.path)
    base = "" if named.startswith("/") else posixpath.dirname(document)
    name = posixpath.normpath(posixpath.join(base, named.lstrip("/")))
    return name if name in corpus.images else ""


def _file(corpus: Corpus, name: str, found_in: str) -> Picture:
    read = corpus.images.get(name)
    if read is None:
        raise InputError("corpus.no_image", name=name)
    return picture(posixpath.basename(name), read(), found_in)
