"""Reads an exported page the way its own code does."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, fromstring


class PrintedSlide(NamedTuple):
    kind: str
    sentence: str
    element: Element


def data_in(page: bytes) -> dict[str, Any]:
    """The run that a page holds."""
    (text,) = re.findall(r'<script type="application/json" id="run">(.*?)</script>', page.decode("utf-8"), re.DOTALL)
    found: dict[str, Any] = json.loads(text)
    return found


def slides_in(page: bytes) -> list[PrintedSlide]:
    """The slides of a page, read by a strict parser: what is no well-formed markup is an error."""
    (markup,) = re.findall(r'<div class="slides">.*?</div>(?=\s*<script)', page.decode("utf-8"), re.DOTALL)
    return [
        PrintedSlide(slide.findtext("p/strong", ""), slide.findtext("h2", ""), slide)
        for slide in fromstring(markup).findall("section")
    ]
