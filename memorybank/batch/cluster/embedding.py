"""An actor a node, which has the embedding models for all tasks there: a model is loaded once a node, not once a task.

The actor holds no more than the embedding service of the local scheduler (embedding/service.py), so what tasks ask for
goes over a socket of the node, joins the micro-batches of all, and does not pass through Ray's object store.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from typing import Any

from memorybank.embedding.models import ModelChoice
from memorybank.embedding.process import EmbeddingProcess, share_by
from memorybank.embedding.service import EmbeddingService, ServedModel, is_served_here

_PATIENCE = 60.0
"""Seconds that a task waits for the actor of its node; then it loads a model of its own."""
_PAUSE = 0.1
_REMEMBERED = 1_000
"""Vectors that a task's process keeps; the actor keeps more, for all."""
_LOOK = 2.0
"""Seconds between two looks at which nodes there are."""


class NodeEmbedding:
    """The actor of a node: the embedding service for the tasks there."""

    def __init__(self) -> None:
        self._service = EmbeddingService()

    def address(self) -> str:
        """Return a socket of this node."""
        return self._service.address


class NodeEmbeddings:
    """The driver's side: one actor on each node that takes tasks, also on those that come later."""

    def __init__(self, name: str) -> None:
        """`name` is the batch's own, and begins the names of the actors."""
        import ray

        self._ray: Any = ray
        self._name = name
        self._actors: dict[str, Any] = {}
        self._next_look = 0.0

    def look(self) -> None:
        """Begin those that are missing; seldom, however often it is called."""
        if not is_served_here() or time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + _LOOK
        for node in self._ray.nodes():
            id_ = node["NodeID"]
            if node["Alive"] and node["Resources"].get("CPU") and id_ not in self._actors:
                self._actors[id_] = self._begin(id_)

    def _begin(self, node: str) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        there = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
        actor = self._ray.remote(NodeEmbedding)
        return actor.options(name=f"{self._name}-{node}", num_cpus=0, scheduling_strategy=there).remote()

    def end(self) -> None:
        for actor in self._actors.values():
            self._ray.kill(actor)
        self._actors.clear()


def embed_by_actor(name: str) -> None:
    """Have this process' models from the actor of its node, once it is there; else from a process of its own."""
    import ray

    given: Any = ray
    own = f"{name}-{given.get_runtime_context().get_node_id()}"
    deadline = time.monotonic() + _PATIENCE
    while is_served_here() and time.monotonic() < deadline:
        with suppress(ValueError):  # no actor has the name yet
            with suppress(given.exceptions.RayError):
                _served.by(given.get(given.get_actor(own).address.remote(), timeout=_PATIENCE))
            return
        time.sleep(_PAUSE)


class _Served:
    """The service that this process has its models from. Ray gives a process to one batch after another."""

    def __init__(self) -> None:
        self._address = ""
        self._models: list[EmbeddingProcess] = []

    def by(self, address: str) -> None:
        if address == self._address:
            return
        for model in self._models:  # of a service that is gone
            model.close()
        self._address, self._models = address, []
        share_by(self._begin)

    def _begin(self, choice: ModelChoice) -> EmbeddingProcess:
        model = EmbeddingProcess(choice, partial(ServedModel, self._address), remembered=_REMEMBERED)
        self._models.append(model)
        return model


_served = _Served()
