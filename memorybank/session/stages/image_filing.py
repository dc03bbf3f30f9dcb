"""Images that a round has read, as its task or beside it: original to the formal store, text to an entry."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.errors import InputError
from memorybank.language.text import sha256
from memorybank.memory import events
from memorybank.memory.state import Draft
from memorybank.memory.types import Attachment, AttachmentType, Entry, EntryId, ImageId, Span, StagedImage, Task
from memorybank.prompts import say
from memorybank.runs.files.names import base_name
from memorybank.runs.files.stores import StoredFile
from memorybank.session.markup import images_of
from memorybank.session.stages.base import StageEffects
from memorybank.session.waiting_images import ReadImage, cited_name


def take_images(draft: Draft, task: Task, answer: str, fx: StageEffects) -> None:
    """Take recognised images from the temp store: original to the formal store, text to an entry, that to filing."""
    read = images_of(answer)
    spans: list[Span] = []
    stored = 0
    for image_id in task.image_ids:
        image = draft.state.tree.staged.get(image_id)
        if image is None:
            continue
        text, readable = read.get(image_id, ("", False))
        if image_id in read:
            span = _store_image(draft, image, text, readable, fx)
        elif (unread := count_image_attempt(draft, image_id, fx)) is not None:
            span = unread
        else:
            continue
        stored += 1
        if _is_memory(image, readable):
            spans.append(span)
    if spans:
        draft.emit(events.FilingQueued(spans=tuple(spans)))
    draft.emit(events.ContextIntercepted(route="images" if stored else "failed"))


def take_read_images(draft: Draft, read: Iterable[ReadImage], fx: StageEffects) -> list[EntryId]:
    """Take images that a round read beside its task, which wait no longer. Returns the entries to be filed."""
    filed = []
    for reading in read:
        span = _store_image(draft, reading.image, reading.text, reading.readable, fx)
        if _is_memory(reading.image, reading.readable):
            filed.append(span.entry_id)
    return filed


def _is_memory(image: StagedImage, readable: bool) -> bool:
    """Say whether an image is a memory; a page's picture that says nothing is kept, and is none."""
    return readable or not image.found_in


def count_image_attempt(draft: Draft, image_id: ImageId, fx: StageEffects) -> Span | None:
    """Count a round without a text; the second files the image as not recognised, so that it is not lost."""
    image = draft.state.tree.staged.get(image_id)
    if image is None:
        return None
    draft.emit(events.ImageAttempted(image_id=image.id))
    if draft.state.conflicts.image_attempts[image.id] < 2:
        return None
    return _store_image(draft, image, f"{say('not_recognised', fx.lang)}: {image.name}", False, fx)


def _store_image(draft: Draft, image: StagedImage, text: str, readable: bool, fx: StageEffects) -> Span:
    """File the image as an entry with its original; one whose file is gone (swept, or not copied) has its text."""
    attachment: Attachment | None = None
    name = cited_name(image, fx.lang)
    try:
        attachment = _keep_original(draft, image, fx.store_image(image))
        cited = say("image_entry", fx.lang, id=attachment.id, name=name, text=text)
    except InputError:
        cited = say("image_entry_gone", fx.lang, name=name, text=text)
    entry_id = draft.new_entry()
    draft.emit(
        events.EntryRecorded(
            entry=Entry(
                id=entry_id,
                kind="image",
                text=cited,
                source=name,
                sha256=sha256(text),
                attachments=(attachment.id,) if attachment else (),
                body_start=len(cited) - len(text),
            )
        ),
        events.ImageRecognised(
            image_id=image.id, attachment_id=attachment.id if attachment else None, readable=readable, entry_id=entry_id
        ),
    )
    return Span(entry_id=entry_id, start=len(cited) - len(text), end=len(cited))


def _keep_original(draft: Draft, image: StagedImage, stored: StoredFile) -> Attachment:
    attachment = Attachment(
        id=draft.new_attachment(),
        type=AttachmentType.IMAGE,
        name=base_name(image.name),
        path=stored.path,
        sha256=stored.sha256,
        size=stored.size,
        media_type=image.media_type,
        found_in=image.found_in,
    )
    draft.emit(events.AttachmentStored(attachment=attachment))
    return attachment
