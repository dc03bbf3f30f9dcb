"""bench: how fast and how large, on this machine."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from memorybank.commands.progress import say
from memorybank.commands.running import settings_of
from memorybank.errors import InputError


def bench(arguments: argparse.Namespace) -> int:
    """Measure, and print a table."""
    from memorybank_lab.bench import table

    if arguments.what == "book":
        return _bench_book(arguments)
    if arguments.what == "hub":
        return _bench_hub(arguments)
    if arguments.what == "index":
        return _bench_index(arguments)
    if arguments.what == "llm-quality":
        return _bench_llm_quality(arguments)
    module = _benchmark(arguments.what)
    shown = module if hasattr(module, "as_table") else table  # a benchmark of other things than times brings its own
    rows = module.run(progress=say, **(module.QUICK if arguments.quick else {}))
    print(shown.as_json(rows) if arguments.json else shown.as_table(rows))
    return 0


def _benchmark(what: str) -> ModuleType:
    """The module of a benchmark that takes no arguments; the others are not loaded, for memory is measured, too."""
    match what:
        case "retrieval":
            from memorybank_lab.bench import retrieval

            return retrieval
        case "ingest":
            from memorybank_lab.bench import ingest

            return ingest
        case "context":
            from memorybank_lab.bench import context

            return context
        case "batch":
            from memorybank_lab.bench import batch

            return batch
        case "ray":
            from memorybank_lab.bench import cluster

            return cluster
        case "calls":
            from memorybank_lab.bench import calls

            return calls
    from memorybank_lab.bench import app

    return app


def _bench_book(arguments: argparse.Namespace) -> int:
    """How a studio grows with a whole book; in a folder that is kept, or in one that goes with the command."""
    from tempfile import TemporaryDirectory

    from memorybank.embedding.models import resolve
    from memorybank.embedding.process import shared
    from memorybank_lab.bench import book as growth
    from memorybank_studio.books.files import read_book

    if arguments.file is None:
        raise InputError("command.no_book")
    for name in ("chapters", "every"):
        if (count := getattr(arguments, name)) is not None and count < 1:
            raise InputError("command.too_few", name=name, given=count)
    chapters = 1 if arguments.quick and arguments.chapters is None else arguments.chapters
    book = growth.shortened(read_book(arguments.file), chapters)
    embedder = shared(resolve(settings_of(arguments).embedding_model, [book.chapters[0].text[:2_000]]))
    with TemporaryDirectory() as folder:
        out = arguments.out or Path(folder) / "studio"
        rows = growth.run(book, out, embedder, every=arguments.every, progress=say)
    print(growth.as_json(rows) if arguments.json else growth.as_table(rows))
    return 0


def _bench_hub(arguments: argparse.Namespace) -> int:
    """How fast a long novel's hub answers. Made-up text has no meaning: no model is loaded unless one is named."""
    from memorybank.embedding.hashed import NAME, HashedNgrams
    from memorybank.embedding.models import resolve
    from memorybank.embedding.process import shared
    from memorybank_lab.bench import hub

    model = arguments.embedding_model or NAME
    embedder = HashedNgrams() if model == NAME else shared(resolve(model, ["山"]))
    rows = hub.run(say, embedder, hub.QUICK if arguments.quick else hub.FULL)
    print(hub.as_json(rows) if arguments.json else hub.as_table(rows))
    return 0


def _bench_index(arguments: argparse.Namespace) -> int:
    """What many nodes cost in memory, and beside it on the server that VECTOR_STORE_URL names."""
    from memorybank_lab.bench import index

    place = settings_of(arguments).vector_store
    rows = index.run(say, place, **(index.QUICK if arguments.quick else {}))
    print(index.as_json(rows) if arguments.json else index.as_table(rows))
    return 0


def _bench_llm_quality(arguments: argparse.Namespace) -> int:
    """How well the models of this machine's settings keep a memory; with `--engine offline`, the rules beside them."""
    from memorybank_lab.bench import llm_quality

    settings = replace(settings_of(arguments), engine=arguments.engine or "llm")
    rows = llm_quality.run(say, settings, **(llm_quality.QUICK if arguments.quick else {}))
    print(llm_quality.as_json(rows) if arguments.json else llm_quality.as_table(rows))
    return 0
