// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "chat-app",
    platforms: [.macOS(.v14), .iOS(.v17)],
    // Outside of this repository: .package(url: "<where you found Headgate>", from: "0.1.0")
    dependencies: [.package(name: "headgate", path: "../..")],
    targets: [
        .executableTarget(
            name: "ChatApp",
            dependencies: [
                .product(name: "HeadgateClient", package: "headgate"),
                .product(name: "HeadgateClientURLSession", package: "headgate"),
            ])
    ]
)
