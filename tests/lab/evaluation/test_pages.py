from __future__ import annotations

import gzip
import json
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError
from memorybank.lab.evaluation import pages
from memorybank.lab.evaluation.pages import (
    SpecimenPage,
    SpecimenPicture,
    edits,
    f1,
    f1_score,
    folded,
    main_text,
    precision_recall,
    shingles,
    unread,
)

ARTICLE = (
    "The old lighthouse on Skerry Rock was lit again on Friday evening after a silence of forty years. "
    "Volunteers had repaired its lens, its clockwork and the long iron stair that the storms had torn away. "
    "Some three hundred people watched from the harbour, many of them with children on their shoulders. "
    "The keeper's granddaughter turned the key, and the beam went out over the water as it once had done."
)
PAGE = f"""<!doctype html><html><head><title>Lighthouse lit again</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News of the coast and of the islands</a></li></ul></nav>
<article><h1>Lighthouse lit again</h1><p>{ARTICLE}</p></article>
<footer>Copyright of the Skerry Gazette, all rights reserved, write to the editor</footer></body></html>"""


def test_precision_and_recall_are_over_shingles_of_four_words() -> None:
    truth = "one two three four five six"
    assert list(shingles(truth)) == [
        ("one", "two", "three", "four"),
        ("two", "three", "four", "five"),
        ("three", "four", "five", "six"),
    ]
    assert precision_recall(truth, truth) == (1.0, 1.0)
    assert precision_recall(truth, "menu one two three four five") == (2 / 3, 2 / 3)
    assert precision_recall(truth, "") == (0.0, 0.0)
    assert precision_recall("one two", "one, two!") == (1.0, 1.0)
    twice = f"{truth} {truth}"
    assert precision_recall(truth, twice)[0] == pytest.approx(3 / 9), "what is said twice is right once"


def test_f1_is_of_the_mean_precision_and_recall() -> None:
    score = f1_score("set", "engine", [(1.0, 0.5), (0.5, 1.0)], goal=0.95)
    assert score.value == pytest.approx(0.75)
    assert (score.n, score.goal, score.holds) == (2, 0.95, False)
    assert score.low <= score.value <= score.high
    assert f1(0.0, 0.0) == 0.0


def test_a_page_is_read_as_visit_reads_it_without_the_title_put_first() -> None:
    text = main_text(SpecimenPage(url="https://gazette.example/a", html=PAGE.encode(), article=ARTICLE))
    assert precision_recall(ARTICLE, text) == (1.0, 1.0)
    assert "Copyright" not in text
    assert main_text(SpecimenPage(url="https://a.example/b", html=b"<html><body></body></html>", article="")) == ""


def test_edits_are_counted_as_by_hand() -> None:
    assert edits("kitten", "sitting") == 3
    assert edits("flaw", "lawn") == 2
    assert edits("", "abc") == 3
    assert edits("abc", "") == 3
    assert edits("九章二号", "九章三号机") == 2
    assert unread("aab", "ba") == 1
    assert folded(" １2 \n3，") == "123,"


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_edits_are_symmetric_and_bounded(one: str, other: str) -> None:
    assert edits(one, other) == edits(other, one)
    assert abs(len(one) - len(other)) <= edits(one, other) <= max(len(one), len(other))
    assert (edits(one, other) == 0) == (one == other)
    assert unread(one, other) <= edits(one, other)


def test_a_picture_goes_the_way_of_a_staged_one() -> None:
    image = Image.new("RGB", (420, 60), "white")
    ImageDraw.Draw(image).text((10, 8), "Harbour 1932", fill="black", font_size=40)
    written = BytesIO()
    image.save(written, "PNG")
    picture = SpecimenPicture(name="sign.png", data=written.getvalue(), text="Harbour 1932")
    assert edits(folded(picture.text), pages.read_text(picture)) <= 1
    assert picture.lang == "en"


def test_the_sets_are_read_from_their_folder(tmp_path: Path) -> None:
    html = tmp_path / "web_en" / "html"
    html.mkdir(parents=True)
    (html / "key.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    truth = {"key": {"articleBody": ARTICLE, "url": "https://gazette.example/a"}}
    (tmp_path / "web_en" / "ground-truth.json").write_text(json.dumps(truth), "utf-8")
    scores, examples = pages.of_pages(list(pages.pages(tmp_path)), lambda _: None)
    by_name = {(score.system, score.measure): score.value for score in scores}
    assert by_name["engine", "F1"] == 1.0
    assert by_name["all text of the page", "recall"] == 1.0
    assert by_name["all text of the page", "precision"] < 1.0
    assert examples == [{"page": "https://gazette.example/a", "precision": "1.00", "recall": "1.00"}]
    with pytest.raises(InputError, match=r"truth\.json"):
        pages.run(tmp_path, HashedNgrams(), full=True, progress=lambda _: None)


def test_a_page_upside_down_has_the_truth_of_the_upright_one(tmp_path: Path) -> None:
    lines, scans = tmp_path / "ocr" / "cnocr", tmp_path / "ocr" / "tesseract"
    for folder in (lines, scans):
        folder.mkdir(parents=True)
    (lines / "truth.json").write_text(json.dumps({"line.png": ["第一行", "第二行"]}), "utf-8")
    (lines / "line.png").write_bytes(b"a line")
    (scans / "page.tif").write_bytes(b"a page")
    (scans / "page-rotated-180.png").write_bytes(b"turned")
    (scans / "page.gold.txt").write_text("A page.", "utf-8")
    (scans / "unknown.tif").write_bytes(b"no truth")
    (scans / "other.txt").write_text("Of no picture.", "utf-8")
    found = {picture.name: (picture.text, picture.lang) for picture in pages.pictures(tmp_path)}
    assert found == {
        "line.png": ("第一行\n第二行", "zh"),
        "page.tif": ("A page.", "en"),
        "page-rotated-180.png": ("A page.", "en"),
    }
