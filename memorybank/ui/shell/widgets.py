"""Names of the widgets whose values Python reads or sets. A widget that only returns its value has its key in place."""

from __future__ import annotations

from typing import Any, Literal

from memorybank.ui.shell.tab import ChosenWidget, Widget

LANGUAGE = Widget[Any]("lang")

# The Session page
SESSION_VIEW = ChosenWidget("session-view")
FEED_TEXT = Widget[Any]("feed-text")
NEW_CORPUS = Widget[str]("new-corpus")
NEW_ENGINE = Widget[str]("new-engine")
NEW_PRESET = Widget[str]("new-preset")
NEW_K = Widget[int]("new-k")
NEW_ALPHA = Widget[float]("new-alpha")
HAND_CHOSEN = Widget[str]("hand-chosen")
RUN_UNTIL = Widget[bool]("popover-until")

# The story bar
STORY_SPEED = Widget[float]("story-speed")

# The Graph page
GRAPH_VIEW = Widget[str]("graph-view")
GRAPH_SEARCH = Widget[Any]("graph-search")
WHY_KIND = Widget[Any]("why-kind")
WHY_K = Widget[int]("why-k")
WHY_ALPHA = Widget[float]("why-alpha")
WHY_SHARE = Widget[float]("why-share")
WHY_CHOSEN = {"prompt": Widget[Any]("why-prompt"), "node": Widget[Any]("why-node")}
"""The choice among the questions of a kind."""

# Conflicts & merges, Tree
CONFLICTS_VIEW = Widget[str]("conflicts-view")
CONFLICTS_STATUS = Widget[Any]("conflicts-status")
TREE_VIEW = Widget[str]("tree-view")

# Prompt & calls
PROMPT_VIEW = Widget[str]("prompt-view")
PROMPT_CHOSEN = Widget[int]("prompt-seq")
CALL_FORM = Widget[str]("call-show")

# Replay
REPLAY_SECTION = Widget[str]("replay-section")
BATCH_CHOSEN = Widget[str]("batch-chosen")


def verdict_field(conflict_id: str, name: Literal["choice", "value", "reason"]) -> Widget[Any]:
    return Widget(f"decide-{conflict_id}-{name}")
