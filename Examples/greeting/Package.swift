// swift-tools-version: 6.2
import PackageDescription

// The code is the same in each mode; an app has only one.
let settings: [SwiftSetting] =
    switch Context.environment["GREETING_MODE"] {
    case "swift5": [.swiftLanguageMode(.v5)]
    case "main-actor": [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]
    default: [.swiftLanguageMode(.v6)]
    }

let package = Package(
    name: "greeting",
    platforms: [.macOS(.v13)],
    // Outside of this repository: .package(url: "<where you found Headgate>", from: "0.1.0")
    dependencies: [.package(name: "headgate", path: Context.environment["HEADGATE_PATH"] ?? "../..")],
    targets: [
        .executableTarget(
            name: "greeting",
            dependencies: [
                .product(name: "HeadgateOpenAPI", package: "headgate"),
                .product(name: "HeadgateServerTransport", package: "headgate"),
                .product(name: "HeadgateClient", package: "headgate"),
                .product(name: "HeadgateClientURLSession", package: "headgate"),
            ],
            swiftSettings: settings,
            plugins: [.plugin(name: "OpenAPIGeneratorPlugin", package: "headgate")])
    ]
)
