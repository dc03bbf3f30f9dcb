"""Files become documents: text that can be filed, with the original where the text is not all of it.

Text, Markdown, HTML, PDF, code, tables (CSV, TSV), subtitles, JSON and dialogues as programs export them. Nothing is
run, nothing is fetched, and every file has its limits of size and time.
"""

from memorybank.documents.document import Document, DocumentLimits
from memorybank.documents.read import ACCEPTED, read_bytes, read_file

__all__ = ["ACCEPTED", "Document", "DocumentLimits", "read_bytes", "read_file"]
