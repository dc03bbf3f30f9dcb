"""Boxes drawn over others: whatever the two trees, the page ends with the new one, and what stays is not touched."""

from __future__ import annotations

import random
from typing import Any

from playwright.sync_api import Browser, Page

from memorybank.views.drawing.rich.script import rich_script

PAGE = '<div id="one"><div class="rich"></div></div><div id="other"><div class="rich"></div></div>'
DRAW = """([name, boxes]) => globalThis.__memorybank_rich.draw({
  data: { boxes },
  parentElement: document.getElementById(name),
  setStateValue: (key, { what }) => { globalThis.chosen = what; },
})"""
EACH = f"""(trees) => trees.filter((boxes) => {{
  const draw = {DRAW};
  document.querySelector("#other").innerHTML = '<div class="rich"></div>';
  draw(["one", boxes]);
  draw(["other", boxes]);
  return one.innerHTML !== other.innerHTML;
}})"""


def opened(browser: Browser) -> Page:
    page = browser.new_page()
    page.set_content(PAGE)
    page.add_script_tag(content=rich_script(), type="module")
    page.wait_for_function("globalThis.__memorybank_rich")
    return page


def tree(chance: random.Random, depth: int = 0) -> list[Any]:
    def child() -> Any:
        if depth > 2 or chance.random() < 0.4:
            return chance.choice(["a", "b", ""])
        extra = [{"choose": "node:n1"}] if chance.random() < 0.3 else []
        return [chance.choice(["p", "li"]), chance.choice(["", "x"]), tree(chance, depth + 1), *extra]

    return [child() for _ in range(chance.randrange(5))]


def test_whatever_was_there_the_new_boxes_are_there_in_the_end(browser: Browser) -> None:
    chance = random.Random(7)
    assert opened(browser).evaluate(EACH, [tree(chance) for _ in range(400)]) == []


def feed(*lines: int) -> list[Any]:
    return [["ol", "feed", [["li", "plain", [f"line {line}"], {"choose": f"moment:{line}"}] for line in lines]]]


def test_a_list_that_grows_at_its_beginning_keeps_its_lines_and_they_can_be_pressed(browser: Browser) -> None:
    page = opened(browser)
    page.evaluate(DRAW, ["one", feed(*range(30, 0, -1))])
    page.evaluate("[...one.querySelectorAll('li')].forEach((line) => { line.isTheSame = true; })")
    page.evaluate(DRAW, ["one", feed(*range(32, 0, -1))])
    kept = page.evaluate("[...one.querySelectorAll('li')].map((line) => Boolean(line.isTheSame))")
    assert kept == [False] * 2 + [True] * 30
    page.get_by_text("line 12", exact=True).click()
    assert page.evaluate("globalThis.chosen") == "moment:12"
