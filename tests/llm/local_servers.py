"""Servers that say of themselves what Ollama, llama.cpp and vLLM do, in the fields that are read and their like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from memorybank_lab.scripted import ScriptedReply, ScriptedServer, SeenRequest, error_reply, json_reply, tool_reply
from tests.tables import tables

TABLES = tables(__file__)

OLLAMA_SHOW: Mapping[str, Any] = TABLES["ollama_show"]
OLLAMA_MODELS: Mapping[str, Any] = TABLES["ollama_models"]
OLLAMA_RUNNING: Mapping[str, Any] = {
    "models": [{"name": "qwen2.5vl:7b", "model": "qwen2.5vl:7b", "size": 7264665600, "context_length": 4096}]
}
SMOLLM2: Mapping[str, Any] = TABLES["smollm2"]
LLAMA_MODELS: Mapping[str, Any] = {"models": [{"name": "smollm2", "model": "smollm2"}], "data": [SMOLLM2]}
OLD_LLAMA_MODELS: Mapping[str, Any] = {
    "data": [{"id": "some.gguf", "object": "model", "owned_by": "llamacpp", "meta": {"n_ctx_train": 32768}}]
}
LLAMA_PROPS: Mapping[str, Any] = TABLES["llama_props"]
VLLM_MODELS: Mapping[str, Any] = {
    "data": [{"id": "Qwen/Qwen2.5-7B-Instruct", "created": 1763000000, "parent": None, "max_model_len": 32768}]
}


def reader(request: SeenRequest) -> ScriptedReply:
    """A model that gives JSON, calls a tool and names the colour of an image."""
    if request.tools:
        return tool_reply((request.tools[0], {"city": "Lima"}))
    return ScriptedReply(text="Red.") if request.images else json_reply({"ready": True})


class Ollama(ScriptedServer):
    """The model is loaded by the first request that needs it, and refused when it was never pulled."""

    def __init__(self, *models: str, loaded: bool = True) -> None:
        pages = {"/v1/models": OLLAMA_MODELS, "/api/show": OLLAMA_SHOW, "/api/ps": OLLAMA_RUNNING}
        super().__init__(self._answer, pages=pages | ({} if loaded else {"/api/ps": {"models": []}}))
        self._models = models or ("qwen2.5vl:7b",)
        self._loaded = loaded

    def page(self, request: SeenRequest) -> Any:
        if request.path == "/api/generate":
            self.pages["/api/ps"] = OLLAMA_RUNNING
            return {"model": request.model, "response": "", "done": True, "done_reason": "load"}
        if request.path == "/api/show" and "embed" in request.model:
            return {"capabilities": ["embedding"]}
        return super().page(request)

    def _answer(self, request: SeenRequest) -> ScriptedReply:
        if request.model not in self._models:
            return error_reply(404, f'model "{request.model}" not found, try pulling it first', kind="not_found_error")
        return reader(request)


def llama_cpp() -> ScriptedServer:
    """It takes any name for its one model."""
    return ScriptedServer(reader, pages={"/v1/models": OLD_LLAMA_MODELS, "/props": LLAMA_PROPS})


def vllm() -> ScriptedServer:
    """Started without a tool parser, on a model without vision."""

    def answer(request: SeenRequest) -> ScriptedReply:
        if request.model != "Qwen/Qwen2.5-7B-Instruct":
            words = f"The model `{request.model}` does not exist."
            body = {"error": {"message": words, "type": "NotFoundError", "param": "model", "code": 404}}
            return ScriptedReply(status=404, raw=json.dumps(body).encode())
        if request.tools:
            words = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
            return error_reply(400, words, kind="BadRequestError")
        if request.images:
            return error_reply(400, "Qwen/Qwen2.5-7B-Instruct is not a multimodal model", kind="BadRequestError")
        return reader(request)

    return ScriptedServer(answer, pages={"/v1/models": VLLM_MODELS})
