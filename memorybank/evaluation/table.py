"""Reports as people read them: an aligned table in a terminal, or Markdown for `docs/quality.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memorybank.bench.table import aligned
from memorybank.evaluation.report import Report, Score

_MISSES, _HOLDS = "misses", "holds"


def as_table(report: Report) -> str:
    """The report's scores as rows, then its notes and the cases where the engine fails."""
    return "\n".join(
        [
            f"{report.name}  ({report.seconds:.0f} s)",
            aligned([_cells(score) for score in report.scores]) if report.scores else "nothing was measured",
            *(f"note: {note}" for note in report.notes),
            *(f"fails: {_case(example)}" for example in report.examples),
        ]
    )


def as_markdown(reports: Sequence[Report]) -> str:
    """One section a report."""
    return "\n".join(line for report in reports for line in _section(report))


def outcome(reports: Sequence[Report]) -> str:
    """One line: how many goals were set and which were missed."""
    judged = [score for report in reports for score in report.scores if score.holds is not None]
    missed = [f"{score.data} {score.measure}" for score in judged if not score.holds]
    told = f": {', '.join(missed)}" if missed else ""
    return f"{len(judged) - len(missed)} of {len(judged)} goals reached{'; missed' if missed else ''}{told}"


def _cells(score: Score) -> dict[str, str]:
    return {
        "data": score.data,
        "measure": score.measure,
        "system": score.system,
        "value": f"{score.value:.3f}",
        "95 % interval": f"{score.low:.3f} to {score.high:.3f}",
        "n": f"{score.n:,}",
        "goal": _goal(score),
        "": "" if score.holds is None else _HOLDS if score.holds else _MISSES,
    }


def _goal(score: Score) -> str:
    return "" if score.goal is None else f"{'≤' if score.at_most else '≥'} {score.goal:g}"


def _case(example: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in example.items())


def _section(report: Report) -> Iterator[str]:
    yield f"## {report.name}\n"
    if report.scores:
        heads = list(_cells(report.scores[0]))
        yield f"| {' | '.join(heads)} |"
        yield "|" + "---|" * len(heads)
        yield from (f"| {' | '.join(_escaped(cell) for cell in _cells(score).values())} |" for score in report.scores)
        yield ""
    yield from (f"- {note}" for note in report.notes)
    if report.examples:
        yield "\nWhere it fails:\n"
        yield from (f"- {_escaped(_case(example))}" for example in report.examples)
    yield f"\n{report.seconds:.0f} s.\n"


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")
