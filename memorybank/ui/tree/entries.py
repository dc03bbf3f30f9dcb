"""A file kept beside an entry's text, as it is shown: a picture, code, or something to download."""

from __future__ import annotations

from pathlib import PurePosixPath

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.memory.types import Attachment, AttachmentType, Lang
from memorybank.runs.files.stores import FormalStore
from memorybank.ui.components.problems import draw_error
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, box, note
from memorybank.views.boxes.entries import attachment_head
from memorybank.views.i18n import t
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_bytes

CODE_LONGEST = 100_000

_LANGUAGES = {
    "py": "python", "js": "javascript", "ts": "typescript", "java": "java", "c": "c", "h": "c", "cpp": "cpp",
    "go": "go", "rs": "rust", "sh": "bash", "sql": "sql", "json": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml",
}  # fmt: skip


def draw_attachment(attachment: Attachment, store: FormalStore, lang: Lang, *, key: str) -> None:
    """An image as a picture, code as code, anything else to download; from the store's bytes, checked by their hash."""
    with st.container(border=True):
        draw(
            *attachment_head(attachment, lang, box("span", "muted small mono", attachment.id)),
            *_about(attachment, lang),
            key=f"{key}-head",
        )
        try:
            data = store.read(attachment.path)
        except MemoryBankError as error:
            draw_error(error, lang, key=f"{key}-problem")
            return
        _draw_content(attachment, data, lang, key=key)
        st.download_button(
            t("action.download", lang),
            data,
            file_name=attachment.name,
            mime="application/octet-stream",
            key=f"{key}-download",
            icon=":material/download:",
            on_click="ignore",
        )


def _about(attachment: Attachment, lang: Lang) -> list[Box]:
    """What the entry's text is to the original."""
    if attachment.type is AttachmentType.CODE:
        return []
    words = "tree.read_from_image" if attachment.type is AttachmentType.IMAGE else "tree.read_from_document"
    return [note(t(words, lang))]


def _draw_content(attachment: Attachment, data: bytes, lang: Lang, *, key: str) -> None:
    if attachment.type is AttachmentType.IMAGE:
        st.image(data, width="content", alt=clip(attachment.name, 120))
    elif attachment.type is AttachmentType.CODE:
        suffix = PurePosixPath(attachment.name).suffix.lower().removeprefix(".")
        st.code(data[:CODE_LONGEST].decode("utf-8", "replace"), language=_LANGUAGES.get(suffix), line_numbers=True)
        if len(data) > CODE_LONGEST:
            shown = t(
                "tree.code_cut", lang, shown=format_bytes(CODE_LONGEST, lang), total=format_bytes(len(data), lang)
            )
            draw(note(shown), key=f"{key}-cut")
