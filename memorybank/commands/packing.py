"""pack, unpack: a run as one file, and a folder of such a file."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from memorybank.commands.running import settings_of, vacant_folder
from memorybank.errors import InputError
from memorybank.runs import archive
from memorybank.runs.archive import Contents
from memorybank.runs.run_folder import RunFolder, journal_path


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
