"""A run as a story: its decisive moments, each with one sentence and what it is about.

    scenes = build_scenes(records)            grows at its end while the run goes on
    scene_sentence(scene, "en")               the one sentence of the moment
    scene_card(scene, moment, "en")           the dispute as one card, before and after of a fold, the answer

Two disputes of a task are shown step by step, and the others are counted at its end: so the story of thirty rounds with
forty conflicts has as many scenes as a room can bear.
"""

from memorybank.views.story.card import scene_card, scene_seconds, scene_sentence
from memorybank.views.story.scene import Scene, SceneKind, Side, Source
from memorybank.views.story.scenes import SceneReader, build_scenes

__all__ = [
    "Scene",
    "SceneKind",
    "SceneReader",
    "Side",
    "Source",
    "build_scenes",
    "scene_card",
    "scene_seconds",
    "scene_sentence",
]
