"""A run as one HTML file that works from disk, with no network: `export_html`.

The graph can be gone through moment by moment; beside it stands what the run has come to: answer, Insight
Doc, conflicts, merges, memories, sources (panels.py). On paper it is the decisive moments of the run, a sheet each
(panels.py, too). The *.js and *.css here, with the app's own drawing code of the graph (views/drawing), show it.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import json
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any
from xml.etree.ElementTree import tostring

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.stages import ends_stage
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.graph.script import graph_script
from memorybank.views.drawing.rich.script import rich_css
from memorybank.views.graph.model import Parts, changes_between
from memorybank.views.graph.moment_view import view_of
from memorybank.views.html_export.panels import page_of, slides_html
from memorybank.views.i18n import sentences_under, t
from memorybank.views.run.commits import Records
from memorybank.views.run.feed import FeedItem, say
from memorybank.views.run.playback import Playback
from memorybank.views.text.display import plain

_IN_DATA_RE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def html_file(data: Any, lang: Lang, *, scripts: Sequence[str], style: str, markup: str = "") -> bytes:
    """Return the file in UTF-8. The code finds the data as JSON in the element `run`, the style the app's colours.

    `markup` stands on the page as it is: whoever makes it has escaped each text in it. What comes from outside is in
    the data block alone, where no character can end it; the code makes text nodes of it. The Content-Security-Policy
    names the hash of each script and style of ours: whatever slipped through could neither run nor ask for anything.
    """
    style = text_beside("memorybank.views.drawing", "theme.css") + style
    for code in (*scripts, style):
        _check(code)
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, scripts))}",
            f"style-src {_hash(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    head = [
        "<!DOCTYPE html>",
        f'<html lang="{"zh-CN" if lang == "zh" else "en"}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{html.escape(t('app.title', lang))}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        f"<noscript>{html.escape(t('export.no_script', lang))}</noscript>",
        markup,
        f'<script type="application/json" id="run">{_embedded(data)}</script>',
        *(f'<script type="module">{code}</script>' for code in scripts),
        "</body>",
        "</html>",
    ]
    return "\n".join([*head, ""]).encode("utf-8")


def _embedded(data: Any) -> str:
    """Return JSON that no character of can end the block it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _IN_DATA_RE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _hash(code: str) -> str:
    digest = hashlib.sha256(code.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _check(code: str) -> None:
    """Raise ValueError for code that could end the element it stands in."""
    if re.search(r"</(script|style)|<!--", code, re.IGNORECASE):
        raise ValueError("code that ends its own element cannot stand in a page")


_read = functools.partial(text_beside, __package__)
"""Returns a file of the page, by its name."""


def export_html(
    records: Sequence[Record[Any]],
    read: Callable[[str], bytes] | None,
    lang: Lang,
    *,
    at: int | None = None,
    since: int = 0,
    prints_slides: bool = True,
) -> bytes:
    """Return the run as one HTML file.

    Args:
        records: the run, whole. read: the bytes of its attachments (`FormalStore.read`); None: no pictures.
        lang: of the page; the run's texts stay as they are.
        at: the moment of the graph at which it opens; the last when None. since: the first that it has.
        prints_slides: whether it has the decisive moments, to be printed.

    Raises JournalError for records that contradict each other, InputError where what draws is not installed.
    """
    if find_spec("pyvis") is None:
        raise InputError("integration.not_installed", name="pyvis", extra="export")
    markup = tostring(page_of(records, read, lang), encoding="unicode", method="html")
    slides = slides_html(records, lang) if prints_slides else ""
    return page(moments_of(records, lang, at=at, since=since), lang, markup + slides)


def page(data: Any, lang: Lang, markup: str = "") -> bytes:
    """Return the file in UTF-8. `markup` is the page as it stands; what `data` has moves on it."""
    looks = rich_css().replace(".rich ", "& ")
    style = f"{_read('page.css')}{_read('slides.css')}.rich {{\n{looks}\n}}\n"
    return html_file(data, lang, scripts=[graph_script(), _read("page.js")], style=style, markup=markup)


_RANK = ("quiet", "plain", "new", "task", "failure", "merge", "verdict", "conflict", "answer")
"""The tones of what happened, from the least telling on; a stage is told by the last of them."""


def moments_of(records: Records, lang: Lang, *, at: int | None, since: int) -> dict[str, Any]:
    """Return all moments from `since` on, which of them is shown first, and what the page says."""
    playback = Playback()
    parts: Parts = {}
    done: FeedItem | None = None
    moments: list[dict[str, Any]] = []
    seqs = [since, *(record.seq for record in records[since:] if ends_stage(record))]
    items = playback.at(records).feed
    for before, seq in zip([seq - 1 for seq in seqs[:1]] + seqs, seqs, strict=False):
        shown = view_of(playback.at(records[:seq]), None, lang).parts
        new = (item for item in items if before < item.seq <= seq)
        done = max(new, key=lambda item: (_RANK.index(item.tone), item.seq), default=done)  # the last of what matters
        moments.append(
            {
                "seq": seq,
                "tone": done.tone if done else "quiet",
                "head": _head(done, lang) if done else "",
                "words": plain(say(done, lang)) if done else t("export.begin", lang),
                "changes": changes_between(parts, shown),
            }
        )
        parts = shown
    return {
        "at": len(seqs) - 1 if at is None else max(0, bisect_right(seqs, at) - 1),
        "moments": moments,
        "gone": playback.at(records).bank.graph.gone,
        "words": sentences_under("export.page.", lang),
    }


def _head(item: FeedItem, lang: Lang) -> str:
    stage = t(f"stage.{item.stage}", lang)
    return t("export.round", lang, round=item.round, stage=stage) if item.round else stage
