"""Pages and the background import in turn: never both at once, and neither for ever."""

from __future__ import annotations

import threading

from memorybank.ui.shell.import_turns import ImportTurns
from tests.waiting import wait_until


def test_the_background_imports_only_while_nothing_is_drawn_and_a_page_waits_for_it() -> None:
    turns = ImportTurns()
    told: list[str] = []
    imported = threading.Event()

    def ahead() -> None:
        with turns.ahead():
            told.append("import begins")
            imported.wait(10)
            told.append("import ends")

    def page() -> None:
        with turns.drawing():
            told.append("second page")

    background = threading.Thread(target=ahead)
    with turns.drawing():
        background.start()
        background.join(0.1)
        told.append("first page")
    wait_until(lambda: told[-1] == "import begins", 10)
    second = threading.Thread(target=page)
    second.start()
    second.join(0.1)
    assert told == ["first page", "import begins"]
    imported.set()
    background.join(10)
    second.join(10)
    assert told == ["first page", "import begins", "import ends", "second page"]


def test_pages_do_not_wait_for_each_other_and_one_that_fails_leaves() -> None:
    turns = ImportTurns()
    with turns.drawing():
        try:
            with turns.drawing():
                raise RuntimeError
        except RuntimeError:
            pass
    with turns.ahead():
        pass


def test_nobody_waits_for_ever() -> None:
    turns = ImportTurns(longest=0.05)
    with turns.drawing(), turns.ahead(), turns.drawing():
        pass
