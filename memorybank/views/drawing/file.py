"""One HTML file: data, the code that shows it, and a policy under which nothing else can run or be fetched.

What comes from outside is in the data block alone, where no character can end it; the code makes text nodes of it. The
Content-Security-Policy names the hash of each script and style of ours, so that whatever slipped through could neither
run nor ask for anything.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.views.drawing.beside import text_beside
from memorybank.views.i18n import t

_IN_DATA_RE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def check_ready(*libraries: str) -> None:
    """Raises InputError where a library that draws is not installed."""
    for name in libraries:
        if find_spec(name) is None:
            raise InputError("integration.not_installed", name=name, extra="export")


def html_file(data: Any, lang: Lang, *, scripts: Sequence[str], style: str, markup: str = "") -> bytes:
    """Return the file in UTF-8. The code finds the data as JSON in the element `run`, the style the app's colours.

    `markup` stands on the page as it is: whoever makes it has escaped each text in it.
    """
    style = text_beside(__package__, "theme.css") + style
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
    """JSON that no character of can end the block it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _IN_DATA_RE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _hash(code: str) -> str:
    digest = hashlib.sha256(code.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _check(code: str) -> None:
    """Our own code must not end the element it stands in."""
    if re.search(r"</(script|style)|<!--", code, re.IGNORECASE):
        raise ValueError("code that ends its own element cannot stand in a page")
