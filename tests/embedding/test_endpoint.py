from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

from memorybank import calls
from memorybank.embedding import hashed
from memorybank.embedding.endpoint import BATCH, EndpointEmbedder, endpoint_embedder
from memorybank.errors import InputError, ModelUnavailableError
from memorybank_lab.scripted import (
    FAULTS,
    Faulty,
    Script,
    ScriptedReply,
    ScriptedServer,
    SeenRequest,
    asks,
    error_reply,
    on,
)
from tests.llm.asking import KEY, threads

VECTORS = asks(kind="embeddings")
SENTENCES = [
    "The bridge over the strait was opened in 1988.",
    "A new vaccine against malaria was approved.",
    "海峡大桥于一九八八年通车。",
]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


Open = Callable[..., EndpointEmbedder]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens embedders of a server, which end with the test."""
    with ExitStack() as stack:

        def open_embedder(server: ScriptedServer, model: str = "m", **options: Any) -> EndpointEmbedder:
            embedder = EndpointEmbedder(model, server.base_url, KEY, **{"timeout": 5.0, **options})
            stack.callback(embedder.close)
            return embedder

        yield open_embedder


def _script(*answers: Any) -> Script:
    return Script(rules=[on(VECTORS, *answers)])


def test_rows_are_unit_in_order_and_each_text_is_embedded_once(opened: Open, server: ScriptedServer) -> None:
    embedder = opened(server, "text-embedding-3-small")
    assert embedder.name == "endpoint:text-embedding-3-small"
    assert server.requests == []  # nothing is contacted before vectors are asked for
    rows = embedder.documents([*SENTENCES, "", SENTENCES[0], " \n"])
    assert rows.shape == (6, 384)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1, 0, 1, 0], abs=1e-6)
    assert np.allclose(rows[:3], hashed.embed(SENTENCES), atol=1e-6)
    assert np.array_equal(rows[0], rows[4])
    (request,) = server.requests
    assert request.body["input"] == SENTENCES
    assert request.body["model"] == "text-embedding-3-small"
    assert request.authorized
    assert KEY not in repr(request)
    assert np.array_equal(embedder.documents(SENTENCES[::-1]), rows[2::-1])
    assert np.array_equal(embedder.queries(SENTENCES), rows[:3])  # one model, no prefixes: but another kind, asked once
    assert len(server.requests) == 2
    assert embedder.embedded == 6
    assert embedder.documents([]).shape == (0, 384)


def test_texts_go_in_batches_that_a_server_takes(opened: Open, server: ScriptedServer) -> None:
    embedder = opened(server)
    embedder.documents([f"line {number}" for number in range(150)])
    assert [len(request.body["input"]) for request in server.requests] == [BATCH, BATCH, 150 - 2 * BATCH]
    long = [f"{number} " + "word " * 320 for number in range(40)]
    embedder.documents(long)
    sizes = [sum(map(embedder.count_tokens, request.body["input"])) for request in server.requests[3:]]
    assert len(sizes) > 1
    assert max(sizes) <= 8_000


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_batch_is_halved_and_the_size_is_remembered(opened: Open, status: int) -> None:
    def answer(request: SeenRequest) -> ScriptedReply:
        many = len(request.body["input"]) > 10
        return error_reply(status, "it should not be larger than 10") if many else ScriptedReply()

    with ScriptedServer(Script(rules=[on(VECTORS, answer)])) as server:
        embedder = opened(server)
        texts = [f"{number} boats." for number in range(30)]
        rows = embedder.documents(texts)
        sizes = [len(request.body["input"]) for request in server.requests]
        assert sizes == [30, 15, 7, 7, 7, 7, 2]
        assert np.allclose(rows[29], embedder.documents([texts[29]])[0])
        embedder.documents([f"{number} ships." for number in range(9)])
        assert [len(request.body["input"]) for request in server.requests[7:]] == [7, 2]


def test_what_is_refused_of_one_text_too_is_not_a_matter_of_size(opened: Open) -> None:
    with ScriptedServer(_script(error_reply(400, "no such model"), error_reply(400, "no such model"), None)) as server:
        embedder = opened(server)
        with pytest.raises(ModelUnavailableError, match="no such model"):
            embedder.documents(["one", "two"])
        assert len(server.requests) == 2


def test_a_long_text_is_cut_and_pooled_to_its_end(opened: Open, server: ScriptedServer) -> None:
    embedder = opened(server)
    text = "Coral reefs shelter a quarter of marine species. " * 60 + "利率在央行会议后上升。" * 90
    whole, head = embedder.documents([text, text[:800]])
    pieces = server.requests[0].body["input"]
    assert "".join(pieces[:-1]) == text
    assert all(embedder.count_tokens(piece) <= 400 for piece in pieces)
    assert float(np.linalg.norm(whole)) == pytest.approx(1.0, abs=1e-6)
    assert float(whole @ head) < 0.95
    odd = embedder.documents(["a\0b", "\ud800 lone"])
    assert np.linalg.norm(odd, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_e5_gets_its_prefixes(opened: Open, server: ScriptedServer) -> None:
    embedder = opened(server, "intfloat/multilingual-e5-large")
    embedder.documents(["a text"])
    embedder.queries(["a text"])
    assert [request.body["input"] for request in server.requests] == [["passage: a text"], ["query: a text"]]


def test_dimension_and_scale_are_learnt_when_they_are_needed(opened: Open) -> None:
    with ScriptedServer(dim=1_024) as server:
        embedder = opened(server)
        scale = embedder.scale
        assert 0 <= scale.lo < scale.hi <= 1
        assert len(server.requests) == 1
        assert embedder.dim == 1_024
        assert embedder.scale is scale
        other = opened(server)
        assert other.dim == 1_024
        assert len(server.requests) == 2


def test_vectors_are_put_in_order_by_their_index(opened: Open) -> None:
    shuffled = ScriptedReply(edit=lambda made: {**made, "data": made["data"][::-1]})
    with ScriptedServer(_script(shuffled)) as server:
        assert np.allclose(opened(server).documents(SENTENCES), hashed.embed(SENTENCES), atol=1e-6)


def test_another_dimension_is_refused_in_one_line(opened: Open, server: ScriptedServer) -> None:
    embedder = opened(server, "small", dim=1_536)
    with pytest.raises(InputError, match=r"^the embedding model small gives vectors of 384 dim.* 1536: set [^\n]+$"):
        embedder.documents(["one"])
    learnt = opened(server)
    learnt.documents(["one"])
    server.dim = 512  # the server's model was exchanged
    with pytest.raises(InputError, match="512 dimensions, this session began with 384"):
        learnt.documents(["two"])
    assert learnt.documents(["one"]).shape == (1, 384)


WRONG: dict[str, Any] = {
    "a vector too few": {"data": [{"index": 0, "embedding": [1.0]}]},
    "vectors of two lengths": {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 0.0]}]},
    "all the same index": {"data": [{"index": 0, "embedding": [1.0]}] * 2},
    "no index": {"data": [{"embedding": [1.0]}] * 2},
    "what is no number": {"data": [{"index": at, "embedding": [float("nan")] * 8} for at in (0, 1)]},
    "words": {"data": [{"index": at, "embedding": ["a", "b"]} for at in (0, 1)]},
    "no vectors": {"data": [{"index": at, "embedding": []} for at in (0, 1)]},
    "vectors longer than a run keeps": {"data": [{"index": at, "embedding": [0.1] * 70_000} for at in (0, 1)]},
    "another object": {"choices": []},
    "a list": [1, 2],
}


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_an_answer_that_holds_no_vectors_is_an_error(opened: Open, body: Any) -> None:
    with ScriptedServer(_script(ScriptedReply(edit=lambda made: body))) as server:
        embedder = opened(server, attempts=1)
        with pytest.raises(ModelUnavailableError, match=r"^the embeddings endpoint 127\.0\.0\.1:\d+ gave no [^\n]+$"):
            embedder.documents(["one", "two"])


HOPELESS = ["key_refused", "unknown_model", "quota_exhausted", "context_too_long"]
BROKEN = [name for name, fault in FAULTS.items() if fault.family in ("status", "transport") and name not in HOPELESS]


@pytest.mark.parametrize("name", [*HOPELESS, *BROKEN, "body_not_json", "body_cut"])
def test_every_fault_is_one_line_without_the_key(opened: Open, name: str) -> None:
    script = Faulty(Script(), FAULTS[name], when=VECTORS)
    with ScriptedServer(script) as server:
        attempts = 3 if name in HOPELESS else 1  # which no waiting helps: it is asked once all the same
        embedder = opened(server, attempts=attempts, timeout=1.5)
        with pytest.raises(ModelUnavailableError, match=r"EMBEDDING_|quota" if name in HOPELESS else ".") as caught:
            embedder.documents(["one", "two"])
        message = str(caught.value)
        assert "\n" not in message
        assert server.base_url.split("/")[2] in message
        assert KEY[:12] not in message
        assert script.played == (2 if name == "context_too_long" else 1), "once more with half of it"


@pytest.mark.parametrize("name", ["rate_limited", "server_error", "reset_midway", "body_cut"])
def test_a_passing_fault_is_survived_and_a_lasting_one_is_not(opened: Open, name: str) -> None:
    with ScriptedServer(Faulty(Script(), FAULTS[name], when=VECTORS, times=1)) as server:
        embedder = opened(server)
        assert embedder.documents(["one"]).shape == (1, 384)
        assert embedder.requests == 2
    with ScriptedServer(Faulty(Script(), FAULTS[name], when=VECTORS)) as server:
        embedder = opened(server, attempts=2)
        with pytest.raises(ModelUnavailableError, match="gave no vectors after 2 attempts"):
            embedder.documents(["one"])
        assert embedder.requests == 2


@pytest.mark.parametrize("name", ["never_answers", "slow_drip", "rate_limited_date"])
def test_a_call_in_flight_ends_when_told_to_stop(opened: Open, name: str) -> None:
    stop = threading.Event()
    with ScriptedServer(Faulty(Script(), FAULTS[name], when=VECTORS)) as server:
        embedder = opened(server, timeout=60.0)
        timer = threading.Timer(0.6, stop.set)
        timer.start()
        with calls.watch(stop.is_set), pytest.raises(calls.Cancelled):
            embedder.documents(["one"])
        assert server.wait_until_idle(10.0)  # the connection is closed, not left to its timeout
        timer.join()


def test_threads_that_ask_for_the_same_text_wait_for_one_answer(opened: Open) -> None:
    with ScriptedServer(_script(ScriptedReply(delay=0.3))) as server:
        embedder = opened(server)
        texts = [f"a line that all share, {number}" for number in range(20)]
        with ThreadPoolExecutor(6) as pool:
            results = list(pool.map(lambda thread: embedder.documents([*texts, f"of thread {thread}"]), range(6)))
        assert all(np.array_equal(result[:20], results[0][:20]) for result in results)
        sent = [text for request in server.requests for text in request.body["input"]]
        assert sorted(sent) == sorted([*texts, *(f"of thread {thread}" for thread in range(6))])
        assert server.max_in_flight == 6


def test_close_leaves_no_thread_and_a_closed_one_says_so(opened: Open, server: ScriptedServer) -> None:
    before = threads("embeddings")
    embedder = opened(server)
    embedder.documents(["one"])
    embedder.close()
    assert threads("embeddings") == before
    with pytest.raises(ModelUnavailableError, match="closed"):
        embedder.documents(["two"])


def test_one_embedder_serves_all_sessions_and_bad_settings_are_told(server: ScriptedServer) -> None:
    url = server.base_url
    embedder = endpoint_embedder("bge-m3", url, KEY)
    assert endpoint_embedder("endpoint:bge-m3", url + "/", KEY) is embedder  # the name as a journal has it
    assert endpoint_embedder("bge-m3", url, "another-key") is not embedder
    assert endpoint_embedder("bge-m3", url, KEY, dim=1_024) is not embedder
    for address in ("ftp://example.org", "example.org/v1", "https://", "http://[::1"):
        with pytest.raises(InputError, match=r"^EMBEDDING_BASE_URL is no address: give it as .+$"):
            endpoint_embedder("m", address)
    for key in ("sk-köy", "two words"):
        with pytest.raises(InputError, match="EMBEDDING_API_KEY") as caught:
            endpoint_embedder("m", url, key)
        assert key not in str(caught.value)
    assert server.requests == []
    embedder.close()
    assert endpoint_embedder("bge-m3", url, KEY) is not embedder  # a closed one is not handed out again
