"""Reads an exported page the way its own code does (data.js)."""

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


def value_at(track: list[Any], k: int) -> Any:
    """A track's value after `k` events."""
    found = None
    for at, value in zip(track[::2], track[1::2], strict=True):
        if at <= k:
            found = value
    return found


def values_at(tracks: dict[str, list[Any]], k: int) -> dict[str, Any]:
    values = {name: value_at(track, k) for name, track in tracks.items()}
    return {name: value for name, value in values.items() if value is not None}


def drawn(number: int, pool: list[Any]) -> Any:
    """A number of the pool as what is drawn: a text, or a box's data."""
    item = pool[number]
    return item if isinstance(item, str) else [item[0], item[1], [drawn(one, pool) for one in item[2]], *item[3:]]


def text_of(number: int, pool: list[Any]) -> str:
    item = pool[number]
    return item if isinstance(item, str) else "".join(text_of(one, pool) for one in item[2])
