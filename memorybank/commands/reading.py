"""replay, retrieve, deep, export: the commands that only read a run."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from memorybank.commands.running import settings_of, tell_left_out
from memorybank.errors import InputError, JournalError
from memorybank.memory.events import SessionStarted
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Hit, Lang
from memorybank.prompts import say
from memorybank.retrieval.documents import EntrySearch
from memorybank.runs.export import to_json
from memorybank.runs.files.plain import write_whole
from memorybank.runs.run_folder import Records, RunFolder, journal_path, load, state_at
from memorybank.runs.salvage import load_to_last_good
from memorybank.session.assembly import recall_for
from memorybank.tools.deep_retrieval import as_json, as_text, attachment_content, attachment_of, view


def replay(arguments: argparse.Namespace) -> int:
    """Print the state after K events, in memory.json's form. No model is loaded and nothing is called."""
    records = records_of(arguments)
    if arguments.at is not None and not 0 <= arguments.at <= len(records):
        raise InputError("command.at_out_of_range", at=arguments.at, count=len(records))
    memory = to_json(state_at(records, arguments.at), embeddings=arguments.embeddings)
    print(json.dumps(memory, ensure_ascii=False, indent=None if arguments.json else 2))
    return 0


def records_of(arguments: argparse.Namespace) -> Records:
    """Return the run to read; with --to-last-good a damaged one as far as it is good, and what is left out is told."""
    if not arguments.to_last_good:
        return load(arguments.run)
    records, left_out = load_to_last_good(arguments.run)
    tell_left_out(left_out)
    return records


def retrieve(arguments: argparse.Namespace) -> int:
    """Print what the memory would bring back for a query, and why."""
    bank = state_at(load(arguments.run))
    if bank.settings is None:
        raise JournalError("run.never_began", name=arguments.run.name)
    if not arguments.query.strip():
        raise InputError("command.query_empty")
    if arguments.raw < 0:
        raise InputError("command.raw_negative", raw=arguments.raw)
    if arguments.documents < 0:
        raise InputError("command.documents_negative", documents=arguments.documents)
    recall = recall_for(bank.settings, settings_of(arguments))
    recall.sync(bank.graph.nodes)
    now = bank.changed or bank.settings
    k = now.k if arguments.k is None else arguments.k
    alpha = now.alpha if arguments.alpha is None else arguments.alpha
    share = now.neighbor_share if arguments.neighbor_share is None else arguments.neighbor_share
    recalled, vector = recall.for_text(arguments.query, bank.graph.nodes, k=k, alpha=alpha, share=share)
    answer = {"query": arguments.query, "k": k, "alpha": alpha, "neighbor_share": share, "hits": _hits(recalled.hits)}
    answer["left_out"] = _hits(recalled.left_out)
    if arguments.raw:
        answer["passages"] = [
            asdict(passage)
            for passage in recall.passages(
                arguments.query, recalled.hits, bank.tree, count=arguments.raw, alpha=alpha, vector=vector
            )
        ]
    if arguments.documents:
        search = EntrySearch(recall=recall, nodes=bank.graph.nodes, tree=bank.tree, alpha=alpha, share=share)
        entries = search.best(arguments.query, count=arguments.documents)
        answer["documents"] = [
            {"entry_id": entry_id, "source": bank.tree.entries[entry_id].source} for entry_id in entries
        ]
    if arguments.json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        _print_hits(answer, bank)
    return 0


def _hits(hits: Sequence[Hit]) -> list[dict[str, Any]]:
    return [
        {
            "node_id": hit.node_id,
            "keyword": hit.keyword,
            "vector": hit.vector,
            "final": hit.score,
            "rank": hit.rank,
            "source": "direct" if hit.via is None else "via",
            "via": hit.via,
        }
        for hit in hits
    ]


def _print_hits(answer: dict[str, Any], bank: MemoryState) -> None:
    print("rank  node   final  keyword  vector  from    topic")
    for hit in answer["hits"]:
        origin = hit["via"] or "direct"
        topic = bank.graph.nodes[hit["node_id"]].context
        print(
            f"{hit['rank']:>4}  {hit['node_id']:<5} {hit['final']:>6.3f}  {hit['keyword']:>7.3f}  {hit['vector']:>6.3f}"
            f"  {origin:<6}  {topic}"
        )
    for place, item in enumerate(answer.get("documents", ()), start=1):
        print(f"{place:>4}  {item['entry_id']:<5} {item['source']}")
    for passage in answer.get("passages", ()):
        part = f"{passage['entry_id']}[{passage['start']}:{passage['end']}]"
        print(f"\n{passage['node_id']}  {part}  {passage['score']:.3f}\n{passage['text']}")


def deep(arguments: argparse.Namespace) -> int:
    """Print the raw text and attachments behind a node: documents, then the rounds that checked it."""
    bank = state_at(load(arguments.run))
    store = RunFolder(journal_path(arguments.run).parent).files
    node_view = view(bank, arguments.node, full=arguments.full)
    if arguments.attachment:
        attachment = attachment_of(node_view, arguments.attachment)
        content = attachment_content(attachment, store.read)
        shown = {"id": attachment.id, "type": attachment.type.value, "name": attachment.name, "file_content": content}
        print(json.dumps(shown, ensure_ascii=False) if arguments.json else content)
        return 0
    if arguments.json:
        print(json.dumps(as_json(node_view, read=store.read if arguments.full else None), ensure_ascii=False))
        return 0
    lang: Lang = bank.settings.lang if bank.settings is not None else "en"
    if node_view.asked != node_view.node_id:
        print(say("deep_successor", lang, asked=node_view.asked, node=node_view.node_id), end="\n\n")
    print(as_text(node_view, lang))
    return 0


def export(arguments: argparse.Namespace) -> int:
    """Write it, or send it. An existing file is not written over; the run is only read."""
    if arguments.otlp is not None:
        return _send(arguments)
    target: Path = arguments.html
    if target.suffix == ".pdf":
        raise InputError("command.no_pdf", name=target.name)
    if os.path.lexists(target):
        raise InputError("command.exists", name=target.name)
    if not target.parent.is_dir():
        raise InputError("command.no_folder", folder=target.parent.name, name=target.name)
    records = records_of(arguments)
    state_at(records)  # refused here in one line where it contradicts itself
    began, begun = time.perf_counter(), records[0].event
    lang: Lang = arguments.lang or (begun.lang if isinstance(begun, SessionStarted) else "en")
    from memorybank.views.html_export import export_html  # here: spans are sent without it

    data = export_html(records, RunFolder(journal_path(arguments.run).parent).files.read, lang)
    write_whole(target, data)
    summary = {"out": str(target), "events": len(records), "bytes": len(data)}
    seconds = round(time.perf_counter() - began, 2)
    if arguments.json:
        print(json.dumps({**summary, "seconds": seconds}))
    else:
        print(f"wrote {target.name}: {len(records)} events, {len(data):,} bytes, in {seconds} s")
    return 0


def _send(arguments: argparse.Namespace) -> int:
    from memorybank.integrations.tracing.afterwards import send_run

    began, records = time.perf_counter(), records_of(arguments)
    state_at(records)
    sent = send_run(records, RunFolder(journal_path(arguments.run).parent).blobs.get, arguments.otlp)
    seconds = round(time.perf_counter() - began, 2)
    if arguments.json:
        report = {"address": sent.address, "spans": sent.spans, "traces": sent.traces, "whole": sent.is_whole}
        print(json.dumps({**report, "seconds": seconds}))
        return 0
    print(f"sent {sent.spans} spans to {sent.address} in {seconds} s; traces: {', '.join(sent.traces)}")
    if not sent.is_whole:
        print("the run has not come to rest: the spans of its session and of its last round come when it has")
    return 0
