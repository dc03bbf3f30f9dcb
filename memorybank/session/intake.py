"""The sources made of a person's input: one prompt with context and question, files, dialogues."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memorybank.documents.document import Document
from memorybank.documents.read import Format, read_file
from memorybank.errors import InputError
from memorybank.memory.types import EntryKind
from memorybank.runs.files.plain import reading
from memorybank.runs.run_folder import RunFolder
from memorybank.session.stages.recording import Source
from memorybank.tools.base import Original

_LABEL = r"[ \t]*[#*【\[]*[ \t]*(?P<{name}>{words})[ \t]*[\]】*]*[ \t]*[:：][ \t]*\**"
_CONTEXT_RE = re.compile("(?im)^" + _LABEL.format(name="context", words="上下文|背景|资料|context|background"))
_QUESTION_RE = re.compile("(?im)^" + _LABEL.format(name="question", words="问题|任务|提问|question|task|query"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPrompt:
    context: str
    question: str


def split_prompt(text: str) -> SplitPrompt:
    """Tell context and question apart in one prompt box (final specification, section 11).

    Either label may come first, in English or Chinese, half- or full-width colon. Without a question label the whole
    text is the question: a person who writes one paragraph is asking.
    """
    question = _QUESTION_RE.search(text)
    context = _CONTEXT_RE.search(text)
    if question is None or (context is None and not text[: question.start()].strip()):
        return SplitPrompt(context="", question=(text[question.end() :] if question else text).strip())
    if context is not None and context.start() > question.start():
        question_text, context_text = text[question.end() : context.start()], text[context.end() :]
        return SplitPrompt(context=context_text.strip(), question=question_text.strip())
    context_text = text[context.end() if context else 0 : question.start()]
    return SplitPrompt(context=context_text.strip(), question=text[question.end() :].strip())


def text_source(text: str, name: str) -> Source:
    return Source(name=name, text=text, kind="text")


def file_source(path: Path, folder: RunFolder, form: Format = "auto") -> Source:
    """Read a file as a source; the original of a PDF or code file goes into the run's store. Raises InputError."""
    return replace(document_source(read_file(path, format=form), folder), name=str(path.absolute()))


def document_source(document: Document, folder: RunFolder) -> Source:
    kind: EntryKind = "dialogue" if document.kind == "dialogue" else "document"
    return Source(name=document.name, text=document.text, kind=kind, original=store_original(document, folder))


def store_original(document: Document, folder: RunFolder) -> Original | None:
    """Keep the file itself where text is not all there is to it. The same file twice is kept once."""
    if document.attachment is None or document.original is None:
        return None
    stored = folder.files.put(document.original, document.suffix)
    return Original(
        type=document.attachment,
        name=Path(document.name).name,
        path=stored.path,
        sha256=stored.sha256,
        size=stored.size,
        media_type=document.media_type,
    )


def read_images(paths: Sequence[Path], limit: int = 30_000_000) -> list[tuple[str, bytes]]:
    """Read images as (path, bytes), verified only when they are staged. Raises InputError for a missing file."""
    images = []
    for path in paths:
        try:
            with reading(path, follow=True) as file:
                data = file.read(limit + 1)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise InputError("image.missing", name=path.name) from None
        if len(data) > limit:
            raise InputError("image.over_limit", name=path.name, limit=limit // 1_000_000)
        images.append((str(path.absolute()), data))
    return images
