"""The page itself and its slides: no data can end its block or is markup, and the policy names what is ours."""

from __future__ import annotations

import base64
import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.html_export import export_html, html_file, page
from memorybank.views.html_export.panels import slides_html
from memorybank.views.story import build_scenes, scene_sentence
from tests.app.hostile_run import write_hostile_run
from tests.hostile import LONE_SURROGATE, OWNED, PAYLOADS
from tests.recorded import recorded_run
from tests.views.html_export.reading import PrintedSlide, data_in, slides_in

ROOT = Path(__file__).parents[3]
HOSTILE: dict[str, Any] = {"title": LONE_SURROGATE, **PAYLOADS, **{text: [text] for text in PAYLOADS.values()}}


def test_hostile_data_comes_back_and_leaves_no_mark_on_the_page() -> None:
    made, clean = page(HOSTILE, "en"), page({}, "en")
    assert data_in(made) == HOSTILE
    text = made.decode("utf-8")
    assert len(re.findall(r"<script[ >]", text)) == len(re.findall(r"<script[ >]", clean.decode("utf-8")))
    block = re.search(r'id="run">(.*?)</script>', text, re.DOTALL)
    assert block is not None
    assert not set(block[1]) & set("<>&\u2028\u2029")
    assert text.replace(block[1], "{}") == clean.decode("utf-8")


def test_the_policy_allows_our_code_by_its_hash_and_nothing_else() -> None:
    text = page({}, "zh").decode("utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules.keys() == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert (rules["default-src"], rules["img-src"], rules["base-uri"]) == ("'none'", "data:", "'none'")
    scripts = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert (len(scripts), len(styles)) == (2, 1)
    assert rules["script-src"].split() == [_hash(code) for code in scripts]
    assert rules["style-src"].split() == [_hash(code) for code in styles]
    assert text.index("Content-Security-Policy") < text.index("<style>") < text.index("<script")
    assert not re.search(r"\son\w+=|\sstyle=|javascript:|https?://(?!www\.w3\.org)", text.split("<script", 1)[0])
    assert '<html lang="zh-CN">' in text


def _hash(code: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode('utf-8')).digest()).decode()}'"


@pytest.mark.parametrize("code", ["x = '</script>'", "/* <!-- */", "a { } </STYLE >"])
def test_code_that_would_end_its_own_element_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="ends its own element"):
        html_file({}, "en", scripts=[code], style="")


def test_its_colours_are_those_of_the_app() -> None:
    themes = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    sheet = (ROOT / "memorybank" / "views" / "drawing" / "theme.css").read_text("utf-8")
    blocks = re.findall(r"\{[^{}]*--st[^{}]*\}", sheet)
    light, *dark = (dict(re.findall(r"--st-([\w-]+): ([^;]+);", block)) for block in blocks)
    names = {
        "primary-color": "primaryColor",
        "background-color": "backgroundColor",
        "secondary-background-color": "secondaryBackgroundColor",
        "text-color": "textColor",
        "border-color": "borderColor",
    }
    for ours, theirs in names.items():
        assert light[ours] == themes["light"][theirs]
        assert [block[ours] for block in dark if ours in block] == [themes["dark"][theirs]] * 2
    assert light["base-radius"] == themes["baseRadius"]


# -- the slides of a page: one for each decisive moment, and every text a text ----------------------------------------


ATTRIBUTES = {"class", "open"}
"""All that a slide needs: none of them leads anywhere, runs anything or looks like anything by itself."""


@pytest.fixture(scope="module", params=["en", "zh"])
def lang(request: pytest.FixtureRequest) -> Lang:
    chosen: Lang = request.param
    return chosen


@pytest.fixture(scope="module")
def slides(lang: Lang) -> list[PrintedSlide]:
    return slides_in(export_html(load(recorded_run(lang).path), None, lang))


def test_each_decisive_moment_is_a_slide_with_its_sentence(slides: list[PrintedSlide], lang: Lang) -> None:
    scenes = build_scenes(load(recorded_run(lang).path))
    assert [slide.sentence for slide in slides] == [scene_sentence(scene, lang) for scene in scenes]
    assert len({slide.kind for slide in slides}) > 5


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_texts_are_text(tmp_path: Path, lang: Lang) -> None:
    page = export_html(load(write_hostile_run(tmp_path, "ab" * 16)), None, lang)
    sections = [slide.element for slide in slides_in(page)]
    assert OWNED in "".join(text for section in sections for text in section.itertext())
    elements = [element for section in sections for element in section.iter()]
    assert {name for element in elements for name in element.attrib} <= ATTRIBUTES
    assert not any(OWNED in element.get("class", "") for element in elements)
    assert {element.tag for element in elements}.isdisjoint({"a", "script", "style", "img", "iframe", "form", "use"})


def test_before_anything_has_happened_there_are_no_slides() -> None:
    assert slides_html(load(recorded_run("en").path)[:1], "en") == '<div class="slides"></div>'
