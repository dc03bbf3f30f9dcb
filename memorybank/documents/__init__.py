"""Files become documents: text that can be filed, with the original where the text is not all of it.

Text, Markdown, HTML, PDF, code, tables (CSV, TSV), subtitles, JSON and dialogues as programs export them. Nothing is
run, nothing is fetched, and every file has its limits of size and time.
"""

from memorybank.documents.dialogue import DialogueTurn, render_turn, render_turns, turns_of
from memorybank.documents.document import Document, DocumentKind, DocumentLimits
from memorybank.documents.encoding import decode
from memorybank.documents.pdf import PdfLimits
from memorybank.documents.read import ACCEPTED, Format, read_bytes, read_file
from memorybank.documents.webpage import page_text

__all__ = [
    "ACCEPTED",
    "DialogueTurn",
    "Document",
    "DocumentKind",
    "DocumentLimits",
    "Format",
    "PdfLimits",
    "decode",
    "page_text",
    "read_bytes",
    "read_file",
    "render_turn",
    "render_turns",
    "turns_of",
]
