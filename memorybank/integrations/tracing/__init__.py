"""A run as OpenTelemetry spans, with the GenAI semantic conventions: while it runs, and afterwards (docs/tracing.md).

follow(session)           called for every session that is begun or opened (memorybank/__init__); does something only
                          where OTEL_EXPORTER_OTLP_ENDPOINT is set
send_run(records, …)      `memorybank export DIR --otlp URL`

Spans are a function of the journal's events (`reader`), their ids of the run's id and the events' places: what is sent
twice, live and afterwards, or before and after a kill, is the same span. Nothing but `otlp` needs the
extra `otel`: it hands the spans to OpenTelemetry's own exporter and batch processor.
"""
