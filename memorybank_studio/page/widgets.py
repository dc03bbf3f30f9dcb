"""The widgets of the studio's page that Python reads or sets, by their keys."""

from typing import Any

from memorybank.ui.shell.tab import Widget

STUDIO_LANGUAGE = Widget[str]("studio-new-lang")
STUDIO_VIEW = Widget[str]("studio-view")
HUB_PART = Widget[str]("studio-hub")
FACTS_ENTITY = Widget[Any]("studio-entity")
FACTS_CHAPTER = Widget[Any]("studio-chapter")
PERSON = Widget[Any]("studio-person")
RENAME_OF = Widget[Any]("studio-rename-of")
TIMELINE_PEOPLE = Widget[list[str]]("studio-timeline-people")
DRAFT_TEXT = Widget[str]("studio-draft")
DRAFT_CHAPTER = Widget[Any]("studio-draft-chapter")
CHAPTER_CHOSEN = Widget[Any]("chapter-chosen")
ROW_KIND = Widget[str]("studio-row-kind")
OF_ONE_STUDIO = (
    STUDIO_VIEW,
    HUB_PART,
    FACTS_ENTITY,
    FACTS_CHAPTER,
    PERSON,
    RENAME_OF,
    TIMELINE_PEOPLE,
    DRAFT_TEXT,
    DRAFT_CHAPTER,
    CHAPTER_CHOSEN,
)
"""Those that are reset when the tab turns to another studio."""
