/// A target of `Sources` and the modules that its files may import.
struct Layer {
    let target: String
    /// Targets and package products, the same as the target's dependencies in the manifest.
    var uses: Set<String> = []
    /// Modules that come with the toolchain.
    var system: Set<String> = platform

    var allowed: Set<String> { uses.union(system) }
}

/// Modules for every target: the C library under one name for all systems, and atomics.
private let platform: Set<String> = ["HeadgateLibC", "Synchronization"]

/// Modules for targets that are not on the path of a streamed byte.
private let platformAndEssentials = platform.union(["FoundationEssentials"])

/// Modules for apps: on Apple's systems, the essentials are part of Foundation.
private let platformOfApps = platformAndEssentials.union(["Foundation"])

/// Every target, lowest first. A target imports only those above its own row.
let layers: [Layer] = [
    // 0: C
    Layer(target: "CLibevent", system: []),
    Layer(target: "COpenSSL", system: []),
    Layer(target: "CZlib", system: []),
    Layer(target: "CZstandard", system: []),
    Layer(target: "CLibyaml", system: []),
    Layer(target: "CSQLite", system: []),
    Layer(target: "CPostgreSQL", system: []),
    Layer(target: "CLibedit", system: []),
    Layer(target: "CHeadgate", system: []),

    // 1: leaves
    Layer(target: "HeadgateLibC", system: ["Darwin", "Glibc", "Musl"]),
    Layer(target: "ServerSentEvents"),
    Layer(target: "JSONBytes"),
    Layer(target: "HeadgatePrimitives", uses: ["JSONBytes"]),
    Layer(target: "HeadgateCassettes", uses: ["JSONBytes", "HeadgatePrimitives"]),
    Layer(target: "HeadgateDialects", uses: ["JSONBytes", "HeadgatePrimitives"]),
    Layer(target: "HeadgateHTTP", uses: ["HeadgatePrimitives", "HTTPTypes"]),
    Layer(target: "HeadgateCoding", uses: ["HeadgateHTTP", "CZlib", "CZstandard"]),
    Layer(target: "HeadgateContract", uses: ["HTTPTypes"]),
    Layer(target: "HeadgatePages", uses: ["HeadgateHTTP", "HeadgateContract", "HTTPTypes"]),
    Layer(
        target: "HeadgateOpenAPI", uses: ["ServerSentEvents", "HeadgatePrimitives", "HeadgateHTTP", "HTTPTypes"],
        system: platformOfApps),
    Layer(
        target: "HeadgateAPI", uses: ["HeadgateHTTP", "HeadgateContract", "HeadgateOpenAPI", "HTTPTypes"],
        system: platformOfApps),
    Layer(target: "HeadgateFaults", uses: ["HeadgatePrimitives"]),
    Layer(target: "HeadgatePrices", uses: ["HeadgatePrimitives"]),
    Layer(
        target: "HeadgateConfiguration",
        uses: ["CLibyaml", "HeadgatePrimitives", "HeadgateFaults", "HeadgatePrices"], system: platformAndEssentials),
    Layer(target: "HeadgateEnvironment"),
    Layer(target: "HeadgateApps", uses: ["JSONBytes", "HeadgateConfiguration"]),
    Layer(target: "HeadgateTerminal", uses: ["HeadgatePrimitives"], system: []),
    Layer(target: "OpenAPIGenerator", uses: ["Yams"]),

    // 2: core, without event loops, sockets and databases
    Layer(
        target: "HeadgateRelay",
        uses: [
            "ServerSentEvents", "JSONBytes", "HeadgateDialects", "HeadgateHTTP", "HeadgateContract",
            "HeadgatePrimitives", "HeadgatePrices", "HeadgateConfiguration", "HeadgateCoding", "COpenSSL", "HTTPTypes",
        ],
        system: platformAndEssentials),
    Layer(
        target: "HeadgateGateway",
        uses: [
            "ServerSentEvents", "JSONBytes", "HeadgateCassettes", "HeadgateDialects", "HeadgateHTTP",
            "HeadgateContract", "HeadgatePages", "HeadgatePrimitives", "HeadgatePrices", "HeadgateFaults",
            "HeadgateConfiguration", "HeadgateRelay", "HTTPTypes",
        ],
        system: platformAndEssentials),
    // 2: the library for apps, without I/O
    Layer(
        target: "HeadgateClient",
        uses: [
            "HeadgatePrimitives", "ServerSentEvents", "JSONBytes", "HeadgateFaults", "HeadgateHTTP", "HeadgateOpenAPI",
            "HeadgateAPI", "HTTPTypes",
        ],
        system: platformOfApps.union(["FoundationModels", "Observation", "Combine"])),
    Layer(
        target: "HeadgateClientURLSession",
        uses: ["HeadgatePrimitives", "HeadgateClient", "HeadgateHTTP", "HTTPTypes"],
        system: platformOfApps.union(["FoundationNetworking"])),
    Layer(
        target: "HeadgateFoundationModels", uses: ["HeadgateClient"],
        system: platformOfApps.union(["FoundationModels"])),

    // 2: diagnosis of what others have observed
    Layer(target: "HeadgateDiagnosis", uses: ["ServerSentEvents", "JSONBytes"]),

    // 3: I/O
    Layer(target: "HeadgateEventLoop", uses: ["CLibevent", "CHeadgate", "HeadgatePrimitives"]),
    Layer(
        target: "HeadgateNetwork",
        uses: ["HeadgatePrimitives", "HeadgateHTTP", "HeadgateEventLoop", "CHeadgate", "COpenSSL", "HTTPTypes"]),

    // 4: I/O
    Layer(
        target: "HeadgateServer",
        uses: ["HeadgatePrimitives", "HeadgateHTTP", "HeadgateEventLoop", "HeadgateNetwork", "CHeadgate", "HTTPTypes"]),
    Layer(
        target: "HeadgateServerTransport",
        uses: [
            "HeadgatePrimitives", "HeadgateHTTP", "HeadgateOpenAPI", "HeadgateEventLoop", "HeadgateServer", "HTTPTypes",
        ]),
    Layer(
        target: "HeadgateUpstream",
        uses: [
            "HeadgatePrimitives", "JSONBytes", "HeadgateHTTP", "HeadgateCoding", "HeadgateConfiguration",
            "HeadgateEventLoop", "HeadgateNetwork", "CHeadgate", "HTTPTypes",
        ],
        system: platformAndEssentials),

    Layer(
        target: "HeadgateClientTransport",
        uses: [
            "HeadgateHTTP", "HeadgateOpenAPI", "HeadgateEventLoop", "HeadgateNetwork", "HeadgateUpstream", "HTTPTypes",
        ]),

    // 4: storage
    Layer(
        target: "HeadgateStores",
        uses: [
            "HeadgatePrimitives", "HeadgateConfiguration", "HeadgateRelay", "HeadgateGateway", "HeadgateEventLoop",
            "HeadgateNetwork",
            "CHeadgate", "CSQLite", "CPostgreSQL",
        ]),

    // 5: test support
    Layer(
        target: "HeadgateTesting",
        uses: [
            "HeadgatePrimitives", "JSONBytes", "HeadgateCassettes", "HeadgateHTTP", "HeadgateEventLoop",
            "HeadgateNetwork", "CHeadgate", "COpenSSL", "HTTPTypes",
        ],
        system: platformOfApps),

    // 5: code that fuzzers and the replay of their corpora run
    Layer(
        target: "HeadgateFuzzing",
        uses: [
            "ServerSentEvents", "JSONBytes", "HeadgatePrimitives", "HeadgateCassettes", "HeadgateDialects",
            "HeadgateHTTP", "HeadgateConfiguration", "OpenAPIGenerator", "HeadgateRelay", "HeadgateStores", "HTTPTypes",
        ]),

    // 6: the process, without a command line
    Layer(
        target: "HeadgateService",
        uses: [
            "HeadgatePrimitives", "HeadgateCassettes", "HeadgatePages", "HeadgateConfiguration", "HeadgateRelay",
            "HeadgateGateway",
            "HeadgateHTTP", "HeadgateEventLoop", "HeadgateNetwork", "HeadgateServer", "HeadgateUpstream",
            "HeadgateStores", "HeadgateCoding", "CHeadgate",
        ]),

    Layer(
        target: "HeadgateKit",
        uses: [
            "HeadgatePrimitives", "HeadgateHTTP", "HeadgateContract", "HeadgateOpenAPI", "HeadgateRelay",
            "HeadgateGateway", "HeadgateEventLoop", "HeadgateUpstream", "HeadgateService", "HTTPTypes",
        ]),

    // 7: executables
    Layer(
        target: "HeadgateCommand",
        uses: [
            "HeadgateService", "HeadgatePrimitives", "HeadgatePrices", "HeadgateConfiguration", "HeadgateRelay",
            "HeadgateGateway",
            "HeadgateHTTP", "HeadgateEventLoop", "HeadgateNetwork", "HeadgateServer", "HeadgateUpstream",
            "HeadgateClient", "HeadgateClientTransport", "HeadgateTerminal", "HeadgateDiagnosis", "HeadgateEnvironment",
            "HeadgateApps",
            "CHeadgate", "CLibedit", "ArgumentParser", "HTTPTypes",
        ],
        system: platformOfApps),
    Layer(
        target: "OpenAPIGeneratorCommand", uses: ["OpenAPIGenerator", "ArgumentParser"],
        system: platformOfApps),
    // This plugin runs in SwiftPM.
    Layer(target: "OpenAPIGeneratorPlugin", system: ["PackagePlugin", "XcodeProjectPlugin", "Foundation"]),
    Layer(
        target: "ScriptedUpstreamCommand",
        uses: ["HeadgateTesting", "HeadgateCassettes", "HeadgateEventLoop", "CHeadgate", "ArgumentParser"],
        system: platformAndEssentials),
]
