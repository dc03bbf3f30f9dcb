"""Packed pictures are read back by the browser's own code, and old frames stay true while the table grows."""

from __future__ import annotations

import json
from dataclasses import replace

from playwright.sync_api import Browser

from memorybank.views.drawing.graph.script import graph_script
from memorybank.views.graph.packing import Table, picture
from tests.views.graph.made_run import MadeRun

READ = """([items, frames]) => {
  const table = globalThis.__memorybank_graph.table();
  table.take(items.slice(0, 50));
  const early = table.picture(frames.at(-1)).nodes.length;
  table.take(items.slice(50));
  return { early, pictures: frames.map((frame) => table.picture(frame)) };
}"""


def test_the_browser_reads_what_python_packs(browser: Browser) -> None:
    run = MadeRun(200)
    views = [run.view(k) for k in range(0, run.length + 1, 40)]
    views.append(replace(run.view(300), lang="zh"))
    table = Table()
    frames = [table.pack(view) for view in views]
    page = browser.new_page()
    page.goto("about:blank")
    page.add_script_tag(content=graph_script())
    read = page.evaluate(READ, json.loads(json.dumps([table.items, frames])))
    page.close()
    for view, shown in zip(views, read["pictures"], strict=True):
        whole = json.loads(json.dumps(picture(view)))
        assert by_id(shown["nodes"]) == by_id(whole["nodes"])
        assert by_id(shown["edges"]) == by_id(whole["edges"])
        for key in ("legend", "looks", "options", "words", "dim", "description", "notice"):
            assert shown[key] == whole[key], key
    assert read["early"] < len(views[-1].nodes), "what is not known yet is left out"
    packed, loose = len(json.dumps([table.items, frames])), len(json.dumps([picture(view) for view in views]))
    assert packed * 4 < loose
    assert len(frames[-2]["nodes"]) < 2.5 * len(views[-2].nodes)


def by_id(items: list[dict[str, object]]) -> dict[object, dict[str, object]]:
    found = {item["id"]: item for item in items}
    assert len(found) == len(items)
    return found


def test_one_and_true_are_not_the_same_in_the_browser() -> None:
    table = Table()
    numbers = [table.value({"dashes": value}) for value in (1, 1.0, True, [1], [True], "1", 1)]
    assert numbers == [0, 1, 2, 3, 4, 5, 0]
