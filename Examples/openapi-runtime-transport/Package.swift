// swift-tools-version: 6.2
import PackageDescription

// The tests build this package against a stand-in; README.md gives the reason.
let runtime: Package.Dependency =
    Context.environment["OPENAPI_RUNTIME_PATH"].map { .package(name: "swift-openapi-runtime", path: $0) }
    ?? .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.8.0")

let package = Package(
    name: "openapi-runtime-transport",
    platforms: [.macOS(.v13)],
    products: [.library(name: "HeadgateRuntimeTransport", targets: ["HeadgateRuntimeTransport"])],
    dependencies: [
        // Outside of this repository: .package(url: "<where you found Headgate>", from: "0.1.0")
        .package(name: "headgate", path: Context.environment["HEADGATE_PATH"] ?? "../.."),
        runtime,
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .target(
            name: "HeadgateRuntimeTransport",
            dependencies: [
                .product(name: "HeadgateOpenAPI", package: "headgate"),
                .product(name: "HeadgateServerTransport", package: "headgate"),
                .product(name: "HeadgateClientTransport", package: "headgate"),
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "runtime-greeting", dependencies: ["HeadgateRuntimeTransport"],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
