"""A prompt that is too long, known by the form of what a server says: something is of a size, and that is too much.

Of the numbers in it the limit is the one that stands behind a word for most, or in front of one; not what was sent, by
how much it was exceeded, a code, or a count of anything but tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ANSWER_RE = re.compile(
    r"max_(?:completion_|new_|output_)?tokens|(?:completion|output|response|generated|new|answer)[ _-]tokens?", re.I
)
"""What is said of the answer's own limit is not said of the prompt."""
_CONTEXT_RE = re.compile(r"context[ _-]?(?:length|size|window|limit)|exceed_context|n_ctx|max_?seq_?len|上下文", re.I)
_SIZE_RE = re.compile(
    r"\bcontext\b|tokens?\b|(?:prompt|inputs?|messages?|conversation|request|sequence)\b[^.]{0,40}?"
    r"(?:long|large|length|size|exceed|big)|length of (?:your|the) \w+|输入|提示|词元|内容|请求",
    re.I,
)
_TOO_MUCH_RE = re.compile(
    r"exceed|\d ?> ?\d|\bover the|too (?:long|large|many|big)|(?:long|larg|great|bigg)er than|more than|overflow|limit"
    r"|maximum|\bmax|at most|less than|<=|(?:length|size|tokens?) (?:must|should) be|reduce|shorten"
    r"|超过|超出|[过太]长|最大|上限|限制",
    re.I,
)
_OTHER_RE = re.compile(
    r"image|picture|pixel|\btools?\b|function|schema|temperature|top_p|\bstop\b|auth|credential|api.?key|expire|图片",
    re.I,
)
_RATE_RE = re.compile(r"per (?:second|minute|hour|day)|rate.?limit|quota|\b[TR]PM\b|每分钟|频率", re.I)

_NUMBER_RE = re.compile(r"(?<![\w.,#-])(\d{1,3}(?:[,_]\d{3})+|\d{2,9}|\d{1,4}(?=k\b))(k\b)?(?![\w-]|[.,]\d)", re.I)
_MOST_BEFORE_RE = re.compile(
    r"(?:max|limit|allow|support|up to|at most|less than|<=|>|\bonly|context[ _-](?:length|size|window)|n_ctx|seq_?len"
    r"|exceed|(?:long|larg|great|bigg)er than|more than|最大|上限|限制|超过|上下文)[^\d.。;；]{0,30}$|\[\d+, ?$",
    re.I,
)
_MOST_AFTER_RE = re.compile(r"\s*(?:tokens?\s*)?(?:maximum|max\b|limit|context)", re.I)
_NOT_BEFORE_RE = re.compile(r"(?:\bby(?: about| at least)?|code|status|http|error|\bid|over|超出)\W*$", re.I)
_OTHER_UNIT_RE = re.compile(
    r"\s*(?:%|bytes?|[kmg]i?b\b|char|requests?|messages|images?|seconds?|s\b|ms\b|字[符节]|次|张|条)", re.I
)
_PROMPT_RE = re.compile(
    r"n_prompt_tokens\W{1,3}(\d+)|(\d+) in the messages|messages resulted in (\d+)|(\d+) (?:input|prompt) tokens"
    r"|request \((\d+) tokens|Given: (\d+)",
    re.I,
)
_SUM_RE = re.compile(r"total|complet|output|requested|answer|max_", re.I)


def is_overflow(words: str) -> bool:
    """Whether a server says that the prompt is too long for it."""
    words = _ANSWER_RE.sub("", words)
    if _RATE_RE.search(words):
        return False
    if _CONTEXT_RE.search(words):
        return True
    return bool(_SIZE_RE.search(words) and _TOO_MUCH_RE.search(words)) and not _OTHER_RE.search(words)


def window_in(words: str, sent: int | None = None) -> int | None:
    """Return the context's size in a server's words on a prompt that is too long.

    `sent`: tokens of prompt and answer by our own count; a limit far above them is not what they ran into.
    """
    if not is_overflow(words):
        return None
    limits = (number for number, most in _numbers(words) if most)
    return next((limit for limit in limits if sent is None or limit <= 2 * sent), None)


def prompt_in(words: str) -> int | None:
    """Return how many tokens the server counted in the prompt."""
    if named := _PROMPT_RE.search(words):
        return int(next(filter(None, named.groups())))
    limit = window_in(words)
    if limit is None or _SUM_RE.search(words):
        return None
    return next((number for number, most in _numbers(words) if not most and number > limit), None)


def _numbers(words: str) -> Iterator[tuple[int, bool]]:
    """Yield the numbers, and whether each is said to be the most that is taken."""
    words = _ANSWER_RE.sub("", words)
    found = list(_NUMBER_RE.finditer(words))
    for match in found:
        before, after = words[max(0, match.start() - 60) : match.start()], words[match.end() : match.end() + 30]
        most = bool(_MOST_BEFORE_RE.search(before) or _MOST_AFTER_RE.match(after))
        if _NOT_BEFORE_RE.search(before) or _OTHER_UNIT_RE.match(after):
            most = False
        elif before.endswith(("(", "[")) and len(found) == 1 and "token" not in (before + after[:10]).lower():
            most = False  # a code in brackets
        yield int(re.sub(r"\D", "", match[1])) * (1000 if match[2] else 1), most
