"""What a model is told of the tools: the same names and arguments in both languages, the words in the session's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.hosting.ready_tasks import demo_image
from memorybank.language.text import cjk_share
from memorybank.memory.types import Lang
from memorybank.session.session import Session
from memorybank.settings.config import Settings, WebSettings
from memorybank.tools.base import Tool
from tests.prompts import rendered
from tests.scripted import parts, source


def tools(folder: Path, lang: Lang, *, image: bool = True, web: bool = True) -> list[Tool]:
    settings = Settings(engine="scripted", web=WebSettings(visit=web, serper_key="key" if web else ""))
    images = [("label.png", demo_image("webb_label_en.png"))] if image else []
    with Session.start(
        folder, parts(lang=lang, settings=settings), sources=[source("a text")], images=images
    ) as session:
        session.step()
        return session.parts.tools(lambda: session.bank, session.folder)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_tool_says_what_it_is_for_in_the_language_of_the_session(tmp_path: Path, lang: Lang) -> None:
    told = {web: tools(tmp_path / str(web), lang, web=web) for web in (True, False)}
    lines = [f"{tool.name}({', '.join(tool.parameters['properties'])})\n{tool.description}" for tool in told[True]]
    lines += [f"{tool.name}, without the web\n{tool.description}" for tool in told[False][:2]]
    rendered.check(f"tools.{lang}", "\n\n".join(lines))
    for tool in told[True]:
        assert (cjk_share(tool.description) > 0.4) is (lang == "zh"), tool.name


def test_names_and_arguments_are_the_same_in_both(tmp_path: Path) -> None:
    english, chinese = tools(tmp_path / "en", "en"), tools(tmp_path / "zh", "zh")
    assert [(tool.name, json.dumps(tool.parameters)) for tool in english] == [
        (tool.name, json.dumps(tool.parameters)) for tool in chinese
    ]


def test_no_image_no_tool_that_reads_images(tmp_path: Path) -> None:
    assert [tool.name for tool in tools(tmp_path / "run", "en", image=False)] == ["search", "visit", "deep_retrieval"]
