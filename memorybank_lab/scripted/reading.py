"""The scripted agents' view of a prompt, and the few things they can tell about texts: shared words and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memorybank.language.text import HAN, sentences

_MEMORY_RE = re.compile(r"<memory(?: \w+=\"(?P<label>\w+)\")?>\n(?P<body>.*?)\n</memory>", re.DOTALL)
_NODE_RE = re.compile(
    r"^(?:Topic: |主题：)(?P<topic>[^\n]*)"
    r"(?:\n(?:Keywords: |关键词：)(?P<keywords>[^\n]*)\n(?:Summary: |摘要：)(?P<summary>.*))?",
    re.MULTILINE | re.DOTALL,
)
_WORD_RE = re.compile(rf"[^\W_{HAN}]+(?:[-'][^\W_{HAN}]+)*|[{HAN}]+")
_NUMBER_RE = re.compile(r"\d+(?:[.,:]\d+)*")
_SHORT = 3
_BETWEEN_RE = re.compile("[的了在是和与及或于有为被把从到对也就都而等这那其它他她每着过又还不很最由向以]")
_LONGEST_HAN = 6

_COMMON = frozenset(
    "about after also before between from have into only other than that their them then there these they this those "
    "through under were what when where which while with would 一个 以及 其中 他们 我们 这个 这些 那些 进行 可以 "
    "已经 没有 成为 对于 由于 因此 同时 并且 目前 之后 之前 表示 认为".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMemory:
    topic: str
    keywords: tuple[str, ...]
    summary: str


def memory_blocks(prompt: str) -> list[tuple[str, str]]:
    """Return (label, body) of each `<memory>` block, in order; most have no label."""
    return [(found["label"] or "", found["body"]) for found in _MEMORY_RE.finditer(prompt)]


def memories(prompt: str) -> list[tuple[str, ShownMemory]]:
    """Return the blocks that show a memory: topic, keywords, summary."""
    found = []
    for label, body in memory_blocks(prompt):
        if node := _NODE_RE.search(body):
            keywords = tuple(word.strip() for word in re.split(r"[,、]", node["keywords"] or "") if word.strip())
            memory = ShownMemory(
                topic=node["topic"].strip(), keywords=keywords, summary=(node["summary"] or "").strip()
            )
            found.append((label, memory))
    return found


def numbered(body: str, first: int = 0) -> list[str]:
    """Return the texts behind `[0]`, `[1]`, `[2]` … (or from `first` on) at the starts of lines, each with the white
    space that follows it."""
    starts: list[tuple[int, int]] = []
    for mark in re.finditer(r"^\[(\d+)\] ", body, re.MULTILINE):
        if int(mark[1]) == first + len(starts):  # a text may hold such a mark itself
            starts.append((mark.start(), mark.end()))
    ends = [*(start for start, _ in starts[1:]), len(body)][: len(starts)]
    return [body[start:end] for (_, start), end in zip(starts, ends, strict=True)]


def statements(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in sentences(text) if text[start:end].strip()]


def content_words(text: str) -> list[str]:
    """Return words worth comparing, in reading order: long ones, names, numbers; of Chinese, pairs of characters."""
    words: list[str] = []
    for word in _WORD_RE.findall(text):
        if re.match(f"[{HAN}]", word):
            words.extend(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif len(word) > _SHORT or word[0].isupper() or word[0].isdigit():
            words.append(word.casefold())
    return [word for word in words if word not in _COMMON]


def numbers(text: str) -> list[str]:
    return _NUMBER_RE.findall(text)


def alike(left: str, right: str) -> float:
    """Return the share of the shorter statement's words, numbers aside, that stand in the other: 0 to 1."""
    first, second = ({word for word in content_words(one) if not word[0].isdigit()} for one in (left, right))
    smaller = min(len(first), len(second))
    return len(first & second) / smaller if smaller else 0.0


def best_words(text: str, most: int = 5) -> list[str]:
    """Return the words that come most often, names and numbers before others, as they are spelt."""
    spelt: dict[str, str] = {}
    weights: dict[str, float] = {}
    for word in _WORD_RE.findall(text):
        for part in _han_words(word) if re.match(f"[{HAN}]", word) else [word]:
            key = part.casefold()
            if key in _COMMON or (len(key) <= _SHORT and key.islower() and not re.match(f"[{HAN}]", key)):
                continue
            spelt.setdefault(key, part)
            weights[key] = weights.get(key, 0) + (2 if part[0].isupper() or part[0].isdigit() else 1)
    ranked = sorted(weights, key=lambda key: -weights[key])  # of equal ones the first in the text
    return [spelt[key] for key in ranked[:most]]


def first_words(text: str, most: int = 25) -> str:
    """Return the first statement, cut to so many words (of Chinese: twice as many characters)."""
    first = next(iter(statements(text)), text.strip()).lstrip("#*- ")
    words = first.split()
    if len(words) > most:
        first = " ".join(words[:most])
    return first[: 8 * most] if len(words) > most // 5 else first[: 2 * most]


def _han_words(run: str) -> list[str]:
    """Return what stands between the commonest function characters: without a word list nothing is better."""
    return [part[:_LONGEST_HAN] for part in _BETWEEN_RE.split(run) if len(part) > 1]
