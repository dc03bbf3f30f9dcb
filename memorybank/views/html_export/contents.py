"""A whole run as one JSON value: what each of its moments shows, built by the app's own builders.

    {"pool": texts and boxes, "tracks": what each part shows from which event on, "feed": lines, …}

The parts are those of the pages: Insight Doc, graph, node cards, conflicts, merges, sources. Each is
built after every stage and kept where it differs from before (tracks.py), its texts and boxes once (pool.py).
"""

from __future__ import annotations

import functools
from typing import Any

from memorybank.memory.events import EntryRecorded, MemoryImported
from memorybank.memory.types import AttachmentType, Lang
from memorybank.runs.journal import Record
from memorybank.runs.stages import ends_stage
from memorybank.views.box import note
from memorybank.views.boxes.state import state_box
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.file import check_ready, html_file
from memorybank.views.drawing.graph.script import graph_script
from memorybank.views.drawing.rich.script import rich_css, rich_script
from memorybank.views.graph.model import parts_of
from memorybank.views.graph.moment_view import view_of
from memorybank.views.html_export.cards import (
    Cards,
    Read,
    doc_box,
    made_by,
    pictures,
    source_head,
    source_label,
)
from memorybank.views.html_export.cases import Cases
from memorybank.views.html_export.pool import Pool, Tracks
from memorybank.views.i18n import catalogue, sentences_under, t
from memorybank.views.run.commits import Records
from memorybank.views.run.feed import say
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.playback import Moment, Playback
from memorybank.views.text.display import dropped, plain

Json = Any

MOST_OF_ONE, MOST_OF_ALL = 200_000, 20_000_000
"""Characters of one entry, and of all, that are in the file whole."""

_SHARED = {
    "app": "app.title",
    "graph": "graph.title",
    "graph_fit": "graph.fit",
    "graph_zoom_in": "graph.zoom_in",
    "graph_zoom_out": "graph.zoom_out",
    "graph_empty": "graph.empty",
    "raw": "node.entries",
    "no_conflicts": "events.none",
    "earlier": "feed.earlier",
    "no_nodes": "tree.no_nodes",
    "no_sources": "tree.empty",
}
"""Sentences that the page has in common with the app, by its own names for them."""


def contents(
    records: Records,
    read: Read | None,
    lang: Lang,
    *,
    at: int | None = None,
    since: int = 0,
) -> dict[str, Json]:
    """What the page is made of.

    Args:
        records: the run, whole. read: the bytes of its attachments (`FormalStore.read`); None: no pictures.
        at: the moment at which it opens; the last one when None. since: the first moment that it shows.

    Raises JournalError for records that contradict each other, InputError where what draws is not installed.
    """
    check_ready("pyvis")
    writer = _Writer(records, since, lang)
    writer.begin()
    for record in records[since:]:
        writer.take(record)
    return writer.finish(read, at)


class _Writer:
    def __init__(self, records: Records, since: int, lang: Lang) -> None:
        self._records, self._since, self._lang = records, since, lang
        self._playback = Playback()
        self._pool = Pool()
        self._cards = Cards(records, self._pool, lang)
        self._cases = Cases(records, self._pool, lang)
        self._graph = {part: Tracks() for part in ("nodes", "edges", "frame")}
        self._shown, self._card_tracks, self._gone = Tracks(), Tracks(), Tracks()
        self._conflicts, self._merges = Tracks(), Tracks()

    def begin(self) -> None:
        """The first moment."""
        self._take_memory(self._since)

    def take(self, record: Record[Any]) -> None:
        """The memory changes where a stage ends."""
        if ends_stage(record):
            self._take_memory(record.seq)

    def _take_memory(self, seq: int) -> None:
        moment = self._playback.at(self._records[:seq])
        self._shown.set("state", seq, self._pool.put(state_box(moment, None, self._lang)))
        if moment.bank.settings is not None:
            self._shown.set("doc", seq, self._pool.put(doc_box(moment, self._lang)))
        for part, items in parts_of(view_of(moment, None, self._lang)).items():
            self._graph[part].set_all(seq, items)
        self._card_tracks.set_all(seq, self._cards.at(moment))
        self._gone.set_all(seq, moment.bank.graph.gone)
        self._cases.read(moment)
        self._conflicts.set_all(seq, self._cases.conflicts(moment))
        self._merges.set_all(seq, self._cases.merges(moment))

    # -- the whole ----------------------------------------------------------------------------------------------------

    def finish(self, read: Read | None, at: int | None) -> dict[str, Json]:
        last = len(self._records)
        moment = self._playback.at(self._records)
        tree = moment.bank.tree
        return {
            "lang": self._lang,
            "words": _words(self._lang),
            "title": plain(moment.bank.doc.task_goal) or t("export.untitled", self._lang),
            "made_by": self._pool.put(made_by(self._records, self._lang)),
            "first": self._since,
            "last": last,
            "at": last if at is None else max(self._since, min(at, last)),
            "stops": [record.seq for record in self._records[self._since :] if ends_stage(record)],
            "feed": [self._line(item) for item in moment.feed if item.seq > self._since],
            "tracks": self._shown.as_json(),
            "graph": {part: tracks.as_json() for part, tracks in self._graph.items()},
            "cards": self._card_tracks.as_json(),
            "gone": self._gone.as_json(),
            "conflicts": self._conflicts.as_json(),
            "merges": self._merges.as_json(),
            "sources": self._sources(moment),
            "pictures": pictures(tree.attachments.values(), read),
            "images": {
                attachment.id: plain(attachment.name)
                for attachment in tree.attachments.values()
                if attachment.type is AttachmentType.IMAGE
            },
            "pool": self._pool.as_json(),
        }

    def _line(self, item: FeedItem) -> Json:
        """An event worth a line: `[seq, tone, round, stage, text, node]`."""
        stage = t(f"stage.{item.stage}", self._lang)
        words = self._pool.put(say(item, self._lang))
        return [item.seq, item.tone, item.round, self._pool.put(stage), words, item.node]

    def _sources(self, moment: Moment) -> dict[str, Json]:
        """Every entry, whole: `[recorded at, head, its text, attachments, one line, dropped]`.

        `dropped`: where a character stood that is not shown, for a link's place counts it.
        """
        sources, files, room = dict[str, Json](), moment.bank.tree.attachments, MOST_OF_ALL
        for record in self._records:
            event = record.event
            recorded = [event.entry] if isinstance(event, EntryRecorded) else []
            for entry in event.entries if isinstance(event, MemoryImported) else recorded:
                kept = [files[attachment_id] for attachment_id in entry.attachments if attachment_id in files]
                shown, size = min(len(entry.text), MOST_OF_ONE, room), len(entry.text)
                room -= shown
                cut = t("export.cut", self._lang, shown=f"{shown:,}", total=f"{size:,}") if shown < size else ""
                head = self._pool.put(source_head(entry, kept, note(cut) if cut else None, self._lang))
                sources[entry.id] = [
                    record.seq,
                    head,
                    self._pool.put(entry.text[:shown]),
                    [attachment.id for attachment in kept],
                    source_label(entry, self._lang),
                    dropped(entry.text[:shown]),
                ]
        return sources


def _words(lang: Lang) -> dict[str, str]:
    """What the page itself says, by name."""
    return sentences_under("export.page.", lang) | {name: catalogue(lang)[key] for name, key in _SHARED.items()}


# -- the page ----------------------------------------------------------------------------------------------------------


read = functools.partial(text_beside, __package__)
"""A file of the page, by its name."""

_CODE = ("data.js", "elements.js", "player.js", "panels.js", "main.js")


def page(data: Any, lang: Lang, slides: str = "") -> bytes:
    """Return the file in UTF-8. `slides` is the markup of what is printed; empty: the page as it is seen."""
    scripts = [rich_script(), graph_script(), "\n".join(map(read, _CODE))]
    style = read("page.css")
    if slides:
        style += f"{read('slides.css')}.slides {{\n{rich_css()}\n}}\n"
    return html_file(data, lang, scripts=scripts, style=style, markup=slides)
