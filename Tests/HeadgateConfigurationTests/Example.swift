import Foundation
import HeadgateTesting

/// Files of `config/`, and an environment in which the example loads.
struct Example {
    static let minimalPath = path("headgate.yaml")
    static let path = path("headgate.example.yaml")
    static let targetsPath = path("headgate.targets.yaml")

    let text: String
    let environment: [String: String]
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        text = try String(contentsOfFile: Self.path, encoding: .utf8)
        environment = [
            "OPENAI_API_KEY": "sk-openai",
            "HEADGATE_TLS_CERT": try folder.file("cert.pem", "-----BEGIN CERTIFICATE-----\n"),
            "HEADGATE_TLS_KEY": try folder.file("key.pem", "-----BEGIN PRIVATE KEY-----\n"),
            "HEADGATE_CA": try folder.file("ca.pem", "# a CA\n-----BEGIN CERTIFICATE-----\n"),
            "ANTHROPIC_KEY_FILE": try folder.file("anthropic", "sk-anthropic\n"),
            "CREDENTIALS_DIRECTORY": folder.path,
        ]
        _ = try folder.file("azure", "azure-key")
    }

    private static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("config").appendingPathComponent(name).path
    }
}
