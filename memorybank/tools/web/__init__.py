"""The web, for an executor: search by Serper, visit directly or through Jina Reader.

    the session:  tools (search by Serper) ─> pages (directly, or by Jina) ─> reading_process (asks a process)
    the process:  page_worker ─> urls ─> guard (resolve, refuse) ─> exchange (HTTP) ─> fetch (redirects, robots, types)

Whatever comes from out there is data: it is bounded in size and time, fetched and parsed in a process of its own, and
neutralised before it is shown. `tools.reading_tools` puts it together.
"""
