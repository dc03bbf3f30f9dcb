"""What an agent's failure left out is told on the Session page and in the Tree, and filed again by a button."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.memory.types import Lang
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank.ui.shell import state
from memorybank.views.i18n import t
from tests.app.driving import rest, says
from tests.app.recorded_page import RUN_ID, bank_of
from tests.scripted import Failing

TEXTS = {
    "en": ("The Tamar Bridge was opened in 1961. It is 335 metres long.", "The Orrin lighthouse was lit in 1871."),
    "zh": ("塔马大桥于1961年通车。桥长335米。", "奥林灯塔于1871年点亮。"),
}
GOALS = {"en": "When was the Tamar Bridge opened?", "zh": "塔马大桥是哪一年通车的？"}
SPOILT = {"en": "lighthouse", "zh": "灯塔"}
"""The word of the text whose classification fails."""
REASON = "gave no usable classification in two tries"


def failing_run(folder: Path, lang: Lang) -> None:
    """A run whose classification failed on one of two texts."""
    ready = assemble(Settings(embedding_model="hashed-ngrams", lang=lang), [GOALS[lang]])
    names = ("classification", "structure", "analysis", "integration", "planning")
    agents = {name: getattr(ready.engine, name) for name in names}
    agents["classification"] = Failing(agents["classification"], lambda given: SPOILT[lang] in given.text, REASON)
    engine = SimpleNamespace(name=ready.engine.name, **agents)
    sources = [Source(name=f"note{at}.txt", text=text, kind="text") for at, text in enumerate(TEXTS[lang], start=1)]
    with Session.start(folder, replace(ready, engine=engine), goal=GOALS[lang], sources=sources) as session:  # type: ignore[arg-type]
        assert session.run().result == "complete_with_failures"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_failed_is_told_and_filed_again(app: AppTest, lang: Lang) -> None:
    failing_run(state.runs().root / RUN_ID, lang)
    app.query_params["run"] = RUN_ID
    app.query_params["lang"] = lang
    app.run()
    assert not [one for one in app.button if one.key == "refile"], "what is only read is not changed"
    app.button(key="continue-run").click().run()
    rest(app)
    assert says(app, t("run.result.complete_with_failures", lang))
    assert says(app, t("session.left_undone", lang, count=1))
    assert says(app, REASON)
    assert says(app, t("session.answer_failures", lang, count=1))
    app.switch_page("pages/4_tree.py").run()
    assert says(app, t("tree.failed", lang, count=1))
    size = len(TEXTS[lang][1])
    assert says(app, t("tree.failed_part", lang, part=size, whole=size))
    assert says(app, REASON)
    app.switch_page("pages/1_session.py").run()
    nodes = len(bank_of(app).graph.nodes)
    app.button(key="refile").click().run()
    rest(app)
    assert not app.exception
    assert len(bank_of(app).graph.nodes) > nodes
    app.run()
    assert not [one for one in app.button if one.key == "refile"]
    assert not says(app, t("session.left_undone", lang, count=1))
    assert says(app, t("run.result.complete_with_failures", lang)), "what failed once stays told"
