"""The web, for an executor: search by Serper, visit directly or through Jina Reader.

    urls ─> guard (resolve, refuse) ─> sockets (paced) ─> exchange (HTTP) ─> fetch (redirects, robots, types)
                                                                                 └─> pages (main text) ─> tools

Whatever comes from out there is data: it is bounded in size and time, parsed in a process of its own, and neutralised
before it is shown. `tools.reading_tools` puts it together.
"""
