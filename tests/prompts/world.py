"""Two small worlds that prompts are rendered with, a tidal power station and a bronze mirror: `worlds/<lang>.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import yaml

from memorybank.memory.contracts import NodeInfo
from memorybank.memory.types import Lang

LANGS: Final[tuple[Lang, ...]] = ("en", "zh")
WORLDS: Final[dict[Lang, dict[str, Any]]] = {
    lang: yaml.safe_load(Path(__file__).with_name("worlds").joinpath(f"{lang}.yaml").read_text("utf-8"))
    for lang in LANGS
}
MEMORIES: Final = ("operator", "feature", "log")


def memory(name: str, lang: Lang) -> NodeInfo:
    told = {key: value for key, value in WORLDS[lang]["memories"][name].items() if key != "document"}
    return NodeInfo.model_validate(told)


def document(name: str, lang: Lang) -> str:
    """The document that a memory comes from."""
    return str(WORLDS[lang]["memories"][name]["document"])
