"""The results of a run, as a page without a script: each panel unfolds, each lead goes to what it names.

Every text goes in through an element tree, which escapes it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from memorybank.contradiction.disputes.dispute import describe
from memorybank.errors import MemoryBankError
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import (
    Attachment,
    AttachmentId,
    AttachmentType,
    ConflictId,
    ConflictStatus,
    Entry,
    Lang,
    NodeId,
)
from memorybank.tools.deep_retrieval import view
from memorybank.views.box import Box, Piece, aside, box, labelled, note, row_of, stack_of
from memorybank.views.boxes.answer_card import answer_card
from memorybank.views.boxes.conflict_claims import PAGE, claims, timeline
from memorybank.views.boxes.conflict_evidence import checks_box, evidence, summary_box, verdict
from memorybank.views.boxes.conflicts import merge_chip, status_chip
from memorybank.views.boxes.entries import attachment_head, entry_head, entry_part
from memorybank.views.boxes.merge_story import after, before, cause, headline
from memorybank.views.boxes.node_story import NodeNames, history_of, neighbour_lines, origin_of
from memorybank.views.boxes.state import insight_box, node_chips
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.conflict_life import LifeStep, lives, settled_by
from memorybank.views.memory.edges import reasons_in
from memorybank.views.memory.lineage import MergeStory, merge_stories
from memorybank.views.run.commits import Records
from memorybank.views.run.feed import say
from memorybank.views.run.origin import origin_chip
from memorybank.views.run.playback import Moment, Playback
from memorybank.views.story import build_scenes, scene_card, scene_sentence
from memorybank.views.text.display import clip, columns, dropped, plain

LONG_SENTENCE = 150
"""The columns from which on a sentence is set in smaller type, so that what is below it stays on the sheet."""


def build_slides(records: Records, lang: Lang) -> Sequence[Element]:
    """Return a section for each decisive moment; none while nothing has happened."""
    scenes = build_scenes(records)
    if not scenes:
        return ()
    playback = Playback()
    goal = plain(playback.at(records).bank.doc.task_goal)
    slides = []
    for number, scene in enumerate(scenes, start=1):
        moment = playback.at(records, scene.seq)
        slide = Element("section", {"class": "slide"})
        top = SubElement(slide, "p", {"class": "slide-top"})
        SubElement(top, "strong").text = t(f"export.slide.{scene.kind}", lang)
        SubElement(top, "span").text = goal
        SubElement(top, "span").text = f"{number} / {len(scenes)}"
        words = plain(scene_sentence(scene, lang))
        is_long = sum(map(columns, words)) > LONG_SENTENCE
        SubElement(slide, "h2", {"class": "sentence long" if is_long else "sentence"}).text = words
        parts = SubElement(slide, "div", {"class": "slide-parts"})
        card = scene_card(scene, moment, lang)
        if card is not None:
            SubElement(parts, "div", {"class": "rich"}).append(element_of(card))
        slides.append(slide)
    return slides


def slides_html(records: Records, lang: Lang) -> str:
    """Return the slides as one element of a page: markup, which a browser prints and shows without scripts, too."""
    slides = Element("div", {"class": "slides"})
    slides.extend(build_slides(records, lang))
    return tostring(slides, encoding="unicode", method="html")


_SHOWN = ("node", "tree", "entry", "conflict", "merge", "moment")
"""The kinds of links (views/link.py) whose target the page has."""


def element_of(drawn: Box, *, leads: bool = False) -> Element:
    """Return a box as markup. On paper it leads nowhere, of what unfolds the first line stands alone, and of an answer
    its rows: the question is on top of the sheet."""
    away = {"leads"} if leads else {"leads", "answer-question", "answer-text"}
    tag = drawn.tag if leads else {"details": "div", "summary": "div"}.get(drawn.tag, drawn.tag)
    element = Element(tag, {"class": drawn.look} if drawn.look.split() else {})
    if leads and drawn.title:
        element.set("title", plain(drawn.title))
    if leads and drawn.choose.partition(":")[0] in _SHOWN:
        element.attrib |= {"data-choose": drawn.choose, "role": "button", "tabindex": "0"}
    for piece in drawn.inside if leads or drawn.tag != "details" else drawn.inside[:1]:
        if isinstance(piece, str):
            text = plain(piece)
            if len(element):
                element[-1].tail = (element[-1].tail or "") + text
            else:
                element.text = (element.text or "") + text
        elif away.isdisjoint(piece.look.split()) or (leads and piece.choose.partition(":")[0] in _SHOWN):
            element.append(element_of(piece, leads=leads))
    return element


Read = Callable[[str], bytes]
"""Returns an attachment's bytes by its path in the formal store."""
MOST_SOURCES = 12
"""The most nodes of one merge that are shown before it."""
MOST_OF_ONE, MOST_OF_ALL = 200_000, 20_000_000
"""The most characters of one entry, and of all, that are in the file whole."""


def page_of(records: Records, read: Read | None, lang: Lang) -> Element:
    """Return the whole page: its title, a place for the graph, and the panels."""
    moment = Playback().at(records)
    page = Element("div", {"class": "page"})
    header = SubElement(page, "header")
    title = SubElement(header, "div", {"class": "title"})
    SubElement(title, "p", {"class": "label"}).text = t("app.title", lang)
    SubElement(title, "h1").text = plain(moment.bank.doc.task_goal) or t("export.untitled", lang)
    title.append(_drawn(made_by(records, lang)))
    main = SubElement(page, "main", {"class": "columns"})
    SubElement(SubElement(main, "section", {"class": "map"}), "div", {"class": "graph-place"})
    side = SubElement(main, "section", {"class": "side"})
    entries = moment.bank.tree.entries
    card = answer_card(moment, lang)
    insight = insight_box(moment, lang, has_goal=card is None) if moment.bank.settings else None
    panels: dict[str, Iterable[Element]] = {
        "doc": [_drawn(stack_of(card, insight))],
        "conflicts": [*cases(records, moment, lang)],
        "node": [*_nodes(records, moment, lang)],
        "sources": [*_sources(entries.values(), moment, read, lang)],
        "events": [_drawn(_feed(moment, lang))],
    }
    for name, inside in panels.items():
        panel = SubElement(side, "details", {"class": "panel", "name": "panel", "id": f"panel-{name}"})
        if name == "doc":
            panel.set("open", "open")
        SubElement(panel, "summary").text = t(f"export.tab.{name}", lang)
        panel.extend(list(inside) or [_drawn(note(t("export.nothing", lang)))])
    return page


def _drawn(piece: Box) -> Element:
    """Return a box on the page, in the looks of the app."""
    place = Element("div", {"class": "rich"})
    place.append(element_of(piece, leads=True))
    return place


def _unfolding(name: str, look: str, head: Box, *inside: Element) -> Element:
    case = Element("details", {"class": f"case {look}".strip(), "id": name})
    SubElement(case, "summary").append(_drawn(head))
    body = SubElement(case, "div", {"class": "case-body"})
    body.extend(inside)
    return case


def made_by(records: Records, lang: Lang) -> Box:
    """Return what made the run, and when."""
    begun = records[0].event if records else None
    day = datetime.fromtimestamp(records[0].at, UTC).strftime("%Y-%m-%d %H:%M") if records else ""
    model = begun.embedding_model if isinstance(begun, SessionStarted) else ""
    return row_of(
        origin_chip(records, lang, replay=True),
        aside(t("export.when", lang, when=day)) if day else None,
        aside(t("export.embeddings", lang, model=model)) if model else None,
        aside(t("export.events", lang, count=len(records))),
    )


def _feed(moment: Moment, lang: Lang) -> Box:
    """Return all that happened, the last of it on top; each line moves the graph."""
    lines = (
        box("li", item.tone, box("span", "text", say(item, lang), choose=link("moment", item.seq)))
        for item in reversed(moment.feed)
    )
    return box("ol", "feed", *lines)


# -- memories ---------------------------------------------------------------------------------------------------------


def _nodes(records: Records, moment: Moment, lang: Lang) -> Iterator[Element]:
    names = NodeNames(moment, records)
    for node_id, node in reversed(moment.bank.graph.nodes.items()):
        parts = [
            box("div", "gap", *entry_part(source.entry, source.spans, lang, whole=False))
            for source in view(moment.bank, node_id).entries
        ]
        raw = labelled(t("node.entries", lang), *parts)
        head = box("span", "strong text", node_label(node, lang))
        yield _unfolding(f"node-{node_id}", "", head, _drawn(stack_of(node_head(node_id, names, lang), raw)))


def node_head(node_id: NodeId, names: NodeNames, lang: Lang) -> Box:
    """Return the facts of a node that the app tells, without its raw text."""
    moment, story = names.moment, names.stories[node_id]
    node = moment.bank.graph.nodes[node_id]
    keywords = [box("span", "chip", clip(word, 40)) for word in node.keywords]
    return stack_of(
        row_of(*node_chips(node_id, moment, lang), box("span", "muted small mono", node_id)),
        labelled(t("node.summary", lang), summary_box(node, lang)),
        checks_box(node, moment.bank, lang),
        labelled(t("node.keywords", lang), row_of(*keywords)) if keywords else None,
        labelled(t("node.links", lang), *neighbour_lines(node_id, moment.bank, lang)),
        origin_of(story, names, lang),
        history_of(story, names, lang),
    )


# -- conflicts and merges ---------------------------------------------------------------------------------------------


def cases(records: Records, moment: Moment, lang: Lang) -> Iterator[Element]:
    """Yield the disputes, then the merges, the newest first."""
    steps_of, stories = lives(records), merge_stories(records)
    for dispute in reversed(moment.disputes):
        found = [
            (moment.bank.conflicts.all[id_], _conflict(id_, steps_of.get(id_, ()), moment, records, lang))
            for id_ in dispute.conflict_ids
        ]
        if len(found) == 1:
            inside = Element("div", {"id": f"conflict-{found[0][0].id}"})
            inside.append(found[0][1])
            members = [inside]
        else:
            members = [
                _unfolding(f"conflict-{each.id}", each.status, _head(each.status, each.description, lang), parts)
                for each, parts in found
            ]
        head = _head(dispute.status, describe(dispute, lang), lang)
        yield _unfolding(f"dispute-{dispute.id}", dispute.status, head, *members)
    settled = settled_by(steps_of)
    judged = reasons_in(records)
    for merge_id, story in reversed([*stories.items()]):
        why = cause(story, judged, settled.get(merge_id, ()), moment.bank, records, lang)
        words = box("span", "strong text", story.result.context or story.description)
        parts = _drawn(stack_of(*_merge(story, why, moment, records, lang)))
        look = "undone" if story.undone else "merged"
        yield _unfolding(f"merge-{merge_id}", look, row_of(merge_chip(story, lang), words), parts)


def _head(status: ConflictStatus, words: str, lang: Lang) -> Box:
    return row_of(status_chip(status, lang), box("span", "strong text", words))


def _part(title: str, *inside: Piece | None) -> Box:
    return box("div", "part", box("h3", "", title), *inside)


def _conflict(
    conflict_id: ConflictId, steps: tuple[LifeStep, ...], moment: Moment, records: Records, lang: Lang
) -> Element:
    """Return both claims with their sources, the evidence, the verdict, and how it went."""
    bank, conflict = moment.bank, moment.bank.conflicts.all[conflict_id]
    closed = next((step for step in reversed(steps) if step.kind == "closed"), None)
    by = None
    if closed is not None and conflict.closed_by:
        by = origin_chip(records[: closed.place.seq], lang, by=conflict.closed_by)
    stands = "conflicts.where_it_stands" if conflict.status == "open" else "conflict.verdict"
    return _drawn(
        stack_of(
            _part(t("conflicts.claims", lang, count=len(conflict.contradictions)), *claims(conflict, bank, PAGE, lang)),
            _part(t("conflict.evidence", lang), *evidence(conflict, bank, PAGE, lang)),
            _part(t(stands, lang), *verdict(conflict, steps, bank, by, lang)),
            _part(t("conflicts.life", lang), timeline(conflict, steps, bank, lang)),
        )
    )


def _merge(story: MergeStory, why: list[Box], moment: Moment, records: Records, lang: Lang) -> Iterator[Box]:
    """Yield what was merged and why, before and after."""
    bank = moment.bank
    by = origin_chip(records[story.call - 1].event, lang) if story.call and not story.imported else None
    yield headline(story, by, moment.bank, lang)
    yield _part(t("conflicts.cause", lang), *why)
    yield _part(
        t("conflicts.before", lang, count=len(story.sources)),
        box("p", "lead", t("conflicts.before_help", lang, count=len(story.dropped))),
        *before(story, bank, MOST_SOURCES, lang),
    )
    yield _part(t("conflicts.after_undone" if story.undone else "conflicts.after", lang), after(story, bank, lang))


# -- sources ----------------------------------------------------------------------------------------------------------


def _sources(entries: Iterable[Entry], moment: Moment, read: Read | None, lang: Lang) -> Iterator[Element]:
    """Yield every entry, whole, with the files kept beside its text."""
    files, room = moment.bank.tree.attachments, MOST_OF_ALL
    drawn = pictures(files.values(), read)
    for entry in entries:
        kept = [files[attachment_id] for attachment_id in entry.attachments if attachment_id in files]
        shown, size = min(len(entry.text), MOST_OF_ONE, room), len(entry.text)
        room -= shown
        cut = note(t("export.cut", lang, shown=f"{shown:,}", total=f"{size:,}")) if shown < size else None
        heads = [box("div", "gap", *attachment_head(attachment, lang)) for attachment in kept]
        raw = Element("div", {"class": "raw"})
        raw.text = plain(entry.text[:shown])
        if places := dropped(entry.text[:shown]):  # a link's place counts what is not shown
            raw.set("data-dropped", " ".join(map(str, places)))
        images = [_picture(each, drawn, lang) for each in kept if each.type is AttachmentType.IMAGE]
        head = row_of(box("span", "strong text", clip(entry.source, 60)), aside(t(f"entry.kind.{entry.kind}", lang)))
        about = _drawn(stack_of(entry_head(entry, lang), *heads, cut))
        yield _unfolding(f"entry-{entry.id}", "", head, about, raw, *images)


def _picture(attachment: Attachment, drawn: dict[AttachmentId, str], lang: Lang) -> Element:
    if attachment.id not in drawn:
        return _drawn(note(t("export.picture_left_out", lang)))
    figure = Element("figure", {"class": "picture"})
    SubElement(figure, "img", {"alt": plain(attachment.name), "src": drawn[attachment.id]})
    return figure


LARGEST = 1_500_000
"""The most bytes of one picture."""
MOST = 8_000_000
"""The most bytes of all pictures."""
SHOWN = ("image/png", "image/jpeg")
"""The types that the formal store writes for images; nothing else is ever handed to the browser as one."""


def pictures(attachments: Iterable[Attachment], read: Read | None) -> dict[AttachmentId, str]:
    """Return data URIs of the images that fit, in order. One gone or changed is left out like one too large."""
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
