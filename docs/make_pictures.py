"""Takes the pictures of the README and the docs from a real demo run, so that they cannot rot (`make pictures`).

The app is started as a person starts it, the demo is run once a language by its first button, and each page is looked
at in both themes. What is in the pictures was therefore computed by this version, here, from recorded answers.
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
from memorybank_lab.bench.browser import browser, served  # noqa: E402
from memorybank_studio.page.demo import demo  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
LANGS = {"en": "en-GB", "zh": "zh-CN"}
SCHEMES = ("light", "dark")
PAGES = ("session", "graph", "conflicts", "tree", "prompt", "replay", "settings")
SIZE = {"width": 1440, "height": 960}
COLOURS = 200
"""A screenshot has few; a palette makes it a third of the size."""
A_RUN = 240_000


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
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
            for name, picture in _studio(page, demo(lang).steps):  # type: ignore[arg-type]
                _save(picture, f"{name}-{lang}.png")
            if lang == "en":
                run = next(path for path in server.storage.iterdir() if (path / "journal.jsonl").is_file())
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


def _studio(page: Any, steps: Any) -> Iterator[tuple[str, bytes]]:
    """The writing studio's tour: the settlement table, and the facts of a character."""
    page.emulate_media(color_scheme="light")
    page.locator('a[href*="studio"]').first.click()
    page.locator(".st-key-studio-demo button").first.click(timeout=60_000)
    page.locator(".st-key-studio-tour").wait_for(timeout=A_RUN)
    for place, step in enumerate(steps):
        page.wait_for_timeout(1_500)
        if step.confirm:
            yield "studio-settlement", page.screenshot()
        if step.send or step.confirm:
            page.locator(".st-key-studio-tour-do button").first.click()
            page.wait_for_timeout(4_000)
        if step.entity:
            yield "studio-facts", page.screenshot()
        if place + 1 < len(steps):
            page.locator(".st-key-studio-tour-next button").first.click()


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
