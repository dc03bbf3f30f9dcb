"""How this server opens a studio: its embedding model, its language model where one is set, its stores.

The library's heavy parts are imported when the first studio is opened.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.settings import redaction
from memorybank.settings.config import Settings
from memorybank.ui.shell import state
from memorybank.ui.shell.server import SAMPLE
from memorybank_studio.page.demo import fill, is_filled
from memorybank_studio.page.recorded import played
from memorybank_studio.page.shelf import CARD, Card, Shelf

if TYPE_CHECKING:
    from memorybank.embedding.base import Embedder
    from memorybank.llm.base import ChatModel
    from memorybank_studio.studio import Studio

FOLDER = "studio"
"""Below the folder of the app's runs."""


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    return Shelf(state.runs().root / FOLDER, open_studio)


def open_studio(folder: Path, card: Card) -> Studio:
    """Raises LockedError, StoreUnavailableError, InputError, JournalError, ModelUnavailableError."""
    from memorybank.embedding.hashed import HashedNgrams
    from memorybank_studio.studio import Studio, StudioSettings

    effective, problem = state.local()
    if problem is not None:  # with the defaults it would be another studio: its stores and its model are elsewhere
        raise problem
    settings = effective.settings
    redaction.hide(*settings.secrets)
    stores = StudioSettings.of(settings, card.lang)
    if card.demo:  # a graph server holds one studio's story: that is to be the author's, not the demo's
        stores = replace(stores, graph=None)
    if card.recorded:  # in its folder alone, by what finds the same lines anywhere: the answers name them by number
        embedder: Embedder = HashedNgrams()
        stores = replace(stores, graph=None, chroma_url="", redis_url="")
        played(folder, embedder, CARD, card.lang)
    else:
        embedder = embedder_for(settings, card.lang)
    opened = Studio.open(folder, embedder, stores, chat=chat_for(settings), title=card.title)
    if card.demo and not is_filled(opened):
        try:
            fill(opened, card.lang)
        except BaseException:  # a Ctrl-C too; it is raised again, and the stores are let go
            opened.close()
            raise
    return opened


def embedder_for(settings: Settings, lang: Lang) -> Embedder:
    """The one that the app uses for this language. Raises InputError, ModelUnavailableError."""
    from memorybank.embedding.endpoint import PREFIX, endpoint_embedder
    from memorybank.embedding.models import PACKAGED, resolve
    from memorybank.embedding.process import shared

    endpoint, model = settings.embedding_endpoint, settings.embedding_model
    if endpoint.base_url and model not in PACKAGED:
        return endpoint_embedder(model.removeprefix(PREFIX), endpoint.base_url, endpoint.api_key, None)
    return shared(resolve(model, [SAMPLE[lang]]))


def chat_for(settings: Settings) -> ChatModel | None:
    """The language model of this machine's settings; None without one."""
    if settings.engine != "llm":
        return None
    from memorybank.llm.build import build_chat

    return build_chat(settings.llm, None)  # without its cache: who asks again wants another answer
