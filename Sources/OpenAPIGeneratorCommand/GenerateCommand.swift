internal import ArgumentParser
internal import OpenAPIGenerator

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// `openapi-generator generate`: Swift of anybody's document.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Makes Types.swift, Client.swift and Server.swift of an OpenAPI 3.0 or 3.1 document.",
        discussion: "What it supports is in docs/generator.md; everything else is an error with line and column.")

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

    @Flag(help: "Write also empty files in place of those that are not asked for, for a build that expects them.")
    var allFiles = false

    func run() throws {
        try Complaint.explaining {
            var options = GeneratorOptions()
            if let config { options = try GeneratorOptions(yaml: Complaint.text(of: config), named: config) }
            if !parts.isEmpty { options.parts = parts }
            if let accessModifier { options.access = accessModifier }
            let name = document.split(separator: "/").last.map(String.init) ?? document
            var files = try SourceGenerator.files(of: Complaint.text(of: document), named: name, options)
            if allFiles { files += GeneratedFile.placeholders(beside: files) }
            try OutputFolder(path: outputDirectory).write(files, removesOthers: false)
        }
    }
}

extension GeneratorOptions.Part: ExpressibleByArgument {}
extension CodeStyle.Access: ExpressibleByArgument {}
