"""Dialogues, as programs export them: who spoke, when, and what was said, known by the shape of a message.

A JSON value (`json_text.py`) is a dialogue when most of what it lists are messages: objects with a speaker (`role`,
`from`, `user`, `author` …) and words (`content`, `value`, `message`, `text` …), or the tree of messages that ChatGPT
writes. WhatsApp's text is one by its lines: a date, a time, a name, a colon.

A turn is rendered as one line, `speaker (time): text [image: caption]`, so that who, when and what was shown can be
searched too, not the words alone.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from memorybank.documents.json_text import Figure, Torn
from memorybank.language.text import HAN, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueTurn:
    speaker: str
    """Empty for what stands among the turns and was said by nobody."""
    text: str
    time: str = ""
    """The time as it is written in the file, a number of seconds as its moment; shown and indexed, not interpreted."""
    image_caption: str = ""


def render_turn(turn: DialogueTurn) -> str:
    """Render a turn as `speaker (time): text [image: caption]` in one line; parts that are empty are left out."""
    time = f" ({one_line(turn.time)})" if turn.time else ""
    caption = f"[image: {one_line(turn.image_caption)}]" if turn.image_caption else ""
    words = " ".join(part for part in (one_line(turn.text), caption) if part)
    return f"{one_line(turn.speaker)}{time}: {words}" if turn.speaker else words


def render_turns(turns: Iterable[DialogueTurn]) -> str:
    """Render each turn as a line that is closed."""
    return "".join(f"{render_turn(turn)}\n" for turn in turns)


# -- JSON -------------------------------------------------------------------------------------------------------------

_SPEAKERS: Final = (
    "speaker user_profile sender_name senderDisplayName sender author role from user username name".split()
)
_WORDS: Final = "text content message value msg body parts".split()
_TIMES: Final = "time timestamp date datetime created_at create_time createdAt createTime ts timestamp_ms".split()
_NAMES: Final = "nickname display_name displayName real_name name global_name username login first_name role".split()
"""Keys under which an object that stands for a person holds the person's name, the best first."""
_EPOCH_RE: Final = re.compile(r"(?:\d{10}(?:\.\d+)?|(?P<thousandths>\d{13}))")
_SORTABLE_RE: Final = re.compile(r"\d{10}|\d{4}-\d\d-\d\d[T ]\d\d:")  # written so, moments sort as their letters do
_MENTION_RE: Final = re.compile(r"<(@|#|!|(?:https?|mailto):)([^<>|\s]*)(?:\|([^<>]*))?>")
_PROSE_RE: Final = re.compile(rf"[^\W\d_]\S*\s+\S*[^\W\d_]|[{HAN}]")
"""Two words, or a Han character: what a person may want to find again; no id, date or address."""


def turns_of(value: Any) -> tuple[DialogueTurn, ...]:
    """Return the turns of a JSON value that is a chat; none of another. Prose beside the messages stands among them."""
    chat = _Chat(_people(value))
    chat.take(value)
    return tuple(chat.turns) if chat.spoken and chat.spoken >= chat.others else ()


@dataclass(slots=True)
class _Chat:
    people: Mapping[str, str]
    turns: list[DialogueTurn] = field(default_factory=list)
    spoken: int = 0
    others: int = 0
    """Things beside the messages: objects of a list that hold no message, and prose."""

    def take(self, value: Any, listed: bool = False) -> None:
        before = self.spoken
        if isinstance(value, dict):
            path = _path(value)
            if listed and (speaker := _first(value, _SPEAKERS)) and (words := _said(value)) is not None:
                self._take_message(value, _called(speaker), words)
                return
            for key, item in value.items():
                self.take([] if path and key == "mapping" else item, listed and key == "message")
            self.take(path)
            self.others += listed and self.spoken == before
        elif isinstance(value, list):
            for item in reversed(value) if _is_newest_first(value) else value:
                self.take(item, listed=True)
        elif isinstance(value, Torn) or (isinstance(value, str) and _PROSE_RE.search(value)):
            self.turns.append(DialogueTurn(speaker="", text=value))
            self.others += 1

    def _take_message(self, message: Mapping[str, Any], speaker: str, words: str) -> None:
        self.spoken += 1
        caption = message.get("image_caption")
        turn = DialogueTurn(
            speaker=self.people.get(speaker, speaker),
            text=self._plain(words) if "ts" in message else words,
            time=_moment(_first(message, _TIMES)),
            image_caption=caption if isinstance(caption, str) else "",
        )
        if turn.text.strip() or turn.image_caption.strip():
            self.turns.append(turn)
        shown = render_turn(turn)
        for text in dict.fromkeys(_prose(value for key, value in message.items() if key not in ("type", *_SPEAKERS))):
            if one_line(text) not in shown and self._plain(one_line(text)) not in shown:
                self.turns.append(replace(turn, speaker="", text=text, time="", image_caption=""))

    def _plain(self, text: str) -> str:
        """Return a text as Slack shows it: with the names of people and channels, a link's words before its address."""

        def shown(match: re.Match[str]) -> str:
            sign, name, label = match.groups()
            if sign in "@#!":
                return ("" if sign == "!" else sign) + (self.people.get(name) or label or name)
            return f"{label} ({sign}{name})" if label and label not in sign + name else label or sign + name

        return html.unescape(_MENTION_RE.sub(shown, text))


def _first(message: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((message[key] for key in keys if message.get(key) and _called(message[key])), None)


def _is_newest_first(messages: Sequence[Any]) -> bool:
    """Whether the times of messages go down, as in the answers of Slack's servers and the exports of Facebook."""
    times = [_called(_first(message, _TIMES)) for message in messages if isinstance(message, dict)]
    alike = len(times) == len(messages) and all(map(_SORTABLE_RE.match, times))
    return alike and times[:1] > times[-1:] and times == sorted(times, reverse=True)


def _called(person: Any) -> str:
    """Return the name of a person, or a moment, that is a text or an object with a name; empty where it has none."""
    if isinstance(person, dict):
        return next((name for key in _NAMES if isinstance(name := person.get(key), str) and name.strip()), "")
    return person if isinstance(person, str) and person.strip() else ""


def _said(message: Mapping[str, Any]) -> str | None:
    """Return the words of a message, empty where it has none; None for an object that is no message."""
    keys = [key for key in _WORDS if key in message]
    if "title" in message or ("name" in message and keys == ["value"]):  # an article, a setting
        return None
    texts = [text for key in keys if (text := _text(message[key])) is not None]
    if not texts and isinstance(message.get("image_caption"), str):
        return ""
    return next((text for text in texts if text.strip()), "") if texts else None


def _text(value: Any) -> str | None:
    """Return the words of a text, of the parts of one, or of an object around one; None for a number."""
    if isinstance(value, dict):
        return next((text for key in _WORDS if key in value and (text := _text(value[key])) is not None), "")
    if isinstance(value, list):
        pieces = {type(part) for part in value} > {str}  # a text with links and names among its pieces
        return ("" if pieces else "\n").join(text for part in value if (text := _text(part)))
    if value is None:
        return ""
    return value if isinstance(value, str) and not isinstance(value, Figure) else None


def _prose(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str) and _PROSE_RE.search(value):
            yield value
        elif isinstance(value, dict | list):
            yield from _prose(value.values() if isinstance(value, dict) else value)


def _people(value: Any) -> dict[str, str]:
    """Return the names of the people of a Slack export by their ids, from the messages that carry their author."""
    if isinstance(value, list):
        return {id_: name for item in value for id_, name in _people(item).items()}
    if not isinstance(value, dict):
        return {}
    name, id_ = _called(value.get("user_profile")), value.get("user")
    return {id_: name} if name and isinstance(id_, str) else _people(list(value.values()))


def _path(value: Mapping[str, Any]) -> list[Any]:
    """Return the messages of a conversation that is kept as a tree, as the person saw them: its last branch."""
    tree = value.get("mapping")
    if not isinstance(tree, dict) or not all(isinstance(node, dict) and "message" in node for node in tree.values()):
        return []
    at: Any = value.get("current_node") or next(reversed(tree), None)
    path: list[Any] = []
    while isinstance(at, str) and at in tree and len(path) < len(tree):
        path.append(tree[at]["message"])
        at = tree[at].get("parent")
    return path[::-1]


def _moment(written: Any) -> str:
    """Return a moment as written; seconds or thousandths since 1970 as day and time."""
    text = _called(written)
    match = _EPOCH_RE.fullmatch(text)
    if match is None:
        return text
    moment = datetime.fromtimestamp(float(text) / (1_000 if match["thousandths"] else 1), UTC)
    return f"{moment:%Y-%m-%d %H:%M} UTC"


# -- text -------------------------------------------------------------------------------------------------------------

_DAY: Final = r"\d{1,4}(?:[./-]\s?\d{1,2}[./-]\s?\d{1,4}\.?|[年년]\s?\d{1,2}[月월]\s?\d{1,2}[日일])"
_CLOCK: Final = (
    r"(?:[上下]午|早上|晚上|午[前後]|오[전후])?\s?\d{1,2}[:.]\d\d(?P<seconds>[:.]\d\d)?(?:\s?[ap]\.?\s?m\.?)?"
)
_STAMP_RE: Final = re.compile(
    rf"[\u200e\u200f]*(?P<open>\[)?(?P<time>{_DAY},?\s(?:[^\W\d]{{1,3}}\s)?{_CLOCK})(?(open)\]|(?(seconds)(?!)))"
    r"(?:\s[-–]\s|(?(open)|,)\s)(?:(?P<speaker>[^:：\n]{1,60})[:：]\s?)?(?P<text>[^\n]*)",
    re.IGNORECASE,
)
"""A line of WhatsApp's: `12.03.2024, 09:15 - Odile: …`, with seconds `[12/3/24, 9:15:33 AM] Odile: …`."""
_ABOVE_RE: Final = re.compile(
    rf"^[ \t]*(?:(?P<before>[^:：\n]{{1,40}}?)[ \t,，—–]+)??\[?(?P<time>{_DAY},?\s{_CLOCK})\]?"
    r"(?(before)|[ \t]+(?P<after>[^\s:：–-][^:：\n]{0,40}?))[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line above the words, of WeChat, QQ or Discord: `Odile 2024-03-12 09:15:33`, `2024-03-12 09:15 Odile`."""


def read_chat_lines(text: str) -> tuple[DialogueTurn, ...]:
    """Return the turns of a chat as WhatsApp writes it, in any of its forms of date, or with who spoke and when above
    the words, where a name comes again; none of another text.

    A line without a date goes on with the one before it; what the app itself says has no speaker.
    """
    named = [head["before"] or head["after"] for head in _ABOVE_RE.finditer(text)]
    if len({*named}) < len(named):
        text = _ABOVE_RE.sub(r"[\g<time>] \g<before>\g<after>: ", text)
    lines = [line for line in text.split("\n") if line.strip()]
    stamps = [_STAMP_RE.match(line) for line in lines]
    heads = [stamp for stamp in stamps if stamp]
    if not stamps or not stamps[0] or len(heads) < 2 or 2 * sum(bool(head["speaker"]) for head in heads) < len(heads):
        return ()
    turns: list[DialogueTurn] = []
    for line, stamp in zip(lines, stamps, strict=True):
        if stamp and stamp["speaker"]:
            speaker = stamp["speaker"].strip("\u200e\u200f\u202a\u202c ")
            turns.append(DialogueTurn(speaker=speaker, text=stamp["text"], time=stamp["time"]))
        elif stamp:
            turns.append(DialogueTurn(speaker="", text=line))
        else:
            turns[-1] = replace(turns[-1], text=f"{turns[-1].text}\n{line}")
    return tuple(turn for turn in turns if one_line(turn.text))
