"""`ScriptedServer`: a language model whose every answer you write, behind a real HTTP endpoint on this machine.

It speaks the OpenAI protocol (`/v1/chat/completions`, streamed or not, `/v1/embeddings`, `/v1/models`), so anything
that talks to OpenAI, DeepSeek, vLLM or llama.cpp talks to it, without knowing. Use it to show a session without a key,
to test an agent, or to see what your program does when the endpoint misbehaves.

    from memorybank_lab.scripted import ScriptedServer
    from openai import OpenAI

    with ScriptedServer(["Hello!", {"city": "Lyon", "sure": True}]) as server:
        client = OpenAI(base_url=server.base_url, api_key="any")
        ask = lambda: client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])
        print(ask().choices[0].message.content)     # Hello!
        print(ask().choices[0].message.content)     # {"city": "Lyon", "sure": true}
        print(server.chats[0].prompt)               # Hi

**An answer** is a text, a mapping (sent as JSON text), a `ScriptedReply` (tool calls, usage, finish reason, delay …),
or a function of the request that returns one of these. `json_reply`, `tool_reply` and `error_reply` make the common
ones.

**A script** is one answer (given to everyone), a list (given in turn), or a `Script` with rules:

    Script(
        rules=[
            on(asks(schema="analysis"), {"relationships": []}),             # by the name of the answer's schema
            on(asks(contains="weather"), tool_reply(("search", {"query": ["weather"]})), "It rains."),
            on(asks(kind="embeddings"), error_reply(429, "slow down", retry_after=1), Reply(), ends=True),
        ],
        default=lambda request: f"You said: {request.prompt}",
    )

Rules come first, in order; each gives its answers in turn and repeats the last. Then the sequence, then the default. A
request for which the script has nothing is refused with status 400, and the message says so.

**Faults** (`FAULTS`, by name) are everything that goes wrong out there: 429 with and without Retry-After, 500, resets
before and within an answer, slow drip, endless bodies, refusals, truncation, JSON in a fence or with single quotes,
`<think>` blocks, ids that do not exist, servers without JSON schema. `Faulty(script, FAULTS["truncated"], times=1)`
lays one over a script.

**What came** is in `server.requests`: parsed body, headers without the key (`authorized` tells whether one came),
with short cuts for the prompt, the images, the tools and the schema. `server.max_in_flight` is how many were being
answered at one moment. An exception that your script raises is kept and raised when the `with` block ends.

`scripted_agents()` is a ready script that plays the five agents and the ReAct agent on any input by simple rules, and
`instance_of(schema)` fills any JSON schema. Neither understands anything: they are for seeing the machinery work.

Not covered: `n > 1`, log probabilities, audio, the Responses API, batches. Nothing here reaches beyond 127.0.0.1.
"""

from memorybank.llm.base import TokenUsage
from memorybank_lab.scripted.agents import scripted_agents
from memorybank_lab.scripted.faults import FAULTS, Fault, Faulty
from memorybank_lab.scripted.instances import instance_of
from memorybank_lab.scripted.script import (
    KEY_PLACE,
    Answer,
    Predicate,
    Rule,
    Script,
    Scripted,
    ScriptedReply,
    SeenRequest,
    asks,
    error_reply,
    json_reply,
    on,
    tool_reply,
)
from memorybank_lab.scripted.server import ScriptedServer

__all__ = [
    "FAULTS",
    "KEY_PLACE",
    "Answer",
    "Fault",
    "Faulty",
    "Predicate",
    "Rule",
    "Script",
    "Scripted",
    "ScriptedReply",
    "ScriptedServer",
    "SeenRequest",
    "TokenUsage",
    "asks",
    "error_reply",
    "instance_of",
    "json_reply",
    "on",
    "scripted_agents",
    "tool_reply",
]
