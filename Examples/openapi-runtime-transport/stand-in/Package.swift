// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "swift-openapi-runtime",
    platforms: [.macOS(.v13)],
    products: [.library(name: "OpenAPIRuntime", targets: ["OpenAPIRuntime"])],
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.8.0")],
    targets: [
        .target(
            name: "OpenAPIRuntime", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
