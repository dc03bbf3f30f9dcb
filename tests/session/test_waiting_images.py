"""Which waiting images a round has read, and with what text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from memorybank.memory.types import ImageId, Lang, StagedImage
from memorybank.session.markup import write_image
from memorybank.session.waiting_images import READER, cited_name, images_read
from memorybank.tools.base import ToolResult

POSTER = StagedImage(
    id=ImageId("i1"), name="poster.png", sha256="0" * 64, media_type="image/png", width=4, height=4, size=9
)


def called(tool: str, text: str, *, empty: bool = False, **arguments: str) -> tuple[str, Mapping[str, str], ToolResult]:
    return tool, arguments, ToolResult(text=text, empty=empty)


def test_a_block_on_an_image_that_was_not_read_is_no_reading() -> None:
    made_up = write_image("i1", "PLATFORM 12", readable=True)
    used = [called(READER, "a filed one", image_id="a1"), called("visit", "a page", image_id="i1")]
    assert images_read(made_up, used, [POSTER]) == []


@pytest.mark.parametrize(
    ("lang", "found_in", "name"),
    [
        ("en", "", "poster.png"),
        ("en", "https://a.org/page.html", "poster.png, an image of https://a.org/page.html"),
        ("zh", "报告.pdf", "poster.png（报告.pdf 中的图片）"),
        ("en", "https://a.org/img/poster.png?w=1", "https://a.org/img/poster.png?w=1"),
        ("en", "https://[broken", "poster.png, an image of https://[broken"),
    ],
)
def test_it_is_cited_by_its_name_and_the_page_that_shows_it(lang: Lang, found_in: str, name: str) -> None:
    assert cited_name(replace(POSTER, found_in=found_in), lang) == name
