"""Chat models over OpenAI-compatible endpoints: one client, wrappers that are chat models themselves, typed answers.

    chats = build_chats(settings, cache_path)                each a MeteredChat(CachedChat(RetryingChat(OpenAIChat)))
    chat = chats.of("analysis")                              roles with the same endpoint and model share one
    verdict = ask_typed(chat, request, Verdict)              schema in, validated object out

`client` learns what a server can do (`capabilities`) from what it refuses; `around` and `cache` are its wrappers;
`answers` asks for a type and repairs what comes (`repair`). For tests, `memorybank_lab.scripted` is a scripted server.
"""
