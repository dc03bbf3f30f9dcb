"""A part of a page that is begun anew while the browser waits for its last drawing: all of that is dropped, or none.

Streamlit drops what a fragment had still to say when it is run again, but keeps the references to what has not changed,
for a reference does not name its fragment. Between dropped neighbours it names a place that the page does not have, and
Streamlit takes the whole page away ("Bad delta path index"). What a fragment says stands below its own container, so
everything in the queue below that goes, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

Place = tuple[int, ...]
"""The way to an element by its numbers among its neighbours."""


@dataclass(slots=True)
class _Containers:
    """Of the fragments of one page: where each stands."""

    places: dict[str, Place] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    """Fragments that the running script has come to."""

    def note(self, msg: ForwardMsg) -> None:
        """A fragment speaks of its container before anything in it."""
        kind = msg.WhichOneof("type")
        if kind == "new_session":
            self.met.clear()
        elif kind == "delta" and msg.delta.fragment_id and msg.delta.fragment_id not in self.met:
            self.met.add(msg.delta.fragment_id)
            self.places[msg.delta.fragment_id] = tuple(msg.metadata.delta_path)


_enqueue, _clear = ForwardMsgQueue.enqueue, ForwardMsgQueue.clear
_containers: WeakKeyDictionary[ForwardMsgQueue, _Containers] = WeakKeyDictionary()


def _noting_enqueue(self: ForwardMsgQueue, msg: ForwardMsg) -> None:
    _containers.setdefault(self, _Containers()).note(msg)
    _enqueue(self, msg)


def _whole_clear(
    self: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    places = _containers[self].places if self in _containers else {}
    if fragment_ids_this_run:
        begun = [places[fragment_id] for fragment_id in fragment_ids_this_run if fragment_id in places]
        self._queue = [msg for msg in self._queue if not _is_below(msg, begun)]
    elif retain_lifecycle_msgs:  # a whole script begins, which may put other things there; a flush retains nothing
        places.clear()
    _clear(self, retain_lifecycle_msgs, fragment_ids_this_run)


def _is_below(msg: ForwardMsg, begun: Iterable[Place]) -> bool:
    if msg.WhichOneof("type") not in ("delta", "ref_hash"):
        return False
    place = tuple(msg.metadata.delta_path)
    return any(place[: len(parent)] == parent for parent in begun)


def keep_whole() -> None:
    """Of every page of this process, from now on."""
    ForwardMsgQueue.enqueue = _noting_enqueue  # type: ignore[method-assign]
    ForwardMsgQueue.clear = _whole_clear  # type: ignore[method-assign]
