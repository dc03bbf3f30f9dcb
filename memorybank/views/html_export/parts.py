"""Parts of the page that no page of the app shows in just this way, from records and moments alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Attachment, Entry, Lang
from memorybank.views.box import Box, aside, box, chip, row_of, stack_of
from memorybank.views.boxes.answer_card import answer_card
from memorybank.views.boxes.entries import entry_head
from memorybank.views.boxes.insight import insight_box
from memorybank.views.html_export.cards import attachment_box
from memorybank.views.i18n import t
from memorybank.views.run.commits import Records
from memorybank.views.run.origin import origin_chip
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip


def state_box(moment: Moment, lang: Lang) -> Box:
    """What the memory holds, in a row of chips."""
    bank = moment.bank
    conflicts = len(moment.disputes)
    result = bank.progress.result
    return row_of(
        chip(t(f"run.result.{result}", lang), "failure" if result == "out_of_rounds" else "done") if result else None,
        chip(t("graph.nodes", lang, count=len(bank.graph.nodes)), "node"),
        chip(t("run.conflicts", lang, count=conflicts), "conflict") if conflicts else None,
        chip(t("run.merges", lang, count=len(moment.merged)), "merge") if moment.merged else None,
    )


def doc_box(moment: Moment, lang: Lang) -> Box:
    """The answer, and below it the Insight Doc."""
    return stack_of(answer_card(moment, lang), insight_box(moment, lang))


def made_by(records: Records, lang: Lang) -> Box:
    """What made the run, and when."""
    begun = records[0].event if records else None
    day = datetime.fromtimestamp(records[0].at, UTC).strftime("%Y-%m-%d %H:%M") if records else ""
    model = begun.embedding_model if isinstance(begun, SessionStarted) else ""
    return row_of(
        origin_chip(records, lang, replay=True),
        aside(t("export.when", lang, when=day)) if day else None,
        aside(t("export.embeddings", lang, model=model)) if model else None,
        aside(t("export.events", lang, count=len(records))),
    )


def source_head(entry: Entry, attachments: Sequence[Attachment], note: Box | None, lang: Lang) -> Box:
    """What an entry is and where it came from, with the files kept beside its text."""
    return box(
        "div", "", entry_head(entry, lang), *(attachment_box(attachment, lang) for attachment in attachments), note
    )


def source_label(entry: Entry, lang: Lang) -> str:
    """One line, to choose it by."""
    return f"{clip(entry.source, 60)} · {t(f'entry.kind.{entry.kind}', lang)} · {entry.id}"
