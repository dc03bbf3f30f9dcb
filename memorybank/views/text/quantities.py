"""Sizes, counts and times as people read them, in the language of the page. Decimal units: 1 kB is 1,000 bytes."""

from __future__ import annotations

from memorybank.memory.types import Lang
from memorybank.views.i18n import t


def format_bytes(size: int, lang: Lang) -> str:
    """1,000 → `1 kB`, 1,250,000 → `1.3 MB`."""
    if size < 1000:
        return t("unit.bytes", lang, number=size)
    number = size / 1000
    for unit in ("kilobytes", "megabytes"):
        if number < 999.95:
            return t(f"unit.{unit}", lang, number=_short(number))
        number /= 1000
    return t("unit.gigabytes", lang, number=_short(number))


def format_tokens(count: int, lang: Lang) -> str:
    """With separators, never rounded: a budget is checked against it."""
    return t("unit.tokens", lang, count=count, number=f"{count:,}")


def format_duration(seconds: float, lang: Lang) -> str:
    """0.0042 → `4 ms`, 2.34 → `2.3 s`, 75 → `1 min 15 s`, 3700 → `1 h 1 min`."""
    if seconds < 0.9995:
        return t("unit.milliseconds", lang, number=max(0, round(seconds * 1000)))
    if seconds < 59.95:
        return t("unit.seconds", lang, number=_short(seconds))
    whole = round(seconds)
    if whole < 3600:
        return t("unit.minutes", lang, minutes=whole // 60, seconds=whole % 60)
    minutes = round(seconds / 60)
    return t("unit.hours", lang, hours=minutes // 60, minutes=minutes % 60)


def relative_time(then: float, now: float, lang: Lang) -> str:
    """How long ago, in whole minutes, hours or days. A clock that runs ahead counts as now."""
    minutes = int(max(0.0, now - then) // 60)
    if minutes < 1:
        return t("time.now", lang)
    if minutes < 60:
        return t("time.minutes", lang, count=minutes)
    if minutes < 24 * 60:
        return t("time.hours", lang, count=minutes // 60)
    return t("time.days", lang, count=minutes // (24 * 60))


def _short(number: float) -> str:
    """One decimal below a hundred, none above, no trailing zero."""
    return f"{number:.1f}".removesuffix(".0") if number < 99.95 else f"{number:,.0f}"
