"""The run's images as data URIs, within a bound; a picture that is left out is named and its size told."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable

from memorybank.errors import MemoryBankError
from memorybank.memory.types import Attachment, AttachmentId, AttachmentType

LARGEST = 1_500_000
"""Bytes of one picture."""
MOST = 8_000_000
"""Bytes of all."""
SHOWN = ("image/png", "image/jpeg")
"""What the formal store writes for images; nothing else is ever handed to the browser as one."""

Read = Callable[[str], bytes]
"""An attachment's bytes by its path in the formal store."""


def pictures(attachments: Iterable[Attachment], read: Read | None) -> dict[AttachmentId, str]:
    """Data URIs of the images that fit, in their order. One that is gone or changed is left out like one too large."""
    urls: dict[AttachmentId, str] = {}
    room = MOST
    for attachment in attachments:
        if attachment.type is not AttachmentType.IMAGE or attachment.media_type not in SHOWN or read is None:
            continue
        if attachment.size > min(LARGEST, room):
            continue
        try:
            data = read(attachment.path)
        except (MemoryBankError, OSError):
            continue
        room -= len(data)
        urls[attachment.id] = f"data:{attachment.media_type};base64,{base64.b64encode(data).decode('ascii')}"
    return urls
