"""Chat models over OpenAI-compatible endpoints: one client, wrappers that are chat models themselves, typed answers.

    chat = build_chat(settings, cache_path)                  MeteredChat(CachedChat(RetryingChat(OpenAIChat)))
    verdict = ask_typed(chat, request, Verdict)              schema in, validated object out

`client` learns what a server can do (`capabilities`) from what it refuses; `retry`, `cache` and `meter` go around it;
`answers` asks for a type and repairs what comes (`repair`); `scripted` is a server that answers from a script.
"""
