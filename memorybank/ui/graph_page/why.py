"""Why this memory: what a query brought and why, and what other settings would bring. No language model is asked."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar, get_args

import streamlit as st

from memorybank.embedding.endpoint import PREFIX as ENDPOINT
from memorybank.errors import InputError, MemoryBankError
from memorybank.hosting.run import Run
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Lang, NodeId
from memorybank.retrieval.recall import Recall
from memorybank.session.assembly import recall_for
from memorybank.ui.components.problems import draw_error
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph import Details
from memorybank.ui.graph_page.why_table import Table, change_words, why_table
from memorybank.ui.shell import state
from memorybank.ui.shell.switch import button, draw_switch
from memorybank.ui.shell.tab import forget, kept, select, this_tab
from memorybank.ui.shell.widgets import GRAPH_VIEW, WHY_ALPHA, WHY_CHOSEN, WHY_K, WHY_KIND, WHY_SHARE
from memorybank.views.box import box, muted, note, row_of, stack_of
from memorybank.views.boxes.node_story import event_link
from memorybank.views.graph.overlays import Trail
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory import why
from memorybank.views.run.commits import Records
from memorybank.views.text.display import clip

T = TypeVar("T")

PATIENCE = 0.5
"""The seconds that a page waits, once; an index that only has to be built is there by then."""
DESK = "why-desk"


@dataclass(slots=True)
class Desk:
    """A tab's results for the questions to one run."""

    search: Future[why.Search]
    seen: Future[Any] | None = None
    """The future for which the page has waited already."""
    last: tuple[Any, Future[why.Explanation]] | None = None


def _begin(build: Callable[[], T]) -> Future[T]:
    """Begin the work beside the page, in a thread that does not hold up the end of the server."""
    future: Future[T] = Future()

    def work() -> None:
        try:
            future.set_result(build())
        except (MemoryBankError, OSError) as error:  # raised again where the result is taken
            future.set_exception(error)
        except BaseException as error:
            future.set_exception(error)
            raise

    threading.Thread(target=work, name="why", daemon=True).start()
    return future


def desk(worker: Run, begun: SessionStarted) -> Desk:
    """Return the run's desk, whose index is being made, or is there."""
    begin = partial(_open, worker, begun, state.default_settings())
    return kept((DESK, worker.run_id), lambda: Desk(_begin(begin)))


def _open(worker: Run, begun: SessionStarted, local: Any) -> why.Search:
    """Open the search on the run's own embedding model; for a run that is only read, on this machine's copy of it."""
    recall = Recall(worker.session.parts.embedder) if worker.session is not None else recall_for(begun, local)
    recall.index  # noqa: B018  # an endpoint is asked for its scale here, not on the page
    return why.Search(recall)


def arrived(future: Future[Any], kept: Desk) -> bool:
    """Say whether the result is there within a moment. What it raises is raised where the result is taken."""
    try:
        future.exception(0 if future is kept.seen else PATIENCE)
    except NotYet:
        kept.seen = future
        return False
    return True


def found_for(
    question: why.Question, records: Records, kept: Desk, *, k: int, alpha: float, share: float
) -> Future[why.Explanation]:
    """Ask once for the same settings. The desk's index must be there; a large memory takes a moment to be indexed."""
    key = (question.seq, k, alpha, share)
    if kept.last is None or kept.last[0] != key:
        before = state.bank_at(records, question.seq - 1)
        kept.last = (key, _begin(partial(kept.search.result().again, question, before, k=k, alpha=alpha, share=share)))
    return kept.last[1]


MOST_HITS = 20
"""The end of the slider for k, if the run did not use more."""
LINE = 70
"""The most columns of a question in the list to choose from."""


def _reset_settings() -> None:
    this_tab().graph.settings_of = None


class Why:
    """The view of why a memory was found. It is made before the graph, for the trail on it; `draw` shows it beside."""

    def __init__(self, worker: Run, details: Details, lang: Lang) -> None:
        self._worker, self._details, self._lang = worker, details, lang
        self._records: Records = worker.records
        self._questions = details.moment.read(self._records, why.questions_in)
        self._question: why.Question | None = None
        self._found: why.Explanation | None = None
        self._error: BaseException | None = None
        self.waits = False
        """The embedding model is still loading, and the page looks again."""
        self._prepare()

    @property
    def trail(self) -> Trail | None:
        """Return the trail of what was found, for the graph."""
        if self._found is None:
            return None
        graph = self._details.moment.bank.graph
        return why.trail_of(self._found.recalled, graph.nodes, graph.successor)

    # -- before the graph ---------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        begun = self._details.moment.bank.settings
        if begun is None or not self._details.moment.bank.graph.nodes:
            return
        kept = desk(self._worker, begun)
        try:
            self._question = self._chosen(kind())
            if self._question is None or not self._is_there(kept):
                return
            k, alpha, share = self._settings(self._question)
            future = found_for(self._question, self._records, kept, k=k, alpha=alpha, share=share)
            self.waits = not arrived(future, kept)
            self._found = None if self.waits else future.result()
        except (MemoryBankError, OSError) as error:
            self._error = error  # the run's own result needs no model: it is shown all the same
            self._found = why.as_recorded(self._question) if self._question is not None else None

    def _is_there(self, kept: Desk) -> bool:
        self.waits = not arrived(kept.search, kept)
        if not self.waits:
            kept.search.result()
        return not self.waits

    def of_kind(self, kind: Kind) -> list[why.Question]:
        """Return the questions of a kind, the newest first."""
        return [question for question in reversed(self._questions) if question.kind == kind]

    def _chosen(self, kind: Kind) -> why.Question | None:
        options = self.of_kind(kind)
        page = this_tab().graph
        if kind == "node" and page.compared_node is not None:
            asked_of, page.compared_node = page.compared_node, None
            seq = next((question.seq for question in options if question.node_id == asked_of), 0)
            WHY_CHOSEN[kind].set(seq)
        chosen = WHY_CHOSEN[kind].held()
        picked = next((question for question in options if question.seq == chosen), options[0] if options else None)
        WHY_CHOSEN[kind].set(picked.seq if picked else None)
        return picked

    def _settings(self, question: why.Question) -> tuple[int, float, float]:
        """Return the sliders' k, α and share; a question not shown before sets them to what it was asked with."""
        name = (self._worker.run_id, question.kind, question.seq)
        page = this_tab().graph
        if page.settings_of != name:
            page.settings_of = name
            WHY_K.set(question.k)
            WHY_ALPHA.set(question.alpha)
            WHY_SHARE.set(question.share)
        k = WHY_K.value(question.k)
        alpha, share = (
            # A slider gives a float near the step; the setting itself must come back as it was.
            value if math.isclose(slid := slider.value(value), value, abs_tol=1e-9) else slid
            for slider, value in ((WHY_ALPHA, question.alpha), (WHY_SHARE, question.share))
        )
        return k, alpha, share

    # -- beside the graph ---------------------------------------------------------------------------------------------

    def draw(self, selected: NodeId | None) -> None:
        lang = self._lang
        if not self._details.moment.bank.graph.nodes:
            draw(muted(t("graph.why.no_memory", lang)), key="why-empty")
            return
        self._draw_choice()
        if self._error is not None:
            self._draw_problem(self._error)
        if self.waits:
            draw(box("p", "notice", t("graph.why.waits", lang)), key="why-waits")
        elif self._question is None and self._error is None:
            draw(muted(t(f"graph.why.none.{kind()}", lang)), key="why-none")
        elif self._question is not None and self._found is not None:
            if self._error is None:
                self._draw_settings(self._question)
            self._draw_found(self._question, self._found, selected)

    def _draw_problem(self, error: BaseException) -> None:
        """Draw why nothing can be tried. That this machine is set to another model than the run's is no failure."""
        lang, begun = self._lang, self._details.moment.bank.settings
        if isinstance(error, InputError) and begun is not None:
            words = "other_endpoint" if begun.embedding_model.startswith(ENDPOINT) else "other_model"
            draw(note(t(f"graph.why.{words}", lang, model=begun.embedding_model)), key="why-as-recorded")
            return
        draw_error(error, lang, key="why-problem")
        button(t("graph.why.again", lang), "why-again", partial(forget, DESK), icon="refresh")

    def _draw_choice(self) -> None:
        lang = self._lang
        kinds = ("prompt", "node")
        draw_switch(t("graph.why.kind", lang), kinds, lambda name: t(f"graph.why.kind.{name}", lang), key=WHY_KIND.key)
        options = self.of_kind(kind())
        if options:
            st.selectbox(
                t(f"graph.why.choose.{kind()}", lang),
                [question.seq for question in options],
                format_func=self._names(options).__getitem__,
                key=WHY_CHOSEN[kind()].key,
                persist_state="session",
            )

    def _names(self, options: Sequence[why.Question]) -> dict[int, str]:
        """Return a line for each question to choose from."""
        return {
            question.seq: t(
                "graph.why.option",
                self._lang,
                round=question.round,
                words=clip(question.text, LINE) if not question.node_id else self._topic(question.node_id),
            )
            for question in options
        }

    def _topic(self, node_id: NodeId) -> str:
        return f"{clip(self._details.topic(node_id, self._lang), LINE)} · {node_id}"

    def _draw_settings(self, question: why.Question) -> None:
        lang = self._lang
        with st.container(horizontal=True, vertical_alignment="bottom", key="why-settings"):
            st.slider(
                t("input.k", lang),
                0,  # a run may be told to retrieve nothing
                max(MOST_HITS, question.k),
                key=WHY_K.key,
                help=t("input.k_help", lang),
                persist_state="session",
            )
            for name in ("alpha", "share"):
                st.slider(
                    t(f"input.{name}", lang),
                    0.0,
                    1.0,
                    step=0.01,
                    key=f"why-{name}",
                    help=t(f"input.{name}_help", lang),
                    persist_state="session",
                )
            button(
                t("graph.why.reset", lang),
                "why-reset",
                _reset_settings,
                icon="undo",
                disabled=self._settings(question) == (question.k, question.alpha, question.share),
                help_text=t(
                    "graph.why.reset_help", lang, k=question.k, alpha=f"{question.alpha:g}", share=f"{question.share:g}"
                ),
            )

    def _draw_found(self, question: why.Question, explanation: why.Explanation, selected: NodeId | None) -> None:
        lang = self._lang
        rows = why.explain(explanation, question)
        story = self._details.stories.get(question.node_id) if question.node_id else None
        judged = story.judged.get(question.seq, {}) if story else {}
        table = Table(
            explanation=explanation,
            details=self._details,
            judged=judged,
            selected=selected,
            lang=lang,
            asking=question.node_id,
        )
        changed = any(row.change for row in rows)
        query = None
        if question.kind == "prompt":
            query = box("p", "text small", box("span", "muted", t("graph.why.query", lang), " "), question.text)
        to_prompt = box("span", "small gr-link", t("graph.why.open_prompt", lang), choose=link("prompt", question.seq))
        when = event_link(question.seq, question.round, lang)
        source = row_of(when, to_prompt if question.kind == "prompt" else None)
        listed_for_want = bool(explanation.recalled.hits) and why.finds_nothing(explanation)
        draw(
            stack_of(
                query,
                source,
                box("p", f"notice {'' if changed else 'node '}text", change_words(rows, explanation, question, lang)),
                box("p", "muted text", t("graph.why.nothing", lang)) if listed_for_want else None,
                why_table(rows, table) if rows else None,
                note(t("graph.why.legend", lang)) if rows else None,
            ),
            key="why-found",
            on_choose=_choose,
        )


def _choose(what: str) -> None:
    """Light a chosen memory of the table in the graph, where the table stays; all else is a link."""
    from memorybank.ui.shell.links import follow

    name, _, node_id = what.partition(":")
    if name == "pick":
        select(state.GRAPH, NodeId(node_id))
    else:
        follow(what)


View = Literal["memory", "why"]
Kind = Literal["prompt", "node"]


def view() -> View:
    return "why" if GRAPH_VIEW.held() == "why" else "memory"


def kind() -> Kind:
    chosen = WHY_KIND.held()
    return next((name for name in get_args(Kind) if name == chosen), "prompt")


def draw_why_button(node_id: NodeId, lang: Lang) -> None:
    """Draw the button that leads to the scores with which a node was compared when it was new."""
    button(
        t("graph.why.compared", lang),
        "why-compared",
        partial(_ask_of, node_id),
        icon="manage_search",
        look="tertiary",
        help_text=t("graph.why.compared_help", lang),
    )


def _ask_of(node_id: NodeId) -> None:
    GRAPH_VIEW.set("why")
    WHY_KIND.set("node")
    this_tab().graph.compared_node = node_id
