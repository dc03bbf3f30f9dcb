"""Images that a tool meets in what it reads: a page's, a document's, a file of the corpus, an address of its own.

They come from outside like those a person gives, and pass the same door: decoded within bounds, written anew, kept in
the temp store by their hash (runs/files/images.py). The tool's result names them, the round's record stages them, and
the planner has them recognised (session/stages/image_filing.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

from memorybank.documents.shown_images import data_image
from memorybank.errors import InputError, MemoryBankError
from memorybank.memory.types import StagedImage, Value
from memorybank.runs.files.images import ImageLimits, PreparedImage, prepare_image
from memorybank.runs.files.names import base_name

if TYPE_CHECKING:  # the process of a page, which starts anew for each, would build all kinds of events for nothing
    from memorybank.memory.state import MemoryState
    from memorybank.settings.config import MetImages

FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF")
LIMITS: Final = ImageLimits(formats=FORMATS, pixels=25_000_000)
SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".webp", ".gif")
SHORT_SIDE, LONG_SIDE = 48, 96
"""Pixels: what is smaller holds nothing to read, and is passed over in silence."""
_TRIED: Final = 3
"""Times as many as are wanted are looked at, where some are broken, small or not to be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture(Value):
    """An image that was met, verified and written anew."""

    name: str
    """The image's base name, for people."""
    found_in: str
    image: PreparedImage = field(repr=False)


Pictures = Callable[[int], Sequence[Picture]]
"""A function that gives at most so many images of a page or document, in order, of those it can get; never fails."""


def no_pictures(_: int) -> Sequence[Picture]:
    return ()


def picture(name: str, data: bytes, found_in: str) -> Picture:
    """Raises InputError or UnsafeInputError for what is no image that may be kept."""
    return Picture(name=base_name(name, default="image"), found_in=found_in, image=prepare_image(name, data, LIMITS))


def written_out(reference: str, found_in: str) -> Picture:
    """Return an image that stands in the document itself, as a `data:` URL. Raises InputError."""
    data = data_image(reference)
    if data is None:
        raise InputError("document.inline_image")
    return picture("image", data, found_in)


def accept_pictures(tries: Iterable[Callable[[], Picture]], limit: int) -> list[Picture]:
    """Return the first of them that are images and large enough to hold something, at most so many."""
    accepted: list[Picture] = []
    for attempt in islice(tries, _TRIED * limit):
        try:
            candidate = attempt()
        except MemoryBankError:
            continue
        sides = sorted((candidate.image.width, candidate.image.height))
        if sides[0] >= SHORT_SIDE and sides[1] >= LONG_SIDE:
            accepted.append(candidate)
        if len(accepted) >= limit:
            break
    return accepted


class Gallery:
    """The images that a round has met and may still meet. All tools of a round share one."""

    def __init__(
        self,
        state: Callable[[], MemoryState],
        keep: Callable[[Picture], StagedImage],
        limits: MetImages,
        met: Callable[[], Iterable[StagedImage]] = lambda: (),
    ) -> None:
        """`keep` writes a picture to the temp store; `met` tells what the round's calls have brought so far, those of
        a resumed round included, so that it goes on exactly as it would have gone."""
        self._state = state
        self._keep = keep
        self._limits = limits
        self._met = met

    @property
    def room(self) -> int:
        """Return the number of images that the task may still meet."""
        return max(0, self._limits.per_task - self._state().progress.images_met - len(list(self._met())))

    @property
    def of_a_page(self) -> int:
        """Return how many of a page's images to look at: also where fewer will do, for some of them may be known."""
        return self._limits.per_page if self.room else 0

    def has_met(self, page: str) -> bool:
        """Whether images of this page or document wait or were read: it need not be looked through again."""
        seen_in_round = [(image.sha256, image.found_in) for image in self._met()]
        return any(found_in == page for _, found_in in (*self._state().tree.images_known(), *seen_in_round))

    def take(self, pictures: Iterable[Picture]) -> tuple[StagedImage, ...]:
        """Keep what is new, each content once, as far as there is room."""
        known = {digest for digest, _ in self._state().tree.images_known()} | {image.sha256 for image in self._met()}
        room, kept_images = self.room, list[StagedImage]()
        for candidate in pictures:
            if len(kept_images) < room and candidate.image.sha256 not in known:
                known.add(candidate.image.sha256)
                kept_images.append(self._keep(candidate))
        return tuple(kept_images)
