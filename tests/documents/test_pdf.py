"""PDFs: their text, and those that must be refused before they do harm."""

import io
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter

from memorybank.documents.pdf import PdfLimits, pdf_text
from memorybank.errors import InputError, UnsafeInputError
from tests.documents import pdf_files


def encrypted(password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_files.pdf([["The text (inside)."]]))))
    writer.encrypt(password, owner_password="owner", algorithm="RC4-128")
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def test_text_of_all_pages_in_english_and_chinese() -> None:
    data = pdf_files.pdf(
        [
            ["Quantum (gate) error correc-", "tion is low-cost. It goes", "on"],
            ["over the page.", "Low-cost, then low-", "cost again."],
            ["量子计算机利用叠加态和纠缠。", "IBM 于 2023 年发布。"],
        ]
    )
    assert pdf_text("a.pdf", data) == (
        "Quantum (gate) error correction is low-cost. It goes\non\nover the page.\nLow-cost, then low-cost again.\n\n"
        "量子计算机利用叠加态和纠缠。\nIBM 于 2023 年发布。"
    )


LEFT = (
    "The mill was built in 1871 by Karl Berg|and his sister. It has 3 rooms, and its|"
    "wheel turns in summer only, as the con-|tract says."
)
RIGHT = (
    "The port of Lenz opened in 1880. It has|11 cranes and a customs house. Ships of|"
    "up to 120 m can moor there and|stay."
)
THIRD = (
    "Colmere has 1,250 people and a school|of music, whose library holds the books|"
    "of the mayor, who gave them away in the|year of the flood."
)
TWO_ROWS = "The mill opened in 1871 on|Mount Elin, above Lenz.", "Its wheel has a width of 2|metres, cut by hand."
CELLS = "Height of the tower of the harbour|Name of the keeper and his children|Number of the steps up to its lamp"


def rows(*columns: str) -> list[tuple[int, int, str]]:
    """Columns side by side, drawn row by row."""
    lines = [column.split("|") for column in columns]
    return [
        (40 + 190 * place, 700 - 12 * at, column[at])
        for at in range(max(map(len, lines)))
        for place, column in enumerate(lines)
        if at < len(column)
    ]


@pytest.mark.parametrize("lower", [0, 2, -3])
@pytest.mark.parametrize("columns", [(LEFT, RIGHT), (LEFT, RIGHT, THIRD), (LEFT, RIGHT.rpartition("|")[0]), TWO_ROWS])
def test_columns_that_were_drawn_row_by_row_are_read_one_after_the_other(columns: tuple[str, ...], lower: int) -> None:
    uneven = [(x, y - lower * (x > 40), line) for x, y, line in rows(*columns)]
    data = pdf_files.placed([[(40, 760, "Notes on the sound"), *uneven, (40, 600, "It is all true.")]])
    in_order = [(40, 700 - 12 * at, line) for at, line in enumerate("|".join(columns).split("|"))]
    whole = pdf_files.placed([[(40, 760, "Notes on the sound"), *in_order, (40, 600, "It is all true.")]])
    assert pdf_text("a.pdf", data) == pdf_text("a.pdf", whole)


@pytest.mark.parametrize("count", [2, 3])
def test_the_rows_of_a_table_stay_together(count: int) -> None:
    cells = rows(CELLS, CELLS.swapcase().capitalize().replace("|n", "|N"), "1|2|3")[: 3 * count]
    text = pdf_text("a.pdf", pdf_files.placed([cells]))
    assert [line[-1] for line in text.split("\n")] == ["1", "2", "3"][:count]


@pytest.mark.parametrize(
    ("head", "foot"),
    [
        ("Annals, vol. 4", "{}"),
        ("Annals {}", "Page {} of 9"),
        ("{} Annals", "- {} -"),
        ("12 of us", "p. {}"),
        ("第 {} 页 共 9 页", "第{}页"),
    ],
)
def test_running_heads_and_page_numbers_are_left_out(head: str, foot: str) -> None:
    bodies = [[f"Tower {at} is {at}0 metres tall and", f"built in {1900 + at}. It was"] for at in range(12, 17)]
    pages = [[head.format(at), *body, foot.format(at)] for at, body in enumerate(bodies, start=12)]
    assert pdf_text("a.pdf", pdf_files.pdf(pages)).split("\n") == [line for body in bodies for line in body]


def test_a_pdf_without_a_password_to_open_is_read_and_one_that_unpacks_to_gigabytes_is_refused_at_once() -> None:
    assert pdf_text("a.pdf", encrypted("")) == "The text (inside)."
    data = pdf_files.bomb(2_000)
    assert len(data) < 20_000
    with pytest.raises(UnsafeInputError, match=r"^bomb\.pdf: the PDF unpacks to far more than its size"):
        pdf_text("bomb.pdf", data)


@pytest.mark.parametrize(
    ("data", "limits", "error", "reason"),
    [
        (b"hello", {}, InputError, "not a PDF"),
        (pdf_files.pdf([["text"]])[:300], {}, InputError, "damaged"),
        (b"%PDF-1.4\n" + bytes(range(256)) * 9, {}, InputError, "damaged"),
        (encrypted("secret"), {}, InputError, "encrypted"),
        (pdf_files.image_only(), {}, InputError, r"no text \(a scan\?\)"),
        (pdf_files.repeated_page(50), {"pages": 49}, UnsafeInputError, "more than 49 pages"),
        (pdf_files.pdf([["x" * 90] * 20] * 3), {"characters": 3_000}, UnsafeInputError, "more than 3000 characters"),
        (pdf_files.pdf([["slow"] * 30_000] * 9), {"seconds": 0.8}, UnsafeInputError, "takes over 1 s"),
        (pdf_files.pdf([["x"] * 9]), {"memory_bytes": 40_000_000}, UnsafeInputError, "more memory|damaged"),
    ],
    ids=["no PDF", "torn", "junk", "encrypted", "scan", "pages", "characters", "time", "memory"],
)
def test_pdfs_that_cannot_be_read_are_refused_in_one_line(
    data: bytes, limits: dict[str, Any], error: type[Exception], reason: str
) -> None:
    with pytest.raises(error, match=reason) as caught:
        pdf_text("x.pdf", data, PdfLimits(**limits))
    assert str(caught.value).startswith("x.pdf: ")
    assert "\n" not in str(caught.value)
