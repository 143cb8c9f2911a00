extension MappingDeclaration {
    /// Declaration of the file's `cache`.
    static let cache = MappingDeclaration(
        name: "cache",
        keys: [
            KeyDeclaration(
                "memory", .size, "Bytes of all answers that models with a cache keep.", standard: .value("64MiB")),
            KeyDeclaration(
                "folder", .text,
                "Where answers are kept besides, for the gateway's user alone, so that they outlive a restart; from "
                    + "the configuration file's folder on. It is made where it is missing.",
                standard: .described("none")),
            KeyDeclaration(
                "disk", .size, "Bytes of all files in the folder; those not used for longest go first.",
                standard: .value("1GiB")),
            KeyDeclaration(
                "redis", .pattern("^(counters|rediss?://.+|redis[+]unix://.+)$"),
                "In place of a folder: the Redis server that several gateways keep answers in, or counters for the one "
                    + "that counts limits.",
                standard: .described("none")),
        ])

    static let modelCache = MappingDeclaration(
        name: "model_cache",
        keys: [
            KeyDeclaration("ttl", .duration, "How long an answer is kept, at least 1s.", standard: .value("1h")),
            KeyDeclaration(
                "shared", .flag, "Whether what one client key was answered is also for others.",
                standard: .value("false")),
            KeyDeclaration(
                "any_temperature", .flag, "Whether requests with a temperature above 0 are answered from it too.",
                standard: .value("false")),
            KeyDeclaration(
                "replay", .choice(CacheConfiguration.Replay.allCases.map(\.rawValue)),
                "How fast a stream comes again: at_once, or paced as it came.",
                standard: .value(CacheConfiguration.Replay.atOnce.rawValue)),
        ])
}

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
