"""The images of a corpus: files that its documents show, files that stand alone, and those inside a PDF.

A document's word for an image is looked up among the files that were found in the folder, and nowhere else: whatever
it says, no other file is opened and nothing is fetched.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from urllib.parse import unquote, urlsplit

from memorybank.documents.document import Document
from memorybank.documents.pdf import pdf_images
from memorybank.errors import InputError
from memorybank.language.tokens import tokenize
from memorybank.tools.corpus import Corpus
from memorybank.tools.pictures import Picture, accept_pictures, picture, written_out


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
    shown_names = {name for document in corpus for name in _names(corpus, document)}
    names = [name for name in corpus.images if name not in shown_names and not met(name)]
    names.sort(key=lambda name: (-len(query_words & set(tokenize(name))), name))
    return accept_pictures((partial(_file, corpus, name, name) for name in names), limit)


def _referenced(corpus: Corpus, document: Document) -> Iterator[Callable[[], Picture]]:
    for reference in document.images:
        if reference[:5].lower() == "data:":
            yield partial(written_out, reference, document.name)
        elif name := _resolved(corpus, document.name, reference):
            yield partial(_file, corpus, name, document.name)


def _names(corpus: Corpus, document: Document) -> Iterator[str]:
    for reference in document.images:
        if name := _resolved(corpus, document.name, reference):
            yield name


def _resolved(corpus: Corpus, document: str, reference: str) -> str:
    """The image file that a document means; empty when it is none of the corpus."""
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
