"""The moving picture on top of the README: two sources disagree, the check runs, two memories become one.

Taken from the app as it is, while its story shows the demo scene by scene: one dispute from its clash to the fold.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from memorybank.runs.run_folder import load
from memorybank.views.story import Scene, build_scenes, scene_sentence

SIZE = {"width": 1280, "height": 720}
WIDTH = 960
"""Pixels of the picture."""
QUALITY = 70
STILL = 2.2
"""Seconds that a scene stands; in the first `MOVING` of them it may move."""
MOVING = 1.4
PATIENCE = 2_000
"""Milliseconds in which a page that was opened comes to rest."""
MOST_BYTES = 3_000_000


def save_fold(page: Any, run: Path, target: Path) -> None:
    """`page`: a tab whose demo, kept in `run`, has its answer. Raises ValueError for a picture too large or covered."""
    scenes = build_scenes(load(run))
    first, last = dispute_with_a_fold(scenes)
    page.set_viewport_size(SIZE)
    page.locator(".answer-box").first.wait_for()
    page.wait_for_timeout(PATIENCE)
    if page.get_by_role("dialog").count():
        raise ValueError("a dialog lies over the page, and would lie over every picture")
    page.keyboard.press("t")
    page.locator(".st-key-story-pause button:visible").first.click()
    page.mouse.move(2, 400)  # else the button's name stands over the card
    for _ in scenes:  # it has gone on by itself until then
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(PATIENCE / 4)
    frames: list[tuple[Image.Image, int]] = []
    for place, scene in enumerate(scenes[: last + 1]):
        if place:
            page.keyboard.press("ArrowRight")
        page.locator(".story-sentence", has_text=scene_sentence(scene, "en")).wait_for()
        if place >= first:
            frames += _frames(page)
    pictures, durations = zip(*_joined(frames), strict=True)
    pictures[0].save(
        target, save_all=True, append_images=pictures[1:], duration=list(durations), loop=0, quality=QUALITY, method=6
    )
    if target.stat().st_size > MOST_BYTES:
        raise ValueError(f"{target.name} is larger than {MOST_BYTES:,} bytes: lower QUALITY or WIDTH")


def dispute_with_a_fold(scenes: Sequence[Scene]) -> tuple[int, int]:
    """The first and last scene of the first dispute that ends with memories becoming one."""
    fold = next(place for place, scene in enumerate(scenes) if scene.kind == "fold" and scene.conflicts)
    matter = set(scenes[fold].conflicts)
    first = next(place for place, scene in enumerate(scenes) if not matter.isdisjoint(scene.conflicts))
    return first, fold


def _frames(page: Any) -> Iterator[tuple[Image.Image, int]]:
    """What is seen of a scene, each picture with the milliseconds that it stands."""
    begun = time.monotonic()
    while (now := time.monotonic()) - begun < MOVING:
        picture = _picture(page)
        yield picture, round(1000 * (time.monotonic() - now))
    yield _picture(page), round(1000 * (STILL - MOVING))


def _picture(page: Any) -> Image.Image:
    picture = Image.open(io.BytesIO(page.screenshot(animations="allow"))).convert("RGB")
    return picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)


def _joined(frames: Sequence[tuple[Image.Image, int]]) -> Iterator[tuple[Image.Image, int]]:
    """Equal pictures in a row are one that stands longer."""
    kept, duration = frames[0]
    for picture, milliseconds in frames[1:]:
        if picture.tobytes() == kept.tobytes():
            duration += milliseconds
            continue
        yield kept, duration
        kept, duration = picture, milliseconds
    yield kept, duration
