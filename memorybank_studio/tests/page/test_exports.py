"""What an author takes away holds every entity, also two of one name."""

from __future__ import annotations

import json
from pathlib import Path

from memorybank_studio.page.book import export_layers
from memorybank_studio.tests.tasks.studio import IMPORT, stores_in
from memorybank_studio.types import Entity, EntityKind, Fact


def test_a_place_and_a_sect_of_one_name_are_both_exported(tmp_path: Path) -> None:
    stores = stores_in(tmp_path)
    place, sect, lin = (
        Entity(kind=kind, name=name, origin=IMPORT)
        for kind, name in (
            (EntityKind.LOCATION, "青云门"),
            (EntityKind.FACTION, "青云门"),
            (EntityKind.CHARACTER, "林霜"),
        )
    )
    joined = Fact(subject=lin.key, predicate="MEMBER_OF", object=sect.key, since=2, origin=IMPORT)
    stands = Fact(subject=lin.key, predicate="LOCATED_IN", object=place.key, since=2, origin=IMPORT)
    stores.facts.apply([place, sect, lin], [joined, stands])
    told = json.loads(export_layers(stores))["facts"]
    assert {one["key"] for one in told["entities"]} == {place.key, sect.key, lin.key}
    assert len(told["facts"]) == 2
