"""Opening a run from a file that was saved here or elsewhere."""

from __future__ import annotations

from functools import partial

import streamlit as st

from memorybank.errors import DamagedError, MemoryBankError
from memorybank.hosting import new_runs
from memorybank.memory.types import Lang
from memorybank.runs.salvage import DamagedPart
from memorybank.ui.components.problems import draw_error, draw_good_part
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import this_tab
from memorybank.views.i18n import t


def draw_open(lang: Lang) -> None:
    count = this_tab().files_opened  # a file that was opened leaves the field
    file = st.file_uploader(
        t("replay.files.open", lang),
        type=["zip", "jsonl"],
        key=f"open-file-{count}",
        help=t("replay.files.open_help", lang),
        max_upload_size=new_runs.MOST_UPLOADED,
    )
    if file is None or not st.button(
        t("replay.files.open_do", lang), key="open-file-do", icon=":material/upload_file:"
    ):
        return
    try:
        run_id, _ = new_runs.open_file(state.runs(), file.name, file.getvalue())
        state.keep(state.look_up(run_id))
    except (MemoryBankError, OSError) as error:
        draw_error(error, lang, key="problem-open")
        if isinstance(error, DamagedError):
            draw_good_part(partial(_good_part, file.name, file.getvalue()), lang, key="open-file-good")
        return
    this_tab().files_opened = count + 1
    st.rerun()


def _good_part(name: str, data: bytes) -> tuple[str, DamagedPart | None]:
    return new_runs.open_file(state.runs(), name, data, to_last_good=True)
