from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError
from memorybank.retrieval.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.tests.hub.semantic.made import HOSTILE, setting
from memorybank_studio.types import SearchHit

BLADE = setting("青霜剑", "一柄寒铁剑，遇血则鸣。", "物品")
LIN = setting("林远", "青云宗弟子，左手有疤。")
ANN = setting("Ann Reed", "A smith's daughter from Hill End.")


@pytest.fixture
def filled(settings: Settings) -> Settings:
    settings.put([BLADE, LIN, ANN])
    return settings


def test_exact_by_normal_key(filled: Settings) -> None:
    assert filled.exact("青霜剑") == BLADE
    assert filled.exact("  ann   REED ") == filled.exact("ＡＮＮ ＲＥＥＤ") == ANN
    assert filled.exact("青霜") is None
    assert filled.all() == (ANN, LIN, BLADE)


def test_the_same_key_again_replaces_the_entry(filled: Settings) -> None:
    changed = setting("ANN reed", "She forges swords.")
    filled.put([changed])
    assert filled.exact("Ann Reed") == changed
    assert len(filled.all()) == 3
    filled.put([setting("一", "甲"), setting("一", "乙")])
    entry = filled.exact("一")
    assert entry is not None
    assert entry.text == "乙"


def test_an_exact_key_comes_first_else_by_meaning(filled: Settings) -> None:
    assert filled.search("林远")[0] == SearchHit(item=LIN, score=1.0)
    assert filled.search("遇血则鸣的寒铁剑是什么", count=1)[0].item == BLADE
    assert filled.search("whose daughter is the smith's", count=1)[0].item == ANN
    assert len(filled.search("林远", count=2)) == 2
    assert len({hit.item.text for hit in filled.search("林远")}) == 3, "each once"
    assert filled.search("林远", count=0) == ()


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_keys_and_texts_are_data(settings: Settings, hostile: str) -> None:
    entry = setting(f"k{hostile}", hostile, hostile)
    settings.put([entry, LIN])
    assert settings.exact(entry.key) == entry
    assert set(settings.all()) == {entry, LIN}


@pytest.mark.parametrize("entry", [setting(" ", "a"), setting("a", " \n"), setting("a", "\ud800")])
def test_what_is_no_entry_is_refused(filled: Settings, entry: object) -> None:
    with pytest.raises(InputError):
        filled.put([setting("new", "text"), entry])  # type: ignore[list-item]
    assert len(filled.all()) == 3


def test_entries_outlive_the_process_that_wrote_them(tmp_path: Path) -> None:
    place = ChromaSettings(folder=tmp_path)
    with Chroma(place, HashedNgrams()) as chroma:
        Settings(chroma).put([BLADE])
    with Chroma(place, HashedNgrams()) as chroma:
        assert Settings(chroma).all() == (BLADE,)
