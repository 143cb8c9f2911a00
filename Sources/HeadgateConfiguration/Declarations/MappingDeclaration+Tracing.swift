extension MappingDeclaration {
    static let tracing = MappingDeclaration(
        name: "tracing",
        keys: [
            KeyDeclaration(
                "otlp", .pattern("^https?://"),
                "The collector's URL for OTLP over HTTP; /v1/traces is put behind it.",
                standard: .described(
                    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT, or "
                        + TracingConfiguration.standardEndpoint)),
            KeyDeclaration(
                "sample", .fraction,
                "Which part of the traces that begin here is recorded, from 0 to 1; a caller that sends a traceparent "
                    + "decides for its own.",
                standard: .value("1")),
            KeyDeclaration(
                "content", .flag, "Whether spans hold prompts and answers, up to 16 KiB of each.",
                standard: .value("false")),
            KeyDeclaration(
                "service", .text, "The service.name of all spans.",
                standard: .value(TracingConfiguration.standardService)),
            KeyDeclaration(
                "headers", .named(.secret), "Header fields of every export, such as a key of the collector.",
                standard: .described("none")),
            KeyDeclaration("timeout", .duration, "How long one export may take.", standard: .value("10s")),
            KeyDeclaration(
                "compression", .choice(TracingConfiguration.Compression.allCases.map(\.rawValue)),
                "How exports are compressed.",
                standard: .value(TracingConfiguration.Compression.gzip.rawValue)),
        ])
}
