"""The runs that can be opened here: which of them a browser is told of, the samples, and opening one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from memorybank.hosting.ready_tasks import RecordedRun, recorded_runs
from memorybank.hosting.saved import StoredRun, StoredRuns
from memorybank.memory.types import RECORDED, Lang
from memorybank.ui.shell import links, state
from memorybank.ui.shell.serving import is_served_here
from memorybank.ui.shell.tab import problems_kept, this_tab
from memorybank.views.i18n import LANGUAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRun:
    """A line of a list of runs."""

    key: str
    """The run's address; of a sample, which may not be unpacked yet, the id that its journal states."""
    run: StoredRun
    is_sample: bool = False
    is_live: bool = False


def stored_runs() -> StoredRuns:
    """Return the runs of this app; a journal is read again only when it has changed."""
    return _stored(str(state.runs_root()))


@st.cache_resource(show_spinner=False)
def _stored(root: str) -> StoredRuns:
    return StoredRuns(Path(root), keeps_summaries=True)


def runs_to_tell() -> list[StoredRun]:
    """Return this machine's runs where only it is served, else this browser's: nobody is told another's runs."""
    runs = stored_runs().newest_first()
    return runs if is_served_here() else [run for run in runs if run.address in state.known_runs()]


def listed_runs(lang: Lang) -> list[ListedRun]:
    """Return the pinned runs, the other ones, and the samples of this language; the newest first among each."""
    samples = [ListedRun(key=sample.run_id, run=sample.summary(), is_sample=True) for sample in recorded_runs(lang)]
    own = [listed(run) for run in runs_to_tell() if not _is_untouched_sample(run)]
    return [*sorted(own, key=lambda row: not row.run.pinned), *samples]


def listed(run: StoredRun) -> ListedRun:
    return ListedRun(key=run.address, run=run, is_live=state.is_alive(run.address))


def _is_untouched_sample(run: StoredRun) -> bool:
    """Say whether the run is an unpacked sample that nobody has gone on with: the sample stands for it in the list."""
    return run.run_id.startswith(RECORDED) and run.events == next(
        (sample.summary().events for sample in _samples() if sample.run_id == run.run_id), -1
    )


def _samples() -> list[RecordedRun]:
    return [sample for language in LANGUAGES for sample in recorded_runs(language)]


def address_of(key: str) -> str:
    """Return the address of a listed run. A sample is unpacked at its first time in a browser."""
    from memorybank.hosting.new_runs import open_file

    sample = next((sample for sample in _samples() if sample.run_id == key), None)
    if sample is None:
        return key
    known = (run.address for run in runs_to_tell() if run.run_id == key and _is_untouched_sample(run))
    return next(known, "") or open_file(state.runs(), sample.file.name, sample.file.read_bytes())[0]


def open_listed(key: str) -> None:
    """Show a listed run, to read it. It is called from callbacks."""
    with problems_kept():
        state.keep(state.look_up(address_of(key)))


def compare_listed(first: str, second: str) -> None:
    """Compare two listed runs on the Compare page. It is called from callbacks."""
    with problems_kept():
        this_tab().compare_pair = {"a": address_of(first), "b": address_of(second)}
        links.open_page("compare")
