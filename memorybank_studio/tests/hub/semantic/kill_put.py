"""Kill a writer of the archive with SIGKILL somewhere in the middle, and look at what a reader finds.

It forks, which a test process with threads must not: tests/killing.py is the program.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank_studio.hub.archive import Archive, version_of
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Collection
from memorybank_studio.tests.hub.semantic.made import chapter
from memorybank_studio.tests.settlement.settle_kill import in_child

KILLS = 8
LONG = chapter(7, [f"旧稿第{place}段，说的是山。" for place in range(60)], [["山"]] * 60)
SHORT = chapter(7, [f"新稿第{place}段，说的是水。" for place in range(25)], [["水"]] * 25)
OTHER = chapter(8, ["别的一章。"])


def write(folder: Path, kill: int) -> None:
    """Replace one draft by the other, over and over; die between two steps, or at any moment of one."""
    chance = random.Random(kill)
    steps = 0
    deadly = chance.randint(3, 9)
    timed = kill % 2 == 0

    def counted(step: Callable[..., None]) -> Callable[..., None]:
        def run(*given: object) -> None:
            nonlocal steps
            steps += 1
            if steps == deadly and timed:
                signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.0005, 0.02))
            elif steps == deadly:
                os.kill(os.getpid(), signal.SIGKILL)
            step(*given)

        return run

    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends the process at once, within a call into Rust too
    with Chroma(ChromaSettings(folder=folder), HashedNgrams()) as chroma:
        archive = Archive(chroma)
        archive.put(OTHER)
        Collection.put = counted(Collection.put)  # type: ignore[method-assign]
        Collection.remove = counted(Collection.remove)  # type: ignore[method-assign]
        for turn in range(20):
            archive.put(SHORT if turn % 2 else LONG)


def look(folder: Path) -> None:
    with Chroma(ChromaSettings(folder=folder), HashedNgrams()) as chroma:
        archive = Archive(chroma)
        found = archive.chapter(7)
        assert found in ((), tuple(LONG), tuple(SHORT)), f"{len(found)} chunks, a mixture"
        assert archive.chapter(8) == tuple(OTHER)
        assert archive.versions().get(7) == (version_of(found) if found else None)
        assert {chunk.chapter_id for chunk in archive.with_all(["水"])} <= {7}
        archive.put(SHORT)
        assert archive.chapter(7) == tuple(SHORT)
        assert archive.with_all(["山"]) == ()
        assert len(archive.all()) == len(SHORT) + 1


def main(folder: Path) -> dict[str, object]:
    broken, in_a_write = [], 0
    for kill in range(KILLS):
        code, _ = in_child(lambda: write(folder, kill))  # noqa: B023 - called at once
        in_a_write += code < 0
        if in_child(lambda: look(folder))[0] != 0:
            broken.append(kill)
    return {"kills": KILLS, "killed in a write": in_a_write, "broken": broken}
