internal import ArgumentParser
internal import OpenAPIGenerator

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// `openapi-generator generate`: generates the Swift code of any document.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Makes Types.swift, Client.swift and Server.swift of an OpenAPI 3 document.",
        discussion: "What it supports is in docs/generator.md; what is left out is a warning with line and column.")

    @Argument(help: "The document.")
    var document: String

    @Option(help: "The configuration, such as openapi-generator-config.yaml.")
    var config: String?

    @Option(name: [.customLong("mode"), .customLong("generate")], help: "What to write; may be given several times.")
    var parts: [GeneratorOptions.Part] = []

    @Option(help: "Who sees what is written.")
    var accessModifier: CodeStyle.Access?

    @Option(help: "The folder to write to; other files in it stay.")
    var outputDirectory: String

    @Flag(help: "Fail where anything would be left out, or would have another effect than the document says.")
    var strict = false

    @Flag(help: "Write also empty files in place of those that are not asked for, for a build that expects them.")
    var allFiles = false

    func run() throws {
        try Complaint.explaining {
            var options = GeneratorOptions()
            if let config { options = try GeneratorOptions(yaml: Complaint.text(of: config), named: config) }
            if !parts.isEmpty { options.parts = parts }
            if let accessModifier { options.access = accessModifier }
            options.isStrict = strict
            let name = document.split(separator: "/").last.map(String.init) ?? document
            var (files, warnings) = try SourceGenerator.generate(Complaint.text(of: document), named: name, options)
            for warning in warnings { Complaint.say(warning) }
            if allFiles { files += GeneratedFile.placeholders(beside: files) }
            try OutputFolder(path: outputDirectory).write(files, removesOthers: false)
        }
    }
}

extension GeneratorOptions.Part: ExpressibleByArgument {}
extension CodeStyle.Access: ExpressibleByArgument {}
