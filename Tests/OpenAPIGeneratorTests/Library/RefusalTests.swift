import Testing

@testable import OpenAPIGenerator

/// Errors of a strict generator, which reports each unsupported part with its position.
@Suite struct RefusalTests {
    /// The first line of each document states the position of the error and the beginning of its message.
    @Test(arguments: Documents.refused)
    func errorNamesLineAndColumn(name: String) throws {
        let yaml = try Documents.refusedText(name)
        let expected = try #require(yaml.firstMatch(of: /# ([0-9]+:[0-9]+): (.+)/))
        var options = GeneratorOptions()
        options.isStrict = true
        let failure = #expect(throws: GenerationFailure.self) {
            _ = try SourceGenerator.files(of: yaml, named: "a.yaml", options)
        }
        let start = "a.yaml:\(expected.1): error: \(expected.2)"
        #expect(failure?.problems.contains { $0.hasPrefix(start) } ?? false, "\(failure?.description ?? "")")
    }

    /// A generator that is not strict warns about the position and generates the rest.
    @Test(arguments: Documents.refused.filter { $0 != "swagger" })
    func warningNamesLineAndColumn(name: String) throws {
        let yaml = try Documents.refusedText(name)
        let expected = try #require(yaml.firstMatch(of: /# ([0-9]+:[0-9]+): (.+)/))
        let (files, warnings) = try SourceGenerator.generate(yaml, named: "a.yaml", GeneratorOptions())
        #expect(warnings.contains { $0.hasPrefix("a.yaml:\(expected.1): warning: ") }, "\(warnings)")
        #expect(files.count == 3)
    }

    @Test func anotherFormatIsRefusedInAnyCase() throws {
        let yaml = try Documents.refusedText("swagger")
        #expect(throws: GenerationFailure.self) {
            _ = try SourceGenerator.files(of: yaml, named: "a.yaml", GeneratorOptions())
        }
    }

    @Test(arguments: [
        (
            "generate: [types, klient]",
            "c.yaml:1:19: error: 'generate' of the configuration knows: types, client, server"
        ),
        ("accessModifier: open\ngenerate: [types]", "c.yaml:1:17: error: 'accessModifier' of the configuration knows"),
        (
            "generate: [types]\nfeatureFlags: []",
            "c.yaml:2:1: error: 'featureFlags' of the configuration is not supported"
        ),
        ("accessModifier: public", "c.yaml:1:1: error: the configuration needs 'generate'"),
        ("[]", "c.yaml:1:1: error: the configuration must be a mapping, not a list"),
        (
            "generate: [types]\nadditionalImports: ['A; import B']",
            "c.yaml:2:21: error: 'A; import B' is no name of a module"
        ),
    ])
    func configurationThatIsNotUnderstood(yaml: String, message: String) {
        let failure = #expect(throws: GenerationFailure.self) { _ = try GeneratorOptions(yaml: yaml, named: "c.yaml") }
        #expect(failure?.problems.count == 1)
        #expect(failure?.problems.first?.hasPrefix(message) ?? false, "\(failure?.description ?? "")")
    }

    @Test func configurationSelectsTheOutput() throws {
        var expected = GeneratorOptions(parts: [.types, .server], access: .package)
        expected.additionalImports = ["Shared"]
        let yaml = "generate:\n  - types\n  - server\naccessModifier: package\nadditionalImports: [Shared]\n"
        #expect(try GeneratorOptions(yaml: yaml, named: "c.yaml") == expected)
    }
}
