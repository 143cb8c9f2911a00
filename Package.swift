// swift-tools-version: 6.2
import PackageDescription

/// One set of settings for every target, so that a rule of the language holds everywhere or nowhere.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
/// The system's C library; every Swift target may use it.
let libC: [Target.Dependency] = ["HeadgateLibC"]

// `HEADGATE_RELEASE=1` (make release) builds the gateway as it is shipped. Only then are there flags that SwiftPM calls
// unsafe, with which no other package could depend on the library products.
let isRelease = Context.environment["HEADGATE_RELEASE"] == "1"

/// Modules that run only at start or in a terminal. Optimising them took 40 % of the processor time of a release build.
let unoptimized: Set = [
    "HeadgateAPI", "HeadgateApps", "HeadgateClient", "HeadgateCommand", "HeadgateConfiguration", "HeadgateContract",
    "HeadgateDiagnosis", "HeadgateEnvironment", "HeadgatePages", "HeadgateTerminal",
]

/// `HEADGATE_PORTABLE=1` builds with what POSIX and libevent have on every system, as a Mac does.
#if os(macOS)
    let isPortable = true
#else
    let isPortable = Context.environment["HEADGATE_PORTABLE"] == "1"
#endif

/// `HEADGATE_SANITIZED=1` (make sanitize) adds UndefinedBehaviorSanitizer to the C module, with the runtime of another.
let sanitizedC: [CSetting] =
    Context.environment["HEADGATE_SANITIZED"] == "1"
    ? [.unsafeFlags(["-fsanitize=undefined", "-fno-sanitize-recover=undefined"])] : []

/// Files with two versions: `+Linux` uses Linux-only calls, and `+Portable` does not.
let twins = [
    "CHeadgate": ["platform.c"],
    "HeadgateService": ["Metrics/ProcessReading.swift", "ProgramFile.swift", "Watching/FileWatch.swift"],
    "HeadgateCommand": ["ProcessArguments.swift"],
]
/// `+Linux` files without a portable version.
let linuxOnly = [
    "HeadgateService": ["Watching/FileEvents.swift"],
    "HeadgateServiceTests": ["Metrics/ProcessReadingTests.swift", "Watching/FileEventsTests.swift"],
]

/// Returns the files of a target's folder that are not built.
func leftOut(_ name: String) -> [String] {
    func file(_ path: String, _ kind: String) -> String { path.split(separator: ".").joined(separator: "+\(kind).") }
    return (twins[name] ?? []).map { file($0, isPortable ? "Linux" : "Portable") }
        + (isPortable ? linuxOnly[name] ?? [] : []).map { file($0, "Linux") }
}

func settings(_ name: String) -> [SwiftSetting] {
    guard isRelease else { return swiftSettings }
    let optimization = unoptimized.contains(name) ? ["-Onone"] : []
    return swiftSettings + [.unsafeFlags(optimization + ["-Xfrontend", "-function-sections"])]
}

/// Linked without the functions that nothing calls, and with one copy of those that are the same.
let linkerSettings: [LinkerSetting] =
    isRelease
    ? [.unsafeFlags(["-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=all"])] : []

/// - Parameter exclude: files of the target's folder that are embedded as generated Swift (`.ci/embed`).
func source(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies + libC, exclude: exclude + leftOut(name), swiftSettings: settings(name))
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + libC, exclude: leftOut(name), swiftSettings: swiftSettings)
}

func command(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + libC, exclude: leftOut(name), swiftSettings: settings(name),
        linkerSettings: linkerSettings)
}

// The layers, lowest first: a target depends only on layers above it in this list (ArchitectureTests holds the imports
// to it).
let package = Package(
    name: "headgate",
    // For the library. The gateway is for Linux, and not yet verified on a Mac, where its fixed-size arrays need 26.
    platforms: [
        .macOS(Context.environment["HEADGATE_PORTABLE"] == "1" ? .v26 : .v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9),
        .visionOS(.v1),
    ],
    products: [
        // With what its own API is made of: the contract's types, and the protocols of transports and middleware.
        .library(name: "HeadgateClient", targets: ["HeadgateClient", "HeadgateAPI", "HeadgateHTTP"]),
        .library(name: "HeadgateClientURLSession", targets: ["HeadgateClientURLSession"]),
        // Models of a gateway for Apple's LanguageModelSession; empty on other systems.
        .library(name: "HeadgateFoundationModels", targets: ["HeadgateFoundationModels"]),
        // What code of openapi-generator stands on, and a server and a client transport for it.
        .library(name: "HeadgateOpenAPI", targets: ["HeadgateOpenAPI", "HeadgateHTTP"]),
        .library(name: "HeadgateServerTransport", targets: ["HeadgateServerTransport"]),
        .library(name: "HeadgateClientTransport", targets: ["HeadgateClientTransport"]),
        // A gateway with one's own middleware, observers and routes.
        .library(name: "HeadgateKit", targets: ["HeadgateKit", "HeadgateOpenAPI", "HeadgateHTTP"]),
        .executable(name: "headgate", targets: ["HeadgateCommand"]),
        .executable(name: "headgate-upstream", targets: ["ScriptedUpstreamCommand"]),
        .executable(name: "openapi-generator", targets: ["OpenAPIGeneratorCommand"]),
        .plugin(name: "OpenAPIGeneratorPlugin", targets: ["OpenAPIGeneratorPlugin"]),
    ],
    dependencies: [
        // Ranges: an app that uses the library has to agree with its other packages.
        // Without its default trait, which would pull in Foundation.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // For the generator only: nothing that is shipped links it.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // 0: C
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_core", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstandard", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CLibyaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        // Their headers alone: the libraries are opened where something is kept.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CLibedit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
        .target(name: "CHeadgate", exclude: leftOut("CHeadgate"), cSettings: sanitizedC),

        // 1: leaves
        .target(name: "HeadgateLibC", swiftSettings: swiftSettings),
        source("ServerSentEvents"),
        source("JSONBytes"),
        source("HeadgatePrimitives", ["JSONBytes"]),
        source("HeadgateCassettes", ["JSONBytes", "HeadgatePrimitives"]),
        source("HeadgateDialects", ["JSONBytes", "HeadgatePrimitives"]),
        source("HeadgateHTTP", ["HeadgatePrimitives", httpTypes]),
        source("HeadgateCoding", ["HeadgateHTTP", "CZlib", "CZstandard"]),
        source("HeadgateContract", [httpTypes]),
        source("HeadgatePages", ["HeadgateHTTP", "HeadgateContract", httpTypes], exclude: ["Assets"]),
        source("HeadgateOpenAPI", ["ServerSentEvents", "HeadgatePrimitives", "HeadgateHTTP", httpTypes]),
        source("HeadgateAPI", ["HeadgateHTTP", "HeadgateContract", "HeadgateOpenAPI", httpTypes]),
        source("HeadgateFaults", ["HeadgatePrimitives"]),
        source("HeadgatePrices", ["HeadgatePrimitives"]),
        source("HeadgateConfiguration", ["CLibyaml", "HeadgatePrimitives", "HeadgateFaults", "HeadgatePrices"]),
        source("HeadgateEnvironment"),
        source("HeadgateApps", ["JSONBytes", "HeadgateConfiguration"]),
        source("HeadgateTerminal", ["HeadgatePrimitives"]),
        source("OpenAPIGenerator", [yams]),

        // 2: core
        source(
            "HeadgateRelay",
            [
                "ServerSentEvents", "JSONBytes", "HeadgateDialects", "HeadgateHTTP", "HeadgateContract",
                "HeadgatePrimitives", "HeadgatePrices", "HeadgateConfiguration", "HeadgateCoding", "COpenSSL",
                httpTypes,
            ]),
        source(
            "HeadgateGateway",
            [
                "ServerSentEvents", "JSONBytes", "HeadgateCassettes", "HeadgateDialects", "HeadgateHTTP",
                "HeadgateContract", "HeadgatePages", "HeadgatePrimitives", "HeadgatePrices", "HeadgateFaults",
                "HeadgateConfiguration", "HeadgateRelay", httpTypes,
            ]),
        source(
            "HeadgateClient",
            [
                "HeadgatePrimitives", "ServerSentEvents", "JSONBytes", "HeadgateFaults", "HeadgateHTTP",
                "HeadgateOpenAPI", "HeadgateAPI", httpTypes,
            ]),
        source("HeadgateClientURLSession", ["HeadgatePrimitives", "HeadgateClient", "HeadgateHTTP", httpTypes]),
        source("HeadgateFoundationModels", ["HeadgateClient"]),

        source("HeadgateDiagnosis", ["ServerSentEvents", "JSONBytes"]),

        // 3: I/O
        source("HeadgateEventLoop", ["CLibevent", "CHeadgate", "HeadgatePrimitives"]),
        source(
            "HeadgateNetwork",
            ["HeadgatePrimitives", "HeadgateHTTP", "HeadgateEventLoop", "CHeadgate", "COpenSSL", httpTypes]),

        // 4: I/O
        source(
            "HeadgateServer",
            ["HeadgatePrimitives", "HeadgateHTTP", "HeadgateEventLoop", "HeadgateNetwork", "CHeadgate", httpTypes]),
        source(
            "HeadgateServerTransport",
            [
                "HeadgatePrimitives", "HeadgateHTTP", "HeadgateOpenAPI", "HeadgateEventLoop", "HeadgateServer",
                httpTypes,
            ]),
        source(
            "HeadgateUpstream",
            [
                "HeadgatePrimitives", "JSONBytes", "HeadgateHTTP", "HeadgateCoding", "HeadgateConfiguration",
                "HeadgateEventLoop", "HeadgateNetwork", "CHeadgate", httpTypes,
            ],
            exclude: ["OnDevice/on_device.py"]),

        source(
            "HeadgateClientTransport",
            [
                "HeadgateHTTP", "HeadgateOpenAPI", "HeadgateEventLoop", "HeadgateNetwork", "HeadgateUpstream",
                httpTypes,
            ]),

        // 4: what is kept
        source(
            "HeadgateStores",
            [
                "HeadgatePrimitives", "HeadgateConfiguration", "HeadgateRelay", "HeadgateGateway", "HeadgateEventLoop",
                "HeadgateNetwork", "CHeadgate", "CSQLite", "CPostgreSQL",
            ]),

        // 5: test
        source(
            "HeadgateTesting",
            [
                "HeadgatePrimitives", "JSONBytes", "HeadgateCassettes", "HeadgateHTTP", "HeadgateEventLoop",
                "HeadgateNetwork", "CHeadgate", "COpenSSL", httpTypes,
            ]),

        // 5: what fuzzers and the replay of their corpora run
        source(
            "HeadgateFuzzing",
            [
                "ServerSentEvents", "JSONBytes", "HeadgatePrimitives", "HeadgateCassettes", "HeadgateDialects",
                "HeadgateHTTP", "HeadgateConfiguration", "OpenAPIGenerator", "HeadgateRelay", "HeadgateStores",
                httpTypes,
            ]),

        // 6: the process
        source(
            "HeadgateService",
            [
                "HeadgatePrimitives", "HeadgateCassettes", "HeadgatePages", "HeadgateConfiguration",
                "HeadgateRelay", "HeadgateGateway", "HeadgateHTTP", "HeadgateEventLoop", "HeadgateNetwork",
                "HeadgateServer",
                "HeadgateUpstream", "HeadgateStores", "HeadgateCoding", "CHeadgate",
            ]),

        source(
            "HeadgateKit",
            [
                "HeadgatePrimitives", "HeadgateHTTP", "HeadgateContract", "HeadgateOpenAPI", "HeadgateRelay",
                "HeadgateGateway", "HeadgateEventLoop", "HeadgateUpstream", "HeadgateService", httpTypes,
            ]),

        // 7: executables
        command(
            "HeadgateCommand",
            [
                "HeadgateService", "HeadgatePrimitives", "HeadgatePrices", "HeadgateConfiguration", "HeadgateRelay",
                "HeadgateGateway",
                "HeadgateHTTP", "HeadgateEventLoop", "HeadgateNetwork", "HeadgateServer", "HeadgateUpstream",
                "HeadgateClient", "HeadgateClientTransport", "HeadgateTerminal", "HeadgateDiagnosis",
                "HeadgateEnvironment",
                "HeadgateApps", "CHeadgate", "CLibedit", argumentParser, httpTypes,
            ]),
        command("OpenAPIGeneratorCommand", ["OpenAPIGenerator", argumentParser]),
        .plugin(
            name: "OpenAPIGeneratorPlugin", capability: .buildTool(), dependencies: ["OpenAPIGeneratorCommand"],
            path: "Sources/OpenAPIGeneratorPlugin"),
        command(
            "ScriptedUpstreamCommand",
            ["HeadgateTesting", "HeadgateCassettes", "HeadgateEventLoop", "CHeadgate", argumentParser]),

        tests("HeadgatePrimitivesTests", ["HeadgatePrimitives"]),
        tests("ServerSentEventsTests", ["ServerSentEvents"]),
        tests("JSONBytesTests", ["JSONBytes", "HeadgateTesting"]),
        tests("HeadgateCassettesTests", ["HeadgateCassettes", "HeadgateTesting"]),
        tests("HeadgateDialectsTests", ["HeadgateDialects", "HeadgateTesting"]),
        tests("HeadgateHTTPTests", ["HeadgateHTTP", "HeadgateTesting", httpTypes]),
        tests("HeadgateCodingTests", ["HeadgateCoding", "HeadgateHTTP", "HeadgateTesting", "CZlib", "CZstandard"]),
        tests(
            "HeadgateAPITests",
            ["HeadgatePrimitives", "HeadgateAPI", "HeadgateContract", "HeadgateEventLoop", "HeadgateHTTP", httpTypes]),
        tests("HeadgateOpenAPITests", ["HeadgateOpenAPI", "HeadgateHTTP", httpTypes]),
        tests(
            "HeadgateServerTransportTests",
            [
                "HeadgatePrimitives", "HeadgateServerTransport", "HeadgateClientTransport", "HeadgateOpenAPI",
                "HeadgateEventLoop", "HeadgateHTTP", "HeadgateTesting", httpTypes,
            ]),
        tests("HeadgateTerminalTests", ["HeadgateTerminal"]),
        tests("OpenAPIGeneratorTests", ["OpenAPIGenerator", "HeadgateOpenAPI", "HeadgateTesting"]),
        tests(
            "HeadgateConfigurationTests",
            ["HeadgateConfiguration", "HeadgatePrimitives", "HeadgatePrices", "HeadgateFaults", "HeadgateTesting"]),
        tests("HeadgateEnvironmentTests", ["HeadgateEnvironment"]),
        tests("HeadgateAppsTests", ["HeadgateApps"]),
        tests("HeadgateDiagnosisTests", ["HeadgateDiagnosis"]),
        tests("HeadgateEventLoopTests", ["HeadgatePrimitives", "HeadgateEventLoop"]),
        tests(
            "HeadgateNetworkTests",
            ["HeadgatePrimitives", "HeadgateNetwork", "HeadgateEventLoop", "HeadgateTesting", "CHeadgate", "COpenSSL"]),
        tests(
            "HeadgateServerTests",
            [
                "HeadgatePrimitives", "HeadgateServer", "HeadgateEventLoop", "HeadgateHTTP", "HeadgateNetwork",
                "CHeadgate", httpTypes,
            ]),
        tests(
            "HeadgateUpstreamTests",
            [
                "HeadgatePrimitives", "HeadgateUpstream", "HeadgateEventLoop", "HeadgateTesting", "HeadgateHTTP",
                "HeadgateConfiguration", "HeadgateNetwork",
                "CHeadgate", httpTypes,
            ]),
        tests(
            "HeadgateStoresTests",
            [
                "HeadgatePrimitives", "HeadgateStores", "HeadgateConfiguration", "HeadgateRelay", "HeadgateGateway",
                "HeadgateEventLoop",
                "HeadgateNetwork",
                "HeadgateTesting", "CSQLite",
            ]),
        tests(
            "HeadgateGatewayTests",
            [
                "HeadgateRelay", "HeadgateGateway", "HeadgateStores", "HeadgateTesting", "HeadgateCassettes",
                "HeadgateHTTP",
                "HeadgateContract", "HeadgateFaults", "HeadgatePages", "HeadgatePrimitives", "HeadgatePrices",
                "HeadgateConfiguration", "HeadgateEventLoop", "HeadgateNetwork", "HeadgateCoding", "JSONBytes",
                httpTypes,
            ]),
        tests("HeadgateFuzzingTests", ["HeadgateFuzzing"]),
        tests(
            "HeadgateServiceTests",
            [
                "HeadgatePrimitives", "HeadgateService", "HeadgateTesting", "HeadgateCassettes",
                "HeadgateConfiguration", "HeadgateRelay", "HeadgateGateway",
                "HeadgatePages", "HeadgateEventLoop", "HeadgateNetwork", "HeadgateServer", "HeadgateUpstream",
                "HeadgateCoding", "HeadgateHTTP", "CHeadgate",
            ]),
        tests(
            "HeadgateKitTests",
            ["HeadgateKit", "HeadgateOpenAPI", "HeadgateHTTP", "HeadgateGateway", "HeadgateTesting", httpTypes]),
        tests(
            "HeadgateClientTests",
            ["HeadgatePrimitives", "HeadgateClient", "HeadgateAPI", "HeadgateHTTP", "HeadgateTesting", httpTypes]),
        tests("HeadgateFoundationModelsTests", ["HeadgateFoundationModels", "HeadgateClient"]),
        tests(
            "HeadgateClientURLSessionTests",
            [
                "HeadgatePrimitives", "HeadgateClientURLSession", "HeadgateClient", "HeadgateHTTP", "HeadgateTesting",
                "HeadgateEventLoop",
                httpTypes,
            ]),
        // These read every character of every source, which takes a minute of processor time without optimisation.
        .testTarget(name: "ArchitectureTests", swiftSettings: swiftSettings + [.unsafeFlags(["-O"])]),
        tests(
            "ConformanceTests",
            [
                "ServerSentEvents", "HeadgateCassettes", "HeadgateHTTP", "HeadgateConfiguration", "HeadgateRelay",
                "HeadgateGateway",
                "HeadgateEventLoop", "HeadgateServer", "HeadgateTesting", httpTypes,
            ]),
        tests(
            "IntegrationTests",
            [
                "HeadgatePrimitives", "HeadgateTesting", "HeadgateCassettes", "HeadgateHTTP", "HeadgateConfiguration",
                "HeadgateRelay", "HeadgateGateway",
                "HeadgateEventLoop", "HeadgateNetwork", "HeadgateServer", "HeadgateUpstream", "HeadgateClient",
                "HeadgateClientURLSession", "HeadgateKit", "HeadgateOpenAPI", "CHeadgate", "COpenSSL", "CZlib",
                httpTypes,
            ]),
    ]
)

// What only measurements need. The helper's name keeps these targets out of the table of layers: nothing depends on
// them.
func driver(_ name: String, path: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + libC, path: path, swiftSettings: settings(name),
        linkerSettings: linkerSettings)
}

// The example stands in this package too, so that it is built and run with the tests.
package.targets.append(
    driver(
        "CustomGateway", path: "Examples/custom-gateway/Sources/custom-gateway",
        [
            "HeadgateKit", "HeadgateOpenAPI", "HeadgateHTTP", httpTypes,
        ]))

if Context.environment["HEADGATE_DEVELOPMENT"] == "1" {
    package.targets.append(
        driver(
            "BenchmarkDrivers", path: "Benchmarks/drivers",
            [
                "HeadgatePrimitives", "ServerSentEvents", "JSONBytes", "HeadgateHTTP", "HeadgatePrices",
                "HeadgateConfiguration", "HeadgateRelay", "HeadgateGateway", "HeadgateEventLoop", "HeadgateServer",
                "HeadgateServerTransport",
                "HeadgateOpenAPI", "HeadgateUpstream", "HeadgateStores", "CHeadgate", httpTypes,
            ]))
    package.products.append(.executable(name: "headgate-drivers", targets: ["BenchmarkDrivers"]))
    // Only C, since libFuzzer has the main function.
    package.targets.append(driver("Fuzzer", path: "Tests/Fuzz/Driver", ["HeadgateFuzzing"]))
    package.products.append(.executable(name: "headgate-fuzz", targets: ["Fuzzer"]))
}
