extension MappingDeclaration {
    static let streams = MappingDeclaration(
        name: "streams",
        keys: [
            KeyDeclaration(
                "ttl", .duration, "How long a stream is kept after its client has left, at least 1s.",
                standard: .value("10m")),
            KeyDeclaration(
                "buffer", .size, "Bytes of one stream; one that nobody reads ends when it is full.",
                standard: .value("4MiB")),
            KeyDeclaration(
                "memory", .size, "Bytes of all streams; those that have ended make room.", standard: .value("64MiB")),
        ])
}
