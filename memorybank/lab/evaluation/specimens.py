"""Small runs in which nearly everything happens, made by the product itself: what the mutations begin with.

Two languages, the offline engine and a language model's, documents that contradict and repeat each other, a merge that
is taken back, an image, a branch, a memory that was imported. Kinds of events that do not come about in so short a run
are written at its end.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from memorybank.embedding.hashed import NAME, HashedNgrams
from memorybank.lab.evaluation.mutation import Specimen
from memorybank.lab.scripted import ScriptedServer, scripted_agents
from memorybank.memory.events import (
    AgentCalled,
    AttachmentStored,
    CandidatesRetrieved,
    ConflictAttempted,
    ConflictFound,
    EntryRecorded,
    ImageAttempted,
    ImageRecognised,
    ImageStaged,
    NodeDescribed,
    SessionResumed,
    StageFinished,
    StageStarted,
    TaskFailed,
    ToolUsed,
)
from memorybank.memory.types import (
    Attachment,
    AttachmentId,
    AttachmentType,
    CompletedTask,
    ConflictId,
    Entry,
    EntryId,
    Hit,
    ImageId,
    Lang,
    StagedImage,
    TaskStatus,
    TaskType,
)
from memorybank.runs.export import to_json
from memorybank.runs.journal import Journal
from memorybank.runs.run_folder import SESSION, RunFolder, load, state_at
from memorybank.session.assembly import Parts, assemble, offline_parts
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings

GOALS: Mapping[Lang, str] = {"en": "How many arches has the Kessel viaduct?", "zh": "凯塞尔高架桥有多少个桥拱？"}
TEXTS: Mapping[Lang, tuple[str, ...]] = {
    "en": (
        "The Kessel viaduct has 24 stone arches. The Kessel line still crosses it every day.",
        "The Kessel viaduct has 24 stone arches. A survey of the railway counted them one by one.",
        "The Kessel viaduct has 42 stone arches. Visitors like to walk below them in spring.",
        "The Orrin lighthouse was first lit in 1871. Its lamp guides ships round the cape at night.",
    ),
    "zh": (
        "凯塞尔高架桥有24个石砌桥拱。凯塞尔线的列车每天仍从桥上驶过。",
        "凯塞尔高架桥有24个石砌桥拱。铁路局的勘测人员曾逐一清点。",
        "凯塞尔高架桥有42个石砌桥拱。游客喜欢在春天到桥下散步。",
        "奥林灯塔于1871年首次点亮。每到夜里它的灯光指引着来往的船只绕过北边的海角。",
    ),
}
REPEATED: Mapping[Lang, str] = {
    "en": "The Orrin lighthouse was first lit in 1871. Its lamp guides ships around the cape at night.",
    "zh": "奥林灯塔于1871年首次点亮。每到夜里，它的灯光指引着来往的船只绕过北边的海角。",
}


def write(folder: Path) -> list[tuple[Specimen, RunFolder]]:
    """Each specimen, with the folder whose files belong to it."""
    languages: tuple[Lang, ...] = ("en", "zh")
    runs = {f"offline {lang}": _offline(folder / f"offline-{lang}", lang) for lang in languages}
    runs["language model"] = _with_model(folder / "model")
    memory = json.dumps(to_json(state_at(load(runs["offline en"].path)), embeddings=True))
    runs["imported"] = _imported(folder / "imported", memory, runs["offline en"])
    found = [(Specimen(name, run.journal.read_text("utf-8"), True), run) for name, run in runs.items()]
    return [*found, (Specimen("memory.json", memory, False), runs["offline en"])]


def parts(lang: Lang = "en") -> Parts:
    return offline_parts(Settings(embedding_model=NAME, lang=lang), lang, HashedNgrams())


def _sources(lang: Lang) -> list[Source]:
    return [Source(name=f"{place}.md", text=text, kind="document") for place, text in enumerate(TEXTS[lang])]


def _offline(path: Path, lang: Lang) -> RunFolder:
    first = path.with_name(f"{path.name}-first")
    with Session.start(first, parts(lang), goal=GOALS[lang], sources=_sources(lang)) as session:
        session.run()
        session.add(Source(name="again.md", text=REPEATED[lang], kind="document"))
        session.run()
        standing = list(session.bank.graph.merges)
        if standing:
            session.undo_merge(standing[-1])
        session.change_settings(retrieval_k=4)
        session.fork(len(session.records), path)
    return _completed(RunFolder(path))


def _with_model(path: Path) -> RunFolder:
    with ScriptedServer(scripted_agents()) as server:
        model = LLMSettings(base_url=server.base_url, model="scripted", timeout=10.0, cache=False)
        settings = Settings(engine="llm", embedding_model=NAME, lang="en", llm=model, max_rounds=3)
        with Session.start(path, assemble(settings, [GOALS["en"]]), goal=GOALS["en"], sources=_sources("en")) as run:
            run.run()
    return _completed(RunFolder(path))


def _imported(path: Path, memory: str, origin: RunFolder) -> RunFolder:
    shutil.copytree(origin.path / "files", path / "files")
    with Session.start(path, parts(), memory=memory) as session:
        session.ask("When was the Orrin lighthouse first lit?")
        session.run()
    return RunFolder(path)


# -- what a short run does not bring about ----------------------------------------------------------------------------


def _completed(run: RunFolder) -> RunFolder:
    """Written at the end, by the writer of journals."""
    journal, _ = Journal.open(run.journal, SESSION)
    with journal:
        journal.append([*_further(run), StageFinished(stage="execute", round=9, ms=1.5)], durable=True)
        journal.append([StageStarted(stage="plan", round=9), SessionResumed(stage="plan", memo=1)])
        journal.append([StageFinished(stage="plan", round=9)], durable=True)
    return run


def _further(run: RunFolder) -> Iterator[Any]:
    bank = state_at(load(run.path))
    left, right, *_ = bank.graph.nodes
    node = bank.graph.nodes[left]
    data = io.BytesIO()
    Image.new("RGB", (8, 6), "white").save(data, "PNG")
    picture = run.files.put(data.getvalue(), ".png")
    staged = [
        StagedImage(id=ImageId(f"i{number}"), name="sign.png", sha256=picture.sha256, media_type="image/png",
                    width=8, height=6, size=picture.size)
        for number in (1, 2)
    ]  # fmt: skip
    kept = Attachment(
        id=AttachmentId(f"a{len(bank.tree.attachments) + 1}"), type=AttachmentType.IMAGE, name="sign.png",
        path=picture.path, sha256=picture.sha256, size=picture.size, media_type="image/png",
    )  # fmt: skip
    text = f"[{kept.id}: sign.png]\nPLATFORM 9"
    entry = Entry(
        id=EntryId(f"e{len(bank.tree.entries) + 1}"), kind="image", text=text, source="sign.png",
        sha256=hashlib.sha256(b"PLATFORM 9").hexdigest(), tool_calls=('read_image(image="i1")',),
        attachments=(kept.id,),
    )  # fmt: skip
    conflict = ConflictId(f"c{len(bank.conflicts.all) + 1}")
    blob = run.blobs.put("what was asked")
    yield from (ImageStaged(image=one) for one in staged)
    yield AttachmentStored(attachment=kept)
    yield EntryRecorded(entry=entry)
    yield ImageRecognised(image_id=ImageId("i1"), attachment_id=kept.id, readable=True)
    yield ImageAttempted(image_id=ImageId("i2"))
    yield ConflictFound(conflict_id=conflict, node_ids=(left, right), description="one against the other")
    yield ConflictAttempted(conflict_id=conflict)
    yield NodeDescribed(
        node_id=left, context_before=node.context, context="another topic", keywords_before=node.keywords,
        keywords=("other", *node.keywords), vector=node.vector, because=right,
    )  # fmt: skip
    hit = Hit(node_id=left, score=0.5, keyword=0.5, vector=0.5, keyword_raw=1.5, cosine=0.5, rank=1)
    near = Hit(node_id=left, score=0.4, keyword=0.5, vector=0.3, keyword_raw=1.5, cosine=0.3, rank=2, via=right)
    yield CandidatesRetrieved(node_id=right, hits=(hit,), below=(near,))
    yield ToolUsed(
        tool="visit", arguments={"url": "https://example.org", "pages": [1, 2], "deep": {"yes": True}}, key="k",
        outcome="failed", excerpt="no answer", sources=("example.org",), blob=blob, size=14, ms=12.5,
    )  # fmt: skip
    yield ToolUsed(tool="look", arguments={}, key="k", outcome="ok", excerpt="nothing was asked")
    yield AgentCalled(
        role="visit", engine="llm", key="k", outcome="failed", answer={"text": "x", "list": [1]}, error="refused",
        input_blob=blob, output_blob=blob, input_tokens=3, output_tokens=4, ms=5.5, attempt=2, model="m",
        notes=("waited 1 s",),
    )  # fmt: skip
    failed = CompletedTask(type=TaskType.NORMAL, description="look", status=TaskStatus.FAILED, context="no answer")
    yield TaskFailed(task=failed)
