"""Takes the pictures of the README and the docs from a real demo run, so that they cannot rot (`make pictures`).

The app is started as a person starts it, the demo is run once a language by its first button, and each page is looked
at in both themes. What is in the pictures was therefore computed by this version, here, from recorded answers.

Beside them, in `.pictures/`, lie those that are only for looking at: every page and every scene of the story, at the
width of a phone, a notebook and a projector. They are never committed.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from animation import save_fold  # noqa: E402
from PIL import Image  # noqa: E402

from memorybank.hosting.ready_tasks import demo_corpus, ready_tasks  # noqa: E402
from memorybank.runs.run_folder import load  # noqa: E402
from memorybank.views.story import build_scenes, scene_sentence  # noqa: E402
from memorybank_lab.bench.browser import browser, served  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
LANGS = {"en": "en-GB", "zh": "zh-CN"}
SCHEMES = ("light", "dark")
PAGES = ("session", "graph", "conflicts", "tree", "prompt", "replay", "settings")
SIZE = {"width": 1440, "height": 960}
LOOKS = ROOT / ".pictures"
WIDTHS = {420: 900, 1280: 800, 1920: 1080}
"""Widths and heights, in pixels, at which everything is looked at."""
COLOURS = 200
"""A screenshot has few; a palette makes it a third of the size."""
A_RUN = 240_000


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    LOOKS.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        browser() as chromium,
        served(Path(folder), EMBEDDING_MODEL="auto") as server,
    ):
        for lang, locale in LANGS.items():
            page = _run_demo(chromium, server.address, lang, locale)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                for name in PAGES:
                    _save(_picture(page, name), f"{name}-{lang}-{scheme}.png")
            run = _run_of(server, lang)
            for width, height in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": height})
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    for name, picture in _everything(page, server.address, run, lang):
                        (LOOKS / f"{name}-{lang}-{scheme}-{width}.png").write_bytes(picture)
            page.set_viewport_size(SIZE)
            page.goto(f"{server.address}/settings?lang={lang}")
            for name, picture in _studio(page, *TOLD[lang]):
                _save(picture, f"{name}-{lang}.png")
            if lang == "en":
                page.emulate_media(color_scheme="light")
                page.goto(server.page("", run.name))  # the page at the root: by its own name it is not found
                save_fold(page, run, FOLDER / "fold.webp")
            page.context.close()
        _batch(chromium, server)


def _batch(chromium: Any, server: Any) -> None:
    """A batch of the demo's questions below the app's own folder, as its page shows it."""
    tasks = server.storage.parent / "tasks.jsonl"
    tasks.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in _lines()), "utf-8")
    command = ("batch", str(tasks), "--out", str(server.storage / "demo-questions"))
    subprocess.run([sys.executable, "-m", "memorybank", *command], check=True, cwd=ROOT)  # noqa: S603
    for lang, scheme in (("en", "light"), ("zh", "dark")):
        page = chromium.new_context(viewport=SIZE, locale=LANGS[lang], color_scheme=scheme).new_page()
        page.goto(f"{server.address}/replay?lang={lang}")
        page.locator(".batch-table").wait_for(timeout=60_000)
        page.wait_for_timeout(1_500)
        _save(page.screenshot(), f"batch-{lang}-{scheme}.png")
        page.context.close()


def _lines() -> Iterator[dict[str, Any]]:
    for lang in LANGS:
        for task in ready_tasks(lang):  # type: ignore[arg-type]
            corpus = str(demo_corpus(task.corpus))
            yield {"id": task.id, "task": task.task, "corpus": corpus, "lang": lang}


def _run_demo(chromium: Any, address: str, lang: str, locale: str) -> Any:
    """A tab in which the demo's button was pressed and the answer has come."""
    page = chromium.new_context(viewport=SIZE, locale=locale).new_page()
    page.goto(f"{address}/?lang={lang}")
    page.locator(".st-key-demo button").click(timeout=60_000)
    page.locator(".st-key-story-leave button").first.click(timeout=60_000)
    page.locator(".answer-box").first.wait_for(timeout=A_RUN)
    return page


def _run_of(server: Any, lang: str) -> Path:
    """The folder of the demo's run in a language."""
    runs = (path for path in server.storage.iterdir() if (path / "journal.jsonl").is_file())
    return next(run for run in runs if load(run)[0].event.lang == lang)


def _everything(page: Any, address: str, run: Path, lang: Any) -> Iterator[tuple[str, bytes]]:
    """Each page, then each scene of the story, by name. By address: on a phone the links lie in a menu."""
    for name in (*PAGES[1:], PAGES[0]):
        page.goto(f"{address}/{'' if name == 'session' else name}?run={run.name}&lang={lang}")
        page.wait_for_timeout(5_000)
        yield name, page.screenshot()
    scenes = build_scenes(load(run))
    for key in ("story-start", "story-pause"):  # there are two of each, for a pointer and for a finger
        page.locator(f".st-key-{key} button:visible").first.click()
    page.mouse.move(2, 400)
    for _ in scenes:  # it has gone on by itself until then
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(300)
    for place, scene in enumerate(scenes):
        if place:
            page.keyboard.press("ArrowRight")
        page.locator(".story-sentence", has_text=scene_sentence(scene, lang)).wait_for()
        page.wait_for_timeout(1_500)
        yield f"story-{place:02}", page.screenshot()
    page.locator(".st-key-story-leave button:visible").first.click()
    page.locator(".answer-box").first.wait_for()


TOLD = {
    "en": (
        "Item: Silver Whistle\nSettled: In chapter 3 Tomas Quill owns the Silver Whistle.\n"
        "Next step: Quill gives the Silver Whistle back to Ilse Marrow.",
        "Tomas Quill",
    ),
    "zh": ("物品：银哨\n事实：第三章，顾三拥有银哨。\n下一步：顾三把银哨还给林汐。", "顾三"),
}
"""What is settled in the demo project, and whose facts are looked at."""


def _studio(page: Any, settled: str, name: str) -> Iterator[tuple[str, bytes]]:
    """The settlement table of the demo project, and the facts of a character."""
    page.emulate_media(color_scheme="light")
    page.locator('a[href*="studio"]').first.click()
    page.locator(".st-key-studio-demo button").first.click(timeout=60_000)
    page.locator(".st-key-studio-task-title input").fill(name, timeout=A_RUN)
    page.locator(".st-key-studio-task-words textarea").fill(settled)
    page.locator("[data-testid=stForm]", has=page.locator(".st-key-studio-task-title")).locator("button").last.click()
    page.locator(".st-key-studio-settle-t2 button").first.click(timeout=A_RUN)
    page.locator(".st-key-studio-confirm button").wait_for(timeout=A_RUN)
    page.wait_for_timeout(1_500)
    yield "studio-settlement", page.screenshot()
    page.locator(".st-key-studio-confirm button").first.click()
    page.locator(".st-key-studio-written").wait_for(timeout=A_RUN)
    page.locator(".st-key-studio-view button").nth(2).click()
    page.locator(".st-key-studio-bible-part button").nth(1).click()
    page.locator(".st-key-studio-entity [data-testid=stSelectbox] button").click()
    page.get_by_role("option").filter(has_text=name).last.click()
    page.wait_for_timeout(1_500)
    yield "studio-facts", page.screenshot()


def _picture(page: Any, name: str) -> bytes:
    page.locator(f'a[href$="/{"" if name == "session" else name}"]').first.click()
    page.mouse.move(2, 400)
    page.wait_for_timeout(2_000)
    found: bytes = page.screenshot()
    return found


def _save(picture: bytes, name: str) -> None:
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    image.save(FOLDER / name, optimize=True)
    print(f"{name}: {(FOLDER / name).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
