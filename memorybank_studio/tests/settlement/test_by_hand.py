"""Natural prose as a careful reader settled it and summed it up, who saw nothing but the requests (`hand/*.yaml`)."""

from __future__ import annotations

from importlib import resources
from typing import Any

import pytest
import yaml

from memorybank.memory.types import Lang
from memorybank_studio.drafts import Extracted, extracted
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.by_model import ModelExtract
from memorybank_studio.settlement.comparison import marked
from memorybank_studio.tasks.model_summaries import ModelSummary
from memorybank_studio.tests.tasks.studio import character, turns_of
from memorybank_studio.types import Fact, Plan, TaskId
from memorybank_studio.writes import Mark
from tests.engines.llm.scripted import ScriptedChat

LANGS: tuple[Lang, ...] = ("en", "zh")
PEOPLE = {"en": ("Joss Roe", "Perrin"), "zh": ("周阿季", "裴林")}
CHANGED = {"en": "- Perrin owns harbour keys (since chapter 15)", "zh": "- 裴林拥有码头的钥匙（自第15章起）"}


def recorded(lang: Lang) -> dict[str, Any]:
    return yaml.safe_load((resources.files(__package__) / "hand" / f"{lang}.yaml").read_text("utf-8"))  # type: ignore[no-any-return]


def settled(stores: Stores, lang: Lang) -> tuple[Extracted, ScriptedChat]:
    joss, perrin = (character(name) for name in PEOPLE[lang])
    stores.facts.apply([joss, perrin], [])
    chat = ScriptedChat([recorded(lang)["settlement"]])
    return extracted(
        ModelExtract(chat, stores, lang), turns_of([text.strip() for text in recorded(lang)["turns"]]), TaskId("t1")
    ), chat


@pytest.mark.parametrize("lang", LANGS)
def test_every_statement_of_natural_prose_is_a_row_or_not_taken(stores: Stores, lang: Lang) -> None:
    out, chat = settled(stores, lang)
    assert len(chat.requests) == 1, "nothing was left out"
    assert out.unread == ()
    assert [line.turn for line in out.not_taken] == [3, 3]
    rows = marked(out.drafts, TaskId("t1"), stores, lang)
    assert {row.mark for row in rows} == {Mark.NEW}
    unnamed = {"en": [], "zh": ["MEMBER_OF"]}
    assert [row.item.predicate for row in rows if not row.ticked] == unnamed[lang], "帮里 does not name the guild"
    told = {row.shown for row in rows if isinstance(row.item, Fact)}
    expected = {
        "en": {
            "Joss Roe owns harbour keys (since chapter 14)",
            "Perrin knows of Tamsin Roe (since chapter 14; what: she is going blind)",
            "Customs House killed Kit",
        },
        "zh": {
            "周阿季拥有码头的钥匙（自第14章起）",
            "裴林知道唐婆婆（自第14章起；内容：她眼睛快瞎了）",
            "盐运司杀死周阿吉",
        },
    }
    assert expected[lang] <= told
    assert not any({"en": "hanged", "zh": "绞死"}[lang] in row.shown for row in rows), "only the later word is a row"
    plans = [row for row in rows if isinstance(row.item, Plan) and row.item.kind.name == "STEP"]
    assert [row.turns for row in plans] == [(2, 3), (3,)], "what was taken of an offer names both turns"


@pytest.mark.parametrize("lang", LANGS)
def test_a_careful_summary_stands_whole_against_the_turns_and_the_record(lang: Lang) -> None:
    chat = ScriptedChat([recorded(lang)["summary"]])
    summary = ModelSummary(chat, tokens=400, lang=lang)(
        turns_of([text.strip() for text in recorded(lang)["turns"]]), "", [CHANGED[lang]]
    )
    assert len(chat.requests) == 1, "nothing to ask about"
    lines = [line for line in summary.text.splitlines() if line.startswith("- ")]
    assert len(lines) == sum(map(len, recorded(lang)["summary"].values())), "no line went"
    assert "15" in summary.text, "what has changed on record is told"
