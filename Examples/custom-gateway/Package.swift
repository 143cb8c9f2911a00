// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "custom-gateway",
    platforms: [.macOS(.v13)],
    // Outside of this repository: .package(url: "<where you found Headgate>", from: "0.1.0")
    dependencies: [.package(name: "headgate", path: Context.environment["HEADGATE_PATH"] ?? "../..")],
    targets: [
        .executableTarget(
            name: "custom-gateway", dependencies: [.product(name: "HeadgateKit", package: "headgate")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
