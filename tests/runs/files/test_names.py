from hypothesis import given
from hypothesis import strategies as st

from memorybank.runs.files.kinds import kind_of
from memorybank.runs.files.names import base_name, shown


def test_only_the_last_part_of_a_name_is_shown() -> None:
    assert base_name("../../etc/pass\nwd.png") == "pass\ufffdwd.png"
    assert base_name("C:\\Users\\me\\图 1.png") == "图 1.png"
    assert base_name("/", default="image") == base_name("..", default="image") == "image"
    assert base_name("x" * 300 + ".png") == "x" * 116 + ".png"
    assert shown("a\u202egnp.exe") == "a\ufffdgnp.exe"


@given(st.text())
def test_a_base_name_is_one_printable_line_without_separators(name: str) -> None:
    found = base_name(name)
    assert 0 < len(found) <= 120
    assert not set(found) & {"/", "\\", "\n", "\r", "\x00"}
    assert found not in (".", "..")


def test_kinds_go_by_suffix_in_any_case() -> None:
    assert [kind_of(name) and kind_of(name).suffix for name in ("A.PDF", "b.tar.gz", "x/y.md", ".md", "README")] == [  # type: ignore[union-attr]
        ".pdf",
        None,
        ".md",
        None,
        None,
    ]
