"""Many documents: are the passages that answer a question found again? MuSiQue, HotpotQA and, in Chinese, CMRC2018.

All passages of a set are ingested into one memory, each as a document with its title. Recall@n is the share of a
question's supporting passages among the first n documents that the product names (`retrieval/documents.py`): in turn
those of the best raw sentences and those behind the best memories; for the first five, either way alone is shown, too.
Without links all n are found directly; with links fewer are: memories one hop away fill up, what the first documents
name by title, and what a second search finds for the rest of the question. The plain baselines rank the same documents.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memorybank.embedding.base import Embedder
from memorybank.retrieval.documents import EntrySearch
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.data import beside, embedder_for, load_json, only, sampled
from memorybank_lab.evaluation.report import Report, Score, mean_score
from memorybank_lab.evaluation.retrieval import Filed, Plain, filed, recall_at

ABOVE_MIXTURE: Final = 0.04
"""The engine's recall@5 has to be so far above the mixture's, on questions that need several documents."""
GOALS: Final = {("CMRC2018", 1): 0.96, ("CMRC2018", 5): 0.99}
CUTS: Final = {"MuSiQue": (2, 5, 10), "HotpotQA": (2, 5, 10), "CMRC2018": (1, 5)}
ALONE: Final = 5
"""The number of documents for which each way of finding them is measured alone, too."""
QUESTIONS: Final = 500
EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True)
class PassageQuestion:
    text: str
    wanted: frozenset[int]
    """Places of passages."""


@dataclass(frozen=True, slots=True)
class PassageSet:
    """One set: passages as (title, text), and questions on them."""

    name: str
    passages: tuple[tuple[str, str], ...]
    questions: tuple[PassageQuestion, ...]

    @property
    def several(self) -> bool:
        """Whether a question needs several passages."""
        return any(len(question.wanted) > 1 for question in self.questions)

    @property
    def sources(self) -> list[Source]:
        return [
            Source(name=str(place), text=f"# {title}\n\n{text}\n" if title else f"{text}\n", kind="document")
            for place, (title, text) in enumerate(self.passages)
        ]


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    scores: list[Score] = []
    notes: list[str] = []
    examples: list[dict[str, str]] = []
    for read in (musique, hotpotqa, cmrc):
        pool = read(data)
        questions = sampled(pool.questions, full, QUESTIONS)
        progress(f"documents: {pool.name}, {len(pool.passages)} passages, {len(questions)} questions")
        chosen = embedder_for([question.text for question in questions[:20]], embedder)
        plain = Plain([source.text.strip() for source in pool.sources], chosen)
        chosen.queries([question.text for question in questions])  # all at once: each alone takes twice the time
        began = time.perf_counter()
        with filed(pool.sources, chosen) as memory:
            seconds = time.perf_counter() - began
            rankings = {
                cut: [{**of_memory(one.text, cut, memory), **plain.rankings(one.text)} for one in questions]
                for cut in CUTS[pool.name]
            }
        scores += compared(pool, questions, rankings)
        notes.append(
            f"{pool.name}: ingesting took {seconds:.0f} s, {1_000 * seconds / len(pool.passages):.0f} ms each."
        )
        examples += missed(pool, questions, [ranking["engine"] for ranking in rankings[5]])
    return Report(name="documents", scores=tuple(scores), notes=tuple(notes), examples=tuple(examples))


# -- rankings of documents --------------------------------------------------------------------------------------------


def of_memory(question: str, cut: int, memory: Filed) -> dict[str, list[int]]:
    """Return places of documents by system, best first; a budget of `cut` documents is spent with and without links."""
    tree, settings = memory.bank.tree, memory.settings
    search = EntrySearch(
        recall=memory.recall,
        nodes=memory.bank.graph.nodes,
        tree=tree,
        alpha=settings.retrieval_alpha,
        share=settings.neighbor_share,
    )
    found = {
        "engine": search.best(question, count=cut),
        "engine, without links": search.best(question, count=cut, links=False),
    }
    if cut == ALONE:
        found["engine, memories alone"] = search.by_memories(question, count=cut, links=True)
        found["engine, passages alone"] = search.by_passages(question, links=True)
    return {system: [int(tree.entries[entry].source) for entry in entries] for system, entries in found.items()}


# -- scores -----------------------------------------------------------------------------------------------------------


def compared(
    pool: PassageSet, questions: Sequence[PassageQuestion], rankings: Mapping[int, Sequence[Mapping[str, list[int]]]]
) -> Iterator[Score]:
    """Score the systems. `rankings`: for each number of documents, each question's places by system."""
    for cut, of_question in rankings.items():
        pairs = list(zip(questions, of_question, strict=True))
        values = {
            system: [recall_at(cut, places[system], one.wanted) for one, places in pairs] for system in of_question[0]
        }
        mixture = values["mixture"]
        goal = GOALS.get((pool.name, cut))
        if pool.several and cut == 5:
            goal = sum(mixture) / len(mixture) + ABOVE_MIXTURE
        for system, found in values.items():
            own = goal if system == "engine" else None
            yield mean_score(pool.name, f"recall@{cut}", system, found, goal=own)


def missed(
    pool: PassageSet, questions: Sequence[PassageQuestion], found: Sequence[Sequence[int]]
) -> Iterator[dict[str, str]]:
    lost = [(one, places) for one, places in zip(questions, found, strict=True) if not recall_at(5, places, one.wanted)]
    for one, places in lost[:EXAMPLES]:
        yield {
            "data": pool.name,
            "asked": one.text,
            "wanted": " and ".join(_title(pool, place) for place in sorted(one.wanted)),
            "found first": _title(pool, places[0]) if places else "nothing",
        }


def _title(pool: PassageSet, place: int) -> str:
    title, text = pool.passages[place]
    return title or text[:60]


# -- sets -------------------------------------------------------------------------------------------------------------


def musique(data: Path) -> PassageSet:
    """Read the set of Trivedi et al. 2022: questions made of two to four single hops."""
    corpus = only(data, "multihop/musique*_corpus.json")
    passages = tuple((one["title"], one["text"]) for one in load_json(corpus))
    place_of = {passage: place for place, passage in enumerate(passages)}
    questions = []
    for one in load_json(beside(corpus)):
        told = ((part["title"], part["paragraph_text"]) for part in one["paragraphs"] if part["is_supporting"])
        questions.append(PassageQuestion(one["question"], frozenset(place_of[passage] for passage in told)))
    return PassageSet("MuSiQue", passages, tuple(questions))


def hotpotqa(data: Path) -> PassageSet:
    """Read the set of Yang et al. 2018: questions on two Wikipedia articles."""
    corpus = only(data, "multihop/hotpotqa*_corpus.json")
    passages = tuple((title, "".join(said)) for title, said in load_json(corpus).items())
    place_of = {title: place for place, (title, _) in enumerate(passages)}
    questions = tuple(
        PassageQuestion(one["question"], frozenset(place_of[title] for title, _ in one["supporting_facts"]))
        for one in load_json(beside(corpus))
    )
    return PassageSet("HotpotQA", passages, questions)


def cmrc(data: Path) -> PassageSet:
    """Read the set of Cui et al. 2019: questions on single Chinese paragraphs."""
    paragraphs = [one for part in load_json(only(data, "cmrc2018/*.json"))["data"] for one in part["paragraphs"]]
    passages = tuple(dict.fromkeys(("", one["context"]) for one in paragraphs))
    place_of = {passage: place for place, passage in enumerate(passages)}
    questions = tuple(
        PassageQuestion(asked["question"], frozenset({place_of["", one["context"]]}))
        for one in paragraphs
        for asked in one["qas"]
    )
    return PassageSet("CMRC2018", passages, questions)
