"""The slider in a real browser: on the Replay page and, as one line, above the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Locator, Page

from memorybank.memory.events import TaskExecuted
from memorybank.runs.run_folder import load
from memorybank.views.run.track import Track
from memorybank.views.story import build_scenes, scene_sentence
from tests.app.looking import at_rest
from tests.recorded import recorded_run
from tests.serving import RUN, served_run
from tests.watching import expect


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_run(tmp_path_factory.mktemp("app")) as url:
        yield url


@pytest.fixture(scope="module")
def track() -> Track:
    found = Track()
    found.read(load(recorded_run().path))
    return found


@contextmanager
def opened(browser: Browser, address: str, lang: str = "en") -> Iterator[tuple[Page, Locator]]:
    """The Replay page at its newest event, and the slider. Leaving it asserts that no error was logged."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"{address}/?run={RUN}&lang={lang}")
    expect(page.locator(".st-key-continue-run")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Replay" if lang == "en" else "回放").click()
    slider = page.get_by_role("slider", name="Moment of the run" if lang == "en" else "运行到的时刻")
    expect(slider).to_be_visible(timeout=60_000)
    expect(page.locator("[data-moment]")).to_have_count(1, timeout=60_000)
    yield page, slider
    assert errors == []
    context.close()


def shows(page: Page, k: int) -> None:
    """The page has come to this moment, not the slider alone."""
    expect(page.locator("[data-moment]")).to_have_attribute("data-moment", str(k))


def value(slider: Locator) -> int:
    return int(slider.input_value())


def test_by_keyboard_event_by_event_and_stage_by_stage(browser: Browser, address: str, track: Track) -> None:
    with opened(browser, address) as (page, slider):
        newest = track.count
        shows(page, newest)
        rounds = sum(isinstance(record.event, TaskExecuted) for record in load(recorded_run().path))
        expect(slider).to_have_attribute("aria-valuetext", f"Event {newest} of {newest} · Finish, round {rounds}")
        slider.focus()
        page.keyboard.press("ArrowLeft")
        shows(page, newest - 1)
        expect(page).to_have_url(re.compile(rf"k={newest - 1}"))
        page.keyboard.press("Shift+ArrowLeft")
        shows(page, track.borders[-2])
        page.keyboard.press("PageDown")
        shows(page, track.borders[-3])
        page.keyboard.press("Shift+ArrowRight")
        shows(page, track.borders[-2])
        page.keyboard.press("Home")
        shows(page, 0)
        expect(page.get_by_role("button", name="One event back (←)")).to_be_disabled()
        page.keyboard.press("End")
        shows(page, newest)
        expect(page).not_to_have_url(re.compile("k="))  # at the newest event one follows what comes
        expect(page.get_by_role("button", name="Now", exact=True)).to_be_disabled()


def test_dragging_tells_as_it_goes_and_ends_at_the_last_place(browser: Browser, address: str, track: Track) -> None:
    with opened(browser, address) as (page, slider):
        sent: list[int] = []
        at_rest(page)
        box = slider.bounding_box()
        assert box is not None
        y = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] - 8, y)
        page.mouse.down()
        for share in range(95, 35, -5):
            page.mouse.move(box["x"] + box["width"] * share / 100, y)
            sent.append(value(slider))
        page.mouse.up()
        assert len(set(sent)) > 8
        shows(page, value(slider))
        assert abs(value(slider) - track.count * 0.4) < track.count * 0.03


def test_a_mark_leads_to_its_event_and_says_what_it_is(browser: Browser, address: str, track: Track) -> None:
    with opened(browser, address) as (page, slider):
        first = next(tick for tick in track.ticks if tick.kind == "conflict")
        mark = page.locator(".track .mark.conflict").first
        assert (mark.get_attribute("title") or "").startswith(first.words("en")[:30])
        mark.click()
        shows(page, first.seq)
        assert value(slider) == first.seq
        shapes = page.locator(".legend li .mark").evaluate_all("marks => marks.map(mark => mark.className)")
        assert shapes == ["mark task", "mark conflict", "mark verdict", "mark merge", "mark answer"]


def test_playing_runs_by_stages_and_stops_at_the_end(browser: Browser, address: str, track: Track) -> None:
    with opened(browser, address) as (page, slider):
        page.locator(".track .mark.answer").click()
        page.get_by_role("button", name="Stages").click()
        page.get_by_role("button", name="5×", exact=True).click()
        page.get_by_role("button", name="Play (space)").click()
        shows(page, track.count)
        expect(page.get_by_role("button", name="Play (space)")).to_be_visible()
        expect(page).not_to_have_url(re.compile("k="))
        slider.focus()
        for _ in range(8):
            page.keyboard.press("Shift+ArrowLeft")
        page.get_by_role("button", name="Events").click()
        page.get_by_role("button", name="0.5×", exact=True).click()  # it is not over before it was seen to play
        slider.focus()
        before = value(slider)
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Pause (space)")).to_be_visible()
        expect(slider).not_to_have_value(str(before))
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Play (space)")).to_be_visible()
        shows(page, value(slider))


def test_by_scenes_the_story_plays_from_here(browser: Browser, address: str, track: Track) -> None:
    scenes = build_scenes(load(recorded_run().path))
    with opened(browser, address) as (page, slider):
        page.locator(".track .mark.conflict").first.click()
        here = value(slider)
        shows(page, here)
        first = next(place for place, scene in enumerate(scenes) if scene.seq >= here)
        page.get_by_role("button", name="Stages").click()
        page.get_by_role("button", name="Story", exact=True).last.click()
        page.get_by_role("button", name="Play (space)").click()
        sentence = page.locator(".story-sentence")
        pause = page.locator(".st-key-story-pause")
        expect(pause).to_contain_text("Pause")
        pause.get_by_role("button").click()
        expect(pause).to_contain_text("Play")
        expect(sentence).to_have_text(scene_sentence(scenes[first], "en"))
        shows(page, scenes[first].seq)
        pause.get_by_role("button").click()
        expect(pause).to_contain_text("Pause")
        page.locator(".st-key-story-speed button").last.click()
        expect(sentence).to_have_text(scene_sentence(scenes[first + 1], "en"))  # by itself
        page.keyboard.press("Escape")
        shows(page, track.count)


def test_the_other_pages_have_the_moment_in_one_line(browser: Browser, address: str, track: Track) -> None:
    with opened(browser, address, "zh") as (page, slider):
        page.locator(".track .mark.conflict").first.click()
        k = value(slider)
        shows(page, k)
        page.get_by_role("link", name="冲突与合并").click()
        line = page.locator(".timeline.compact")
        expect(line).to_be_visible()
        expect(line.locator(".where")).to_have_text(f"第 {k} / {track.count} 个事件 · 分析")  # before the first round
        line.get_by_role("button", name="前进一个事件（→）").click()
        expect(page).to_have_url(re.compile(rf"k={k + 1}"))
        expect(line.locator(".where")).to_contain_text(f"第 {k + 1} / {track.count}")
        line.get_by_role("button", name="回到最新").click()
        expect(line).to_have_count(0)
        expect(page).not_to_have_url(re.compile("k="))
