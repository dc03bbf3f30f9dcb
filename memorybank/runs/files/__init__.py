"""What a run keeps as files: prompts and answers (blobs), originals (formal store), images waiting (temp store).

Every file is named by the SHA-256 of its bytes, so a name from outside is never a path and a content is kept once.
"""

from memorybank.runs.files.blobs import BlobStore
from memorybank.runs.files.formal import FormalStore, StoredFile
from memorybank.runs.files.images import ImageLimits, PreparedImage, prepare_image
from memorybank.runs.files.kinds import FILE_KINDS, FileKind, kind_of
from memorybank.runs.files.names import base_name, shown
from memorybank.runs.files.temp import TempStore, sweep_sessions

__all__ = [
    "FILE_KINDS",
    "BlobStore",
    "FileKind",
    "FormalStore",
    "ImageLimits",
    "PreparedImage",
    "StoredFile",
    "TempStore",
    "base_name",
    "kind_of",
    "prepare_image",
    "shown",
    "sweep_sessions",
]
