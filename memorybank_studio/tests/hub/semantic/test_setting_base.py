from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError, LockedError, StoreUnavailableError
from memorybank_studio.hub.archive import Archive, halves
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.tests.hub.semantic.made import HOSTILE, chapter, setting
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


SENTENCE = "他沿着山路慢慢地走了下去，一路上没有遇见一个人。"


@given(st.lists(st.sampled_from([SENTENCE, "It rained on the hill. ", "山" * 150, "\n"])).map("".join) | st.text())
def test_the_halves_joined_are_the_text(text: str) -> None:
    parts = halves(text)
    assert "".join(parts) == text
    assert len(parts) <= 2
    assert all(parts) or parts == [""]


def test_a_long_text_is_cut_near_its_middle_between_sentences() -> None:
    first, second = halves(SENTENCE * 16)
    assert abs(len(first) - len(second)) <= len(SENTENCE)
    assert first.endswith("。")
    assert halves(SENTENCE) == [SENTENCE]
    assert len(halves("山" * 500)) == 1


class Another(HashedNgrams):
    name = "another-model"


def test_another_model_is_told_and_what_to_do(tmp_path: Path) -> None:
    place = ChromaSettings(folder=tmp_path)
    with Chroma(place, HashedNgrams()) as chroma:
        Archive(chroma).put(chapter(1, ["甲"]))
    with Chroma(place, Another()) as chroma:
        with pytest.raises(InputError, match="EMBEDDING_MODEL=hashed-ngrams"):
            Archive(chroma).chapters()
        Settings(chroma).put([setting("a", "b")])  # its own collection, of the new model
    with Chroma(place, HashedNgrams()) as chroma:
        assert Archive(chroma).chapters() == ((1, "第1回"),)


def test_one_process_has_the_folder(chroma: Chroma, tmp_path: Path) -> None:
    Archive(chroma).put(chapter(1, ["甲"]))
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as second, pytest.raises(LockedError, match="in use"):
        Archive(second).chapters()
    chroma.close()
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as third:
        assert Archive(third).chapters()
    assert Archive(chroma).chapters() == ((1, "第1回"),), "a closed one opens again when it is used"


def test_a_folder_that_cannot_be_used_is_told_and_used_once_it_can(tmp_path: Path) -> None:
    place = tmp_path / "studio"
    place.write_text("a file where the folder should be")
    with Chroma(ChromaSettings(folder=place), HashedNgrams()) as chroma:
        archive = Archive(chroma)
        with pytest.raises(StoreUnavailableError, match="studio"):
            archive.put(chapter(1, ["甲"]))
        place.unlink()
        archive.put(chapter(1, ["甲"]))
        assert archive.chapters() == ((1, "第1回"),)


def test_files_that_are_no_database_are_told(tmp_path: Path) -> None:
    (tmp_path / "chroma").mkdir()
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"not a database" * 100)
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as chroma:
        for _ in range(2):
            with pytest.raises(StoreUnavailableError, match="the studio's own Chroma"):
                Archive(chroma).chapters()


@pytest.mark.parametrize(
    "url",
    ["ftp://127.0.0.1:1", "127.0.0.1:8000", "http://me:secret@127.0.0.1:1", "http://127.0.0.1:99999", "http://h:1/api"],
)
def test_a_url_that_is_none_is_refused_without_its_secret(url: str) -> None:
    with pytest.raises(InputError) as caught:
        Chroma(ChromaSettings(url=url), HashedNgrams())
    assert "secret" not in str(caught.value)


def test_settings_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        Chroma(ChromaSettings(), HashedNgrams())
    with pytest.raises(InputError, match="prefix"):
        Chroma(ChromaSettings(folder=tmp_path, prefix="a/b"), HashedNgrams())
    assert "key" not in repr(ChromaSettings(folder=tmp_path, token="key"))


def test_without_the_extra_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    archive = Archive(Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()))
    with pytest.raises(StoreUnavailableError, match=r"pip install \"agentic-memory-bank\[studio\]\""):
        archive.chapters()
