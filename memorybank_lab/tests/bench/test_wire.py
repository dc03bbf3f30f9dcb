from __future__ import annotations

import pytest

from memorybank_lab.bench import browser
from memorybank_lab.bench.browser import Wire


def test_what_silence_parts_is_a_burst_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    wire, now = Wire(), [10.0]
    monkeypatch.setattr(browser.time, "monotonic", lambda: now[0])
    for after, count in ((0.0, 5), (0.1, 7), (0.5, 11), (0.01, 13)):
        now[0] += after
        wire.add(count)
    assert wire.take_bursts() == [12, 24]
    assert wire.take_bursts() == []
