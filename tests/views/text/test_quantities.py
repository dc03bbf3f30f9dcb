"""Numbers as people read them, in both languages."""

from __future__ import annotations

import pytest

from memorybank.views.text.quantities import format_bytes, format_duration, format_tokens, relative_time


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (1_549, "1.5 kB"),
        (999_940, "1,000 kB"),
        (999_960, "1 MB"),
        (200_000_000, "200 MB"),
        (3_200_000_000, "3.2 GB"),
        (10**15, "1,000,000 GB"),
    ],
)
def test_bytes(size: int, text: str) -> None:
    assert format_bytes(size, "en") == text


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (0, "0 ms", "0 毫秒"),
        (0.0042, "4 ms", "4 毫秒"),
        (0.9996, "1 s", "1 秒"),
        (2.34, "2.3 s", "2.3 秒"),
        (59.96, "1 min 0 s", "1 分 0 秒"),
        (75, "1 min 15 s", "1 分 15 秒"),
        (3700, "1 h 2 min", "1 小时 2 分"),
    ],
)
def test_durations(seconds: float, english: str, chinese: str) -> None:
    assert format_duration(seconds, "en") == english
    assert format_duration(seconds, "zh") == chinese


def test_tokens_and_times() -> None:
    assert [format_tokens(count, "en") for count in (1, 8000)] == ["1 token", "8,000 tokens"]
    assert format_tokens(8000, "zh") == "8,000 个词元"
    now = 1_000_000.0
    ago = (0, 59, 60, 7200, 86_400, 3 * 86_400)
    assert [relative_time(now - seconds, now, "en") for seconds in ago] == [
        "just now",
        "just now",
        "1 minute ago",
        "2 hours ago",
        "yesterday",
        "3 days ago",
    ]
    assert relative_time(now + 500, now, "zh") == "刚刚"
