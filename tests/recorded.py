"""A finished run for the tests of what only reads: a demo task, recorded once by the product's own path.

A picture, a PDF and code come with it, and papers that contradict each other on what is asked: what they dispute is
settled, what the demo corpus disputes is not.
"""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex

from memorybank.hosting.ready_tasks import demo_corpus, demo_image, ready_tasks
from memorybank.hosting.registry import read_uploads
from memorybank.hosting.run import Upload
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.settings.config import Settings

CODE = Upload(
    name="retry.py", data=b"def retry(times: int) -> None:\n    for _ in range(times):\n        print('again')\n"
)


_LAUNCHED = "The James Webb Space Telescope was launched from {}."
_HEADED = "中国天眼FAST的首席科学家是{}。"
GIVEN: dict[Lang, dict[str, str]] = {
    "en": {
        "launch_log.md": f"{_LAUNCHED.format('Kourou')} The tower was cleared at noon, and the wind was weak.\n",
        "launch_ticket.md": f"{_LAUNCHED.format('Kourou')} Dogs stay outside, and bags are searched twice.\n",
        "launch_poster.md": f"{_LAUNCHED.format('Cape Canaveral')} The poster hangs in a hotel beside the beach.\n",
    },
    "zh": {
        "值班记录.md": f"{_HEADED.format('南仁东')}塔台中午清场，风力很小，值班员换了两次岗。\n",
        "旧门票.md": f"{_HEADED.format('南仁东')}门票背面写着开放时间，宠物不得入内。\n",
        "旧海报.md": f"{_HEADED.format('王绶琯')}海报挂在山下旅馆的走廊里，边角已经卷起。\n",
    },
}
"""Handed over with the task: the last stands against the first two."""
FOUND: dict[Lang, dict[str, str]] = {
    "en": {
        "stamp_album.md": f"# A stamp album\n\n{_LAUNCHED.format('Kourou')} The blue stamp of 2022 shows a rocket "
        "above palm trees, and its edge is perforated by hand.\n\nCollectors pay forty francs for a clean sheet.\n",
        "port_diary.md": f"# Diary of a harbour master\n\n{_LAUNCHED.format('Kourou')} The ship with the crates had "
        "come through the Panama Canal, and the river had to be dredged for it.\n\nThe dredger left in March.\n",
    },
    "zh": {
        "邮册.md": f"# 邮册\n\n{_HEADED.format('南仁东')}蓝色的邮票上印着一口大锅，齿孔是手工打的。"
        "\n\n收藏者愿出四十元买一张。\n",
        "县志.md": f"# 县志摘抄\n\n{_HEADED.format('南仁东')}平塘县通了高速公路，山里的集市搬到了镇上。"
        "\n\n旧桥三月拆除。\n",
    },
}
"""What a check finds beside the demo corpus: both speak for the first two."""


@functools.cache
def recorded_run(lang: Lang = "en") -> RunFolder:
    """The demo task of a language with the embedding that needs no model. Do not write into it: copy it first."""
    ours = os.environ.get("PYTEST_XDIST_TESTRUNUID") or token_hex()
    shared = Path(tempfile.gettempdir(), f"recorded-{ours}-{lang}")
    if shared.exists():  # by another process of the same tests
        return RunFolder(shared)
    home = Path(tempfile.mkdtemp(prefix="recorded-"))
    folder = RunFolder(home / "run")
    task = next(one for one in ready_tasks(lang) if one.images)
    corpus = shutil.copytree(demo_corpus(task.corpus), home / "corpus")
    for name, text in FOUND[lang].items():
        (corpus / name).write_text(text, "utf-8")
    settings = replace(Settings(), embedding_model="hashed-ngrams", lang=lang, corpus=corpus)
    pdf = next(demo_corpus("en").glob("*.pdf"))
    given = [Upload(name=name, data=text.encode()) for name, text in GIVEN[lang].items()]
    sources = read_uploads([CODE, Upload(name=pdf.name, data=pdf.read_bytes()), *given], folder)
    images = [(name, demo_image(name)) for name in task.images]
    with Session.start(
        folder.path, assemble(settings, [task.task]), goal=task.task, sources=sources, images=images
    ) as session:
        session.run()
    with suppress(OSError):  # another was faster
        folder.path.rename(shared)
    return RunFolder(shared)
