"""Runs against a real OTLP/HTTP receiver on loopback: live, afterwards, and where it is down, slow or hostile."""

from __future__ import annotations

import atexit
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.integrations.tracing import live
from memorybank.integrations.tracing.reader import SpanReader
from memorybank.integrations.tracing.target import target_of
from memorybank.integrations.tracing.texts import CAPTURE
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import JOURNAL, RunFolder, load, state_at
from memorybank.settings.redaction import Redactor
from tests.command_line import memorybank, typed
from tests.integrations.tracing.receiver import Receiver, receiving, values
from tests.integrations.tracing.runs import ANSWER, GOAL, opened, started
from tests.tables import tables
from tests.waiting import wait_until

from memorybank.integrations.tracing.afterwards import send_run  # isort: skip - behind the receiver, which may skip

TABLES = tables(__file__)

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
EXPORTER = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
KEY = "kept-between-us-4711"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def followed(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Receiver:
    """The receiver, of which the environment says that runs are sent to it while they go on."""
    monkeypatch.setenv(ENDPOINT, receiver.url)
    return receiver


@pytest.fixture(autouse=True)
def _own_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has its own thread that sends, and is told anew what was told once a process."""
    monkeypatch.setattr(live, "_started", [])
    monkeypatch.setattr(live, "_warn_once", live._warn)
    monkeypatch.setattr(atexit, "register", lambda *_: None)


def send(run: Path, address: str) -> Any:
    return send_run(load(run), RunFolder(run).blobs.get, address)


def run_live(run: Path, seconds: float = 5.0) -> list[Path]:
    """A run while traces are asked for, to the end of its program; and of which runs something is left."""
    with started(run) as session:
        assert session.run().answer == ANSWER
    return live._started[0].finish(seconds) if live._started else []


# -- what is sent -----------------------------------------------------------------------------------------------------


def test_what_is_sent_again_is_nothing_new(run_dir: Path, followed: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_live(run_dir) == []
    alive = followed.by_id
    monkeypatch.delenv(ENDPOINT)
    sent = send(run_dir, f"{followed.url}/v1/traces")
    assert sent.spans == len(alive) > 30
    assert followed.by_id == alive, "by_id holds each twice-sent span against its first"
    assert len(followed.spans) == 2 * len(alive)
    assert set(followed.paths) == {"/v1/traces"}
    assert {span.trace_id.hex() for span in followed.spans} == set(sent.traces)


def test_a_session_is_seen_while_it_runs(run_dir: Path, followed: Receiver) -> None:
    with started(run_dir) as session:
        while session.next_stage != "plan":
            session.step()
        followed.wait_for(5)
        assert {"classify", "invoke_agent classification"} <= {span.name for span in followed.spans}
        assert not followed.named("invoke_workflow session")


def test_a_run_that_is_gone_on_with_sends_the_stretch_that_was_cut_off_and_no_doubles(
    run: Path, tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (run / JOURNAL).read_bytes().splitlines(keepends=True)
    killed = tmp_path / "killed" / "run"
    shutil.copytree(run, killed)
    (killed / JOURNAL).write_bytes(b"".join(lines[: len(lines) // 2]))
    send(killed, receiver.url)
    assert not receiver.named("invoke_workflow session")
    monkeypatch.setenv(ENDPOINT, receiver.url)
    with opened(killed) as session:
        session.run()
    live._started[0].finish(5)
    names = sorted(span.name for span in receiver.by_id.values())
    send(run, receiver.url.replace("127.0.0.1", "localhost"))  # the same ids: the run that was not killed adds none
    again = [span for span in receiver.spans if span.name == "invoke_workflow session"]
    assert len({span.span_id for span in again}) == 1
    assert sorted({span.span_id: span.name for span in receiver.spans}.values()) == names


def test_what_rested_is_not_sent_again_when_more_is_asked(run: Path, followed: Receiver) -> None:
    with opened(run) as session:
        session.ask("And who made it?")
        session.run()
    live._started[0].finish(5)
    assert len({span.trace_id for span in followed.spans}) == 1
    assert len(followed.named("invoke_workflow session")) == 1


def test_parents_links_kinds_and_the_conventions_names(run: Path, receiver: Receiver) -> None:
    send(run, receiver.url)
    spans = receiver.by_id
    roots = [span for span in spans.values() if not span.parent_span_id]
    assert [span.name for span in roots] == ["invoke_workflow session"]
    assert all(span.parent_span_id in spans for span in spans.values() if span.parent_span_id)
    (merge,) = receiver.named("merge into n5")
    assert [spans[link.span_id].name for link in merge.links] == ["conflict c1"]
    tool = values(receiver.named("execute_tool search")[0])
    assert tool["gen_ai.operation.name"] == "execute_tool"
    assert tool["gen_ai.tool.name"] == "search"
    agent = values(receiver.named("invoke_agent analysis")[0])
    assert (agent["gen_ai.operation.name"], agent["gen_ai.agent.name"]) == ("invoke_agent", "analysis")
    assert agent["gen_ai.conversation.id"] == values(roots[0])["gen_ai.conversation.id"]


def test_no_text_unless_it_is_asked_for(run: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    said = [
        text.encode() for text in (GOAL, ANSWER, "willow qubits", "sycamore", "third report", "third.md", "note1.txt")
    ]
    send(run, receiver.url)
    assert [text for text in said if text in b"".join(receiver.bodies)] == []
    monkeypatch.setenv(CAPTURE, "true")
    send(run, receiver.url)
    assert [text for text in said if text not in b"".join(receiver.bodies)] == []


def test_a_key_is_in_its_header_alone(run: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a text of the run holds it: a journal of before the key was one. It goes compressed, as is asked."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    monkeypatch.setenv("SOME_API_KEY", "willow qubits")
    monkeypatch.setenv(HEADERS, f"authorization=Bearer%20{KEY},x-tenant=sycamore")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", f"deployment.note={KEY}")
    monkeypatch.setenv(CAPTURE, "true")
    send(run, receiver.url)
    sent = b"".join(receiver.bodies)
    assert GOAL.encode() in sent
    assert [key for key in (b"willow qubits", b"sycamore", KEY.encode()) if key in sent] == []
    headers = {(header["authorization"], header["content-encoding"]) for header in receiver.headers}
    assert headers == {(f"Bearer {KEY}", "gzip")}
    assert KEY not in Redactor().text(f"a journal, an error, a log: {KEY}")


# -- a receiver that is no good ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [400, 401, 404, 500, 503, 307, "hanging", "endless", "dripping", "echoing", "down"])
def test_a_bad_receiver_costs_a_run_nothing(
    run_dir: Path, receiver: Receiver, bad: int | str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with started(run_dir.with_name("alone")) as session:
        session.run()
    receiver.answer = bad if bad != "down" else 500
    monkeypatch.setenv(ENDPOINT, receiver.url if bad != "down" else "http://127.0.0.1:9")
    monkeypatch.setenv(HEADERS, f"Authorization=Bearer {KEY}")
    left = run_live(run_dir, 0.5)
    alone, beside = load(run_dir.with_name("alone")), load(run_dir)
    assert fingerprint(state_at(beside)) == fingerprint(state_at(alone)), "the journal has lost nothing"
    assert [record.event.type for record in beside] == [record.event.type for record in alone]
    records = (record.getMessage() for record in caplog.records if record.name == "memorybank.tracing")
    told = [line for line in records if str(run_dir) in line]  # a run of another test may still give its receiver up
    if bad in ("hanging", "dripping", 503, "down"):
        assert left == [run_dir], "it is tried again for a while, and told when the program ends"
    elif bad != "endless":  # its status said that it took them
        (line,) = told
        assert f"memorybank export {run_dir} --otlp URL" in line
    assert KEY not in caplog.text
    assert "opentelemetry" not in {record.name.partition(".")[0] for record in caplog.records}, "one line is enough"
    assert bad != "echoing" or "wants a key (403): set OTEL_EXPORTER_OTLP_HEADERS" in told[0]


@pytest.mark.parametrize(("bad", "says"), TABLES["afterwards_the_error_says_what_to_do"])
def test_afterwards_the_error_says_what_to_do(
    run: Path, receiver: Receiver, bad: int | str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
    receiver.answer = bad
    done = memorybank("export", run, "--otlp", receiver.url)
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_receiver_that_comes_back(run_dir: Path, followed: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    followed.answer = 400
    with started(run_dir) as session:
        session.step()
        wait_until(lambda: "memorybank export" in caplog.text, 60)
        followed.answer = 200
        session.run()
        wait_until(lambda: bool(followed.named("invoke_workflow session")), 60)
    assert live._started[0].finish(2) == [], "it was told"


def test_a_fault_of_the_tracing_itself_is_told_and_no_matter_of_the_run(
    run_dir: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(ENDPOINT, receiver.url)
    monkeypatch.setattr(SpanReader, "read", lambda *_: 1 // 0)
    assert run_live(run_dir, 2) == [run_dir]
    assert "tracing stopped with a fault of its own (ZeroDivisionError); the run goes on" in caplog.text


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("nowhere at all", ["'nowhere at all' is no address that takes traces"]),
        ("", ["opentelemetry", 'pip install "agentic-memory-bank[otel]"']),
    ],
    ids=["no address", "without the extra"],
)
def test_what_cannot_be_followed_is_told_in_one_line_and_the_run_goes_on(
    run_dir: Path,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    address: str,
    says: list[str],
) -> None:
    monkeypatch.setenv(ENDPOINT, address or receiver.url)
    if not address:
        monkeypatch.setitem(sys.modules, EXPORTER, None)
        monkeypatch.delitem(sys.modules, "memorybank.integrations.tracing.otlp")
    assert run_live(run_dir) == []
    told = [record.getMessage() for record in caplog.records]  # a run of another test may still give its receiver up
    (line,) = [line for line in told if line.startswith("no traces are sent: ")]
    assert all(words in line for words in says)
    assert not receiver.paths


# -- where to ---------------------------------------------------------------------------------------------------------


def test_nothing_is_followed_unasked(run_dir: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(run_dir) as session:
        session.run()
    for name, value in (("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none")):
        with monkeypatch.context() as asked:
            asked.setenv(ENDPOINT, receiver.url)
            asked.setenv(name, value)
            with opened(run_dir):
                pass
    assert not live._started
    assert not receiver.paths


@pytest.mark.parametrize(("environment", "address", "url"), TABLES["the_address_is_read_as_opentelemetry_says"])
def test_the_address_is_read_as_opentelemetry_says(environment: dict[str, str], address: str, url: str) -> None:
    assert target_of(environment, address).url == url
    for text, seconds in (("3", 3), ("x", 10), ("-1", 10), ("nan", 10), ("inf", 10), ("1e9", 60)):
        asked = {**environment, "OTEL_EXPORTER_OTLP_TIMEOUT": text}
        assert target_of(asked, address).seconds == seconds, "a number of seconds, and it has an end"


@pytest.mark.parametrize("address", ["", "a:4318", "ftp://a", "http://", "http://a:port", "http://a b", "http://a\n"])
def test_what_is_no_address_is_refused_in_one_line(address: str) -> None:
    with pytest.raises(InputError, match=r"is no address that takes traces: give one such as http://127\.0\.0\.1:4318"):
        target_of({}, address)


def test_a_password_in_the_address_is_never_shown() -> None:
    target = target_of({}, f"http://user:{KEY}@a:4318?token={KEY}")
    assert KEY not in target.shown + repr(target)
    assert KEY not in Redactor().text(f"somewhere {KEY}")


# -- the command ------------------------------------------------------------------------------------------------------


def test_export_sends_and_says_what_was_sent_and_what_is_still_to_come(run: Path, receiver: Receiver) -> None:
    done = memorybank("export", run, "--otlp", receiver.url)
    assert (done.returncode, done.stderr) == (0, "")
    trace = receiver.spans[0].trace_id.hex()
    assert done.stdout.startswith(f"sent {len(receiver.spans)} spans to {receiver.url}/v1/traces in ")
    assert done.stdout.endswith(f"traces: {trace}\n")
    lines = (run / JOURNAL).read_bytes().splitlines(keepends=True)
    (run / JOURNAL).write_bytes(b"".join(lines[:-3]))
    receiver.bodies.clear()
    assert "the run has not come to rest" in memorybank("export", run, "--otlp", receiver.url).stdout
    assert not receiver.named("invoke_workflow session")


def test_a_program_that_ends_has_sent_all(tmp_path: Path, followed: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "note.txt").write_text("The Willow chip has 105 qubits.\n", "utf-8")
    monkeypatch.setenv("EMBEDDING_MODEL", "hashed-ngrams")
    done = typed("ingest", tmp_path / "note.txt", "--out", tmp_path / "run")
    assert done.returncode == 0
    assert "memorybank export" not in done.stderr
    assert followed.named("invoke_workflow session")
    alive = followed.by_id
    monkeypatch.delenv(ENDPOINT)
    send(tmp_path / "run", followed.url)
    assert followed.by_id == alive
