"""The decisive moments of a run as the page is printed: a sheet each, with its sentence and its card.

They are markup, and not drawn by code, so that a browser prints them as they stand, and shows them where scripts are
off. Every text goes in through an element tree, which escapes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from memorybank.memory.types import Lang
from memorybank.views.box import Box
from memorybank.views.i18n import t
from memorybank.views.run.commits import Records
from memorybank.views.run.playback import Playback
from memorybank.views.story import build_scenes, scene_card, scene_sentence
from memorybank.views.text.display import columns, plain

LONG_SENTENCE = 150
"""Columns from which on a sentence is set in smaller type, so that what is below it stays on the sheet."""


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
    """Return the slides as one element of a page."""
    slides = Element("div", {"class": "slides"})
    slides.extend(build_slides(records, lang))
    return tostring(slides, encoding="unicode", method="html")


_SHOWN = ("node", "tree", "entry", "conflict", "merge", "moment")
"""Kinds of links (views/link.py) whose target the page has."""


def element_of(drawn: Box, *, leads: bool = False) -> Element:
    """Return a box as markup. On paper it leads nowhere, and what unfolds in the app is open.

    Of a value of the answer the trail, which the page itself has, stays away from paper.
    """
    looks = drawn.look.split()
    if drawn.tag == "details" and not leads:
        if "answer-row" in looks:
            return element_of(Box("div", drawn.look, _summary_of(drawn)))
        return _filled(Element("details", {"class": drawn.look, "open": "open"}), drawn, leads)
    element = Element(drawn.tag, {"class": drawn.look} if looks else {})
    if leads and drawn.title:
        element.set("title", plain(drawn.title))
    if leads and drawn.choose.partition(":")[0] in _SHOWN:
        element.attrib |= {"data-choose": drawn.choose, "role": "button", "tabindex": "0"}
    return _filled(element, drawn, leads)


def _filled(element: Element, drawn: Box, leads: bool) -> Element:
    for piece in drawn.inside:
        if isinstance(piece, str):
            _append_text(element, plain(piece))
        elif "leads" not in piece.look.split() or (leads and piece.choose.partition(":")[0] in _SHOWN):
            element.append(element_of(piece, leads=leads))
    return element


def _summary_of(drawn: Box) -> tuple[str | Box, ...]:
    return next(piece.inside for piece in drawn.inside if isinstance(piece, Box) and piece.tag == "summary")


def _append_text(element: Element, text: str) -> None:
    """Add a text behind the children that an element has so far."""
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text
