"""Every query of the planning layer: plain Cypher that Neo4j and the embedded engine read alike.

Data comes as parameters alone; the labels in a text are those of `PlanKind`.
"""

from __future__ import annotations

from memorybank_studio.hub.tables import Table, held_by
from memorybank_studio.types import PlanKind

PLANS = Table(
    {
        "labels": "labels(plan)",
        "parent": "parent.key",
        "after": "before.key",
        **held_by(
            "plan",
            "key",
            "title",
            "text",
            "storyline",
            "due",
            "status",
            "keyed_as",
            "task",
            "chapter",
            "source",
            "turns",
        ),
    }
)

DEFINE = ("CREATE CONSTRAINT plan_key IF NOT EXISTS FOR (plan:Plan) REQUIRE plan.key IS UNIQUE",)

ALL = f"""
MATCH (plan:Plan)
OPTIONAL MATCH (parent:Plan)-[:CONTAINS]->(plan)
OPTIONAL MATCH (before:Plan)-[:NEXT]->(plan)
{PLANS.returned}
"""

UPDATE = """
UNWIND $rows AS row
MATCH (plan:Plan {key: row.key})
SET plan = row
"""

CONTAIN = """
UNWIND $rows AS row
MATCH (parent:Plan {key: row.parent})
MATCH (plan:Plan {key: row.key})
CREATE (parent)-[:CONTAINS]->(plan)
"""

UNPLACE = """
UNWIND $keys AS key
MATCH (:Plan)-[place:NEXT|FIRST_STEP]->(plan:Plan {key: key})
DELETE place
"""

PLACE_FIRST = """
UNWIND $rows AS row
MATCH (parent:Plan {key: row.parent})
MATCH (plan:Plan {key: row.key})
CREATE (parent)-[:FIRST_STEP]->(plan)
"""

PLACE_NEXT = """
UNWIND $rows AS row
MATCH (before:Plan {key: row.after})
MATCH (plan:Plan {key: row.key})
CREATE (before)-[:NEXT]->(plan)
"""


def create(kind: PlanKind) -> str:
    return f"UNWIND $rows AS row CREATE (plan:Plan:`{kind.value}`) SET plan = row"
