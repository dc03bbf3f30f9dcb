"""undo-merge, clear, import, pack, unpack: what a person does to a run."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path

from memorybank.commands.running import parts_of, settings_of, vacant_folder
from memorybank.errors import InputError, MemoryBankError
from memorybank.memory.events import SessionStarted
from memorybank.runs import archive, local_state
from memorybank.runs.archive import Contents
from memorybank.runs.files.plain import reading
from memorybank.runs.run_folder import RunFolder, journal_path, load, state_at
from memorybank.session.assembly import Parts, assemble, offline_parts, recall_for
from memorybank.session.session import Session

MAX_IMPORT = 200_000_000
"""The most bytes of a memory file."""


def undo_merge(arguments: argparse.Namespace) -> int:
    """Take a merge back, split one node off it (which asks the run's engine), or let it stand again."""
    parts = parts_of(arguments) if arguments.node else _parts_without_a_model(arguments)
    with Session.open(arguments.run, parts) as session:
        if arguments.again:
            node = session.restore_merge(arguments.event).new_node_id
            told = {"merge": arguments.event, "node": node}
            line = f"merge {arguments.event} stands again: {node} is back"
        else:
            undone = session.undo_merge(arguments.event, arguments.node)
            back = undone.split or undone.restored
            told = {"merge": undone.event_id, "restored": back, "gone": undone.new_node_id}
            line = f"merge {undone.event_id} undone: {', '.join(back)} are back, {undone.new_node_id} is gone"
        session.export()
    print(json.dumps(told) if arguments.json else line)
    return 0


def _parts_without_a_model(arguments: argparse.Namespace) -> Callable[[SessionStarted], Parts]:
    """Build parts for what asks no agent: a run of a language model needs no key here."""
    local = settings_of(arguments)
    return lambda begun: offline_parts(local, begun.lang, recall_for(begun, local).embedder)


def clear(arguments: argparse.Namespace) -> int:
    """Delete the run: journal, blobs, originals, export. Files that are not the run's stay."""
    try:
        settings = state_at(load(arguments.run)).settings
    except MemoryBankError:
        settings = None  # a broken run may be cleared all the same
    if settings is not None:
        local_state.forget(settings.run_id)
    RunFolder(arguments.run, settings_of(arguments).temp_dir).remove()
    print(json.dumps({"cleared": str(arguments.run)}) if arguments.json else f"cleared {arguments.run.name}")
    return 0


def import_memory(arguments: argparse.Namespace) -> int:
    """Begin a run with an exported memory; its attachments' files are expected in OUT/files.

    A task that was pending is gone on with by `resume`.
    """
    path = arguments.file
    folder = vacant_folder(arguments.out, allowed=("files",))
    try:
        with reading(path, follow=True) as file:
            data = file.read(MAX_IMPORT + 1)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise InputError("command.no_memory_file", name=path.name) from None
    if len(data) > MAX_IMPORT:
        raise InputError("command.memory_too_large", name=path.name, limit=MAX_IMPORT // 1_000_000)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("command.memory_not_utf8", name=path.name) from None
    parts = assemble(settings_of(arguments), [text[:20_000]])
    with Session.start(folder.path, parts, memory=text) as session:
        session.export()
        nodes, pending = len(session.bank.graph.nodes), len(session.bank.doc.pending_tasks)
    shown = {"out": str(folder.path), "nodes": nodes, "pending_tasks": pending}
    ahead = f"; a task is pending, go on with: memorybank resume {folder.path}" if pending else ""
    print(json.dumps(shown) if arguments.json else f"imported {nodes} nodes into {folder.path}{ahead}")
    return 0


def pack(arguments: argparse.Namespace) -> int:
    """Save a run as one zip. An existing file is not written over; a run that cannot be read leaves none."""
    target: Path = arguments.out
    run = RunFolder(journal_path(arguments.run).parent, settings_of(arguments).temp_dir)
    if os.path.lexists(target):
        raise InputError("command.exists", name=target.name)
    packed = archive.pack(run, target)
    return _tell(arguments, packed, target, f"packed {arguments.run.name} into {target.name}")


def unpack(arguments: argparse.Namespace) -> int:
    """Make a run of a file from elsewhere. Nothing runs; a file that cannot be used leaves nothing behind."""
    folder = vacant_folder(arguments.out)
    unpacked = archive.unpack(arguments.file, folder)
    return _tell(arguments, unpacked, folder.path, f"unpacked {arguments.file.name} into {folder.path.name}")


def _tell(arguments: argparse.Namespace, contents: Contents, out: Path, words: str) -> int:
    left = f"; {contents.left_out} left out: they hold a secret, or were changed" if contents.left_out else ""
    summary = {"out": str(out), "events": contents.events, "files": contents.files, "left_out": contents.left_out}
    print(json.dumps(summary) if arguments.json else f"{words}: {contents.events} events, {contents.files} files{left}")
    return 0
