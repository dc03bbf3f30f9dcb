"""Whose story a graph server holds: the first studio marks its databases, any other one is refused by name.

Keys of entities and plans are made of names and of tasks that every studio counts from one, so two studios in one
database would read and overwrite each other's story. The mark is one node with a label of its own, in neither layer.
"""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.errors import InputError
from memorybank.memory.types import Value
from memorybank_studio.hub import labels
from memorybank_studio.hub.connection import Ask, GraphConnection
from memorybank_studio.hub.labels import MARK

_DEFINE = f"CREATE CONSTRAINT studio_mark IF NOT EXISTS FOR (mark:{MARK}) REQUIRE mark.key IS UNIQUE"
_READ = f"MATCH (mark:{MARK} {{key: 'one'}}) RETURN mark.studio AS studio, mark.title AS title"
# Two studios that begin at once: one node by the constraint, and whoever comes second finds the first one's id in it.
_SET = f"""
MERGE (mark:{MARK} {{key: 'one'}})
SET mark.studio = coalesce(mark.studio, $studio), mark.title = coalesce(mark.title, $title)
RETURN mark.studio AS studio, mark.title AS title
"""
_RETITLE = f"MATCH (mark:{MARK} {{key: 'one'}}) WHERE mark.studio = $studio SET mark.title = $title"
_TITLE_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner(Value):
    """A studio as a store names it."""

    studio: str
    """Its id, from its journal."""
    title: str = ""
    """As its author calls it; for messages alone."""

    def __str__(self) -> str:
        return f"“{self.title}” ({self.studio})" if self.title else self.studio


def claim(connection: GraphConnection, owner: Owner) -> None:
    """Mark both layers' databases as this studio's. One without a mark (new, or from before there were marks) becomes
    the studio's.

    Raises InputError when one of them is another studio's: nothing is written there then; StoreUnavailableError.
    """
    owner = Owner(studio=owner.studio, title=labels.text(owner.title[:_TITLE_CHARS], "the studio's title"))
    for layer in (connection.facts, connection.plans):
        layer.define((_DEFINE,))
        holder = layer.write(lambda ask: _marked(ask, owner))
        if holder.studio != owner.studio:
            raise InputError(
                "hub.other_studio", layer=layer.layer.notice, server=connection.where, holder=holder, studio=owner
            )


def _marked(ask: Ask, owner: Owner) -> Owner:
    """Whose the database is, now."""
    rows = ask(_READ) or ask(_SET, studio=owner.studio, title=owner.title)
    holder = Owner(studio=str(rows[0]["studio"]), title=str(rows[0]["title"] or ""))
    if holder.studio == owner.studio and holder.title != owner.title:
        ask(_RETITLE, studio=owner.studio, title=owner.title)
    return holder
