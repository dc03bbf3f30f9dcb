"""A worker from inside: jobs come in on a socket, rows go out; when the socket ends, it does, at once."""

from __future__ import annotations

import os
import threading
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import NoReturn

from memorybank.batch.plan import BatchPlan
from memorybank.batch.results import TaskRow
from memorybank.batch.store import Job
from memorybank.batch.worker import Stopping, run_task
from memorybank.embedding.service import serve_by
from memorybank.errors import Notice

STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a worker is sent first; a `Job` is sent after it for each task, and `STOP` when none shall go on."""

    plan: BatchPlan
    embedding: str
    """The address of the embedding service."""


def work(descriptor: int) -> NoReturn:
    """Say the process id; carry out each job in a thread and say its row, until the socket ends.

    A kill of the scheduler is so a kill of its workers: what is written stays, and the next batch goes on.
    """
    connection = Connection(descriptor)
    try:
        connection.send(os.getpid())
        setting: Setting = connection.recv()
        serve_by(setting.embedding)
        worker = _Worker(connection, setting.plan)
        while True:
            message = connection.recv()
            if message == STOP:
                worker.stopping.ask()
            else:
                threading.Thread(target=worker.carry_out, args=(message,), name=message.task.id, daemon=True).start()
    except (EOFError, OSError):  # the scheduler is gone
        pass
    except BaseException:  # noqa: BLE001 - nothing may come back into the nursery's own loop
        traceback.print_exc()
    finally:
        os._exit(0)


class _Worker:
    def __init__(self, connection: Connection, plan: BatchPlan) -> None:
        self.stopping = Stopping()
        self._connection = connection
        self._plan = plan
        self._sending = threading.Lock()

    def carry_out(self, job: Job) -> None:
        row = self._row(job)
        try:
            with self._sending:
                self._connection.send(row)
        except OSError:  # the scheduler is gone, and so is this process in a moment
            return

    def _row(self, job: Job) -> TaskRow:
        try:
            return run_task(job.task, job.folder, self._plan, system=job.system, stopping=self.stopping)
        except Exception as error:  # noqa: BLE001 - a fault of the program in one task: told in its row, for all to see
            traceback.print_exc()
            why = Notice("batch.program_fault", kind=type(error).__name__, why=str(error)[:300])
            return TaskRow(
                id=job.task.id, system=job.system, outcome="failed", error=str(why), error_zh=why.in_language("zh")
            )
