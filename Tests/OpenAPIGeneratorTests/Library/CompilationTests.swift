import Foundation
import OpenAPIGenerator
import Testing

/// What is generated compiles, as an app would compile it: without this project's settings, and without a warning.
@Suite struct CompilationTests {
    /// The settings of an app.
    private static let modes = [
        ["-swift-version", "5"], ["-swift-version", "6"], ["-swift-version", "6", "-default-isolation", "MainActor"],
        [
            "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature",
            "MemberImportVisibility", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
            "NonisolatedNonsendingByDefault",
        ],
    ]

    /// Where the tests' own build has put the modules.
    private static let modules = Bundle(for: Here.self).bundleURL.deletingLastPathComponent().appending(path: "Modules")

    private final class Here {}

    @Test func thereAreTwentyDocuments() {
        #expect(Documents.accepted.count >= 20)
        #expect(Documents.refused.count >= 10)
    }

    @Test(arguments: Documents.accepted.enumerated().map { ($0.offset, $0.element) })
    func whatIsGeneratedCompiles(index: Int, name: String) throws {
        let access = CodeStyle.Access.allCases[index % CodeStyle.Access.allCases.count]
        let files = try SourceGenerator.files(
            of: Documents.text(name), named: "\(name).yaml", GeneratorOptions(access: access))
        #expect(files.map(\.path) == ["Types.swift", "Client.swift", "Server.swift"])
        try expectCompiles(files, CompilationTests.modes[index % CompilationTests.modes.count])
    }

    /// The greeting and the shop, in all settings.
    @Test(arguments: ["01-greeting", "20-shop"], CompilationTests.modes)
    func settingsOfTheAppDoNotMatter(name: String, mode: [String]) throws {
        try expectCompiles(SourceGenerator.files(of: Documents.text(name), named: "a.yaml", GeneratorOptions()), mode)
    }

    @Test func ourOwnDocumentCompilesForOthersToo() throws {
        let yaml = try String(contentsOf: Documents.root.appending(path: "openapi.yaml"), encoding: .utf8)
        let files = try SourceGenerator.files(of: yaml, named: "openapi.yaml", GeneratorOptions(access: .public))
        try expectCompiles(files, CompilationTests.modes[1])
    }

    private func expectCompiles(
        _ files: [GeneratedFile], _ mode: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files { try Data(file.text.utf8).write(to: folder.appending(path: file.path)) }
        let (status, output) = try run(
            ["swiftc", "-typecheck", "-parse-as-library", "-warnings-as-errors", "-package-name", "app"] + mode
                + ["-module-name", "App", "-I", CompilationTests.modules.path]
                + files.map { folder.appending(path: $0.path).path })
        #expect(status == 0, "\(output)", sourceLocation: sourceLocation)
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
