"""Every sentence the pages ask for is there, in both languages, and gets the values it needs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

from memorybank.contradiction.disputes.dispute import STATES
from memorybank.hosting.run import Until
from memorybank.memory.events import SessionFinished, StageName, UserAction
from memorybank.memory.types import AttachmentType, ConflictStatus, EntryKind, Lang, TaskStatus, TaskType
from memorybank.settings.llm import AGENTS
from memorybank.ui.frame.header import LOOKS
from memorybank.ui.session.run import ICONS, VIEWS
from memorybank.ui.session.setup import CORPORA, PRESETS
from memorybank.ui.shell.engines import ENGINES
from memorybank.views.graph.style import EdgeKind, NodeState
from memorybank.views.i18n import catalogue
from memorybank.views.story import SceneKind

ROOT = Path(__file__).parents[2]
FAMILIES = {
    "stage": (*get_args(StageName), *get_args(UserAction), "record"),
    "state": tuple(NodeState),
    "edge": tuple(EdgeKind),
    "conflict.status": tuple(ConflictStatus),
    "conflict.status_help": STATES,
    "conflict.supports": ("left", "right", "other", "neither"),
    "task.type": tuple(TaskType),
    "task.status": tuple(TaskStatus),
    "entry.kind": get_args(EntryKind),
    "attachment.type": tuple(AttachmentType),
    "run.result": get_args(get_type_hints(SessionFinished)["result"]),
    "merge.trigger": ("merge", "conflict"),
    "export.slide": get_args(SceneKind),
}


def test_every_sentence_that_is_asked_for_is_there(lang: Lang) -> None:
    asked = set()
    for path in (
        ROOT / "shell.py",
        *(ROOT / "pages").glob("*.py"),
        *(ROOT / "memorybank" / "ui").rglob("*.py"),
        *(ROOT / "memorybank" / "views").rglob("*.py"),
    ):
        asked |= set(re.findall(r'\bt\(\s*"([a-z_.0-9]+)"', path.read_text(encoding="utf-8")))
    asked |= {f"{family}.{name}" for family, names in FAMILIES.items() for name in names}
    asked |= {f"input.corpus_{name}" for name in CORPORA} | {f"input.preset_{name}" for name in PRESETS}
    asked |= {f"model.badge_{name}" for name in LOOKS} | {f"page.{name}" for name in ("session", "tree", "settings")}
    asked |= {f"engine.{name}{part}" for name in ENGINES for part in ("", "_can")}
    asked |= {f"session.view.{name}" for name in VIEWS}
    asked |= {f"action.{name}{part}" for name in ICONS for part in ("", "_help")}
    asked |= {f"action.run_until_{until}" for until in (Until.CONFLICT, Until.MERGE, Until.PLAN)}
    asked |= {f"hand.for.{role}" for role in AGENTS}
    assert len(asked) > 150
    assert asked - set(catalogue(lang)) == set()
