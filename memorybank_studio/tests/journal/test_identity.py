"""The studio's id is in its journal's first event; without one a journal is begun, or refused as the desk does."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.errors import JournalError
from memorybank_studio.journal.desk import JOURNAL, Desk, studio_id
from memorybank_studio.journal.events import STUDIO


def test_a_new_studio_gets_an_id_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    one, two = studio_id(tmp_path / "one"), studio_id(tmp_path / "two")
    assert one != two
    assert studio_id(tmp_path / "one") == one
    desk = Desk(tmp_path / "one")
    try:
        assert desk.state.studio == one
        assert studio_id(tmp_path / "one") == one, "while another has it open"
    finally:
        desk.close()


@pytest.mark.parametrize("torn", [b"", STUDIO.header()[:9], STUDIO.header(), STUDIO.header() + b'{"seq": 1, "at": 1'])
def test_a_journal_torn_in_its_first_write_is_begun_anew(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / JOURNAL).write_bytes(torn)
    assert studio_id(tmp_path) == studio_id(tmp_path) != ""


def test_a_file_that_is_no_journal_is_refused_as_the_desk_refuses_it(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text('{"journal": "another", "schema": 1}\n{"seq": 1}\n')
    with pytest.raises(JournalError, match="another kind"):
        studio_id(tmp_path)
