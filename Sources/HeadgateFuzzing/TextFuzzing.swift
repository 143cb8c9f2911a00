internal import HeadgateCassettes
internal import HeadgateConfiguration
internal import HeadgateDialects
internal import OpenAPIGenerator

/// Checks the parsers of whole documents.
enum TextFuzzing {
    static func errors(_ input: [UInt8]) throws(FuzzFinding) {
        guard let report = input.withUnsafeBytes({ ErrorReport(in: $0) }) else { return }
        let same = input.withUnsafeBytes { ErrorReport(in: $0) }
        try FuzzFinding.expect(report == same, "the same document says something else")
        try FuzzFinding.expect(input.withUnsafeBytes { (try? JSONValue($0)) != nil }, "no JSON, but an error")
    }

    static func cassettes(_ input: [UInt8]) throws(FuzzFinding) {
        guard let cassette = try? Cassette(text: input) else { return }
        try FuzzFinding.expect((try? Cassette(text: cassette.text)) == cassette, "written otherwise than read")
    }

    static func configurations(_ input: [UInt8]) throws(FuzzFinding) {
        do throws(ConfigurationError) {
            _ = try Configuration.parse(text: input, file: "headgate.yaml", environment: ["KEY": "sk-1"])
        } catch {
            try FuzzFinding.expect(!error.issues.isEmpty, "refused without a reason")
        }
    }

    static func imports(_ input: [UInt8]) throws(FuzzFinding) {
        let digest = String(repeating: "ab", count: 32)
        guard let result = try? LiteLLMImport(input, file: "config.yaml", digest: { _ in digest }) else { return }
        do throws(ConfigurationError) { try result.check() } catch {
            // Unsupported parts can leave nothing to serve, but the result is still YAML.
            let isSyntax = error.issues.contains { $0.message.contains("YAML") }
            try FuzzFinding.expect(!isSyntax, "the text is no YAML: \(error.issues)\n\(result.text)")
        }
    }

    static func documents(_ input: [UInt8]) throws(FuzzFinding) {
        guard let text = String(validating: input, as: UTF8.self),
            let files = try? SourceGenerator.generate(text, named: "openapi.yaml", GeneratorOptions()).files
        else { return }
        for file in files {
            try FuzzFinding.expect(file.text.last == "\n", "\(file.path) has no last line end")
        }
        let same = try? SourceGenerator.generate(text, named: "openapi.yaml", GeneratorOptions()).files
        try FuzzFinding.expect(same == files, "the same document makes other files")
    }
}
