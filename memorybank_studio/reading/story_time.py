"""Where the story stands while the turns of a task are read."""

from __future__ import annotations


class StoryTime:
    """`last`: the story's last chapter; 0: it has none, and nothing is to come."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.reached = last
        """The last chapter that the turns have told as happened so far."""

    def is_ahead(self, chapter: int | None) -> bool:
        """Whether what is told of this chapter is still to come; the one after the last is being written."""
        return bool(self.last) and chapter is not None and chapter > self.reached + 1

    def advance(self, chapter: int | None) -> None:
        if not self.is_ahead(chapter):
            self.reached = max(self.reached, chapter or 0)
