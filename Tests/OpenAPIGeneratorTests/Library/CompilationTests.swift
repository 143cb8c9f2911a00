import Foundation
import HeadgateTesting
import OpenAPIGenerator
import Testing

/// Generated code compiles as in an app: without this project's settings, and without warnings.
@Suite(.serialized) struct CompilationTests {
    /// Compiler settings of apps.
    private static let modes = [
        ["-swift-version", "5"], ["-swift-version", "6"], ["-swift-version", "6", "-default-isolation", "MainActor"],
        [
            "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature",
            "MemberImportVisibility", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
            "NonisolatedNonsendingByDefault",
        ],
    ]

    /// Folder with the modules of the tests' own build.
    private static let modules = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "Modules")

    @Test func thereAreFortyDocuments() {
        #expect(Documents.accepted.count >= 40)
        #expect(Documents.refused.count >= 20)
    }

    @Test(arguments: Documents.accepted.enumerated().map { ($0.offset, $0.element) })
    func generatedCodeCompiles(index: Int, name: String) async throws {
        let access = CodeStyle.Access.allCases[index % CodeStyle.Access.allCases.count]
        let files = try SourceGenerator.files(
            of: Documents.text(name), named: "\(name).yaml", GeneratorOptions(access: access))
        #expect(files.map(\.path) == ["Types.swift", "Client.swift", "Server.swift"])
        try await expectCompiles(files, CompilationTests.modes[index % CompilationTests.modes.count])
    }

    /// The greeting and the shop compile with all settings.
    @Test(arguments: ["01-greeting", "20-shop"], CompilationTests.modes)
    func settingsOfTheAppDoNotMatter(name: String, mode: [String]) async throws {
        let files = try SourceGenerator.files(of: Documents.text(name), named: "a.yaml", GeneratorOptions())
        try await expectCompiles(files, mode)
    }

    /// Schemas, responses and an operation have the names of types that several operations share.
    @Test(arguments: CompilationTests.modes)
    func namesOfSharedTypesAreUnique(mode: [String]) async throws {
        let files = try SourceGenerator.files(
            of: Namesakes.document, named: "a.yaml", GeneratorOptions(access: .public))
        for name in [
            "XTraceRequestHeaders", "XTraceResponseHeaders", "JsonPetRequestBody", "JsonPetResponseBody",
            "XTraceJsonPetResponse",
        ] {
            #expect(files[0].text.contains("= Components.Shared.\(name)\n"))
        }
        try await expectCompiles(files + [Namesakes.user], mode)
    }

    /// Code that uses the names of Swift OpenAPI Generator compiles with another import.
    @Test(arguments: [modes[0], modes[1]])
    func codeOfTheTutorialCompiles(mode: [String]) async throws {
        var options = GeneratorOptions()
        options.namingStrategy = .defensive
        let files = try SourceGenerator.files(of: Tutorial.document, named: "a.yaml", options)
        try await expectCompiles(files + [Tutorial.user], mode)
    }

    /// Names that are not Swift identifiers are spelled out.
    @Test(arguments: ["15-names", "39-enumerations", "40-colliding-names"])
    func defensiveNamesCompile(name: String) async throws {
        var options = GeneratorOptions()
        options.namingStrategy = .defensive
        let files = try SourceGenerator.files(of: Documents.text(name), named: "a.yaml", options)
        try await expectCompiles(files, CompilationTests.modes[1])
    }

    /// The types can be in one module, and the client and server in another that imports it.
    @Test func typesCanBeInAnotherModule() async throws {
        let text = try Documents.text("20-shop")
        var types = GeneratorOptions(parts: [.types], access: .public)
        types.additionalImports = ["Foundation"]
        var others = GeneratorOptions(parts: [.client, .server], access: .public)
        others.additionalImports = ["Types"]
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let module = folder.appending(path: "Types.swiftmodule").path
        for (options, output) in [
            (types, ["-emit-module", "-emit-module-path", module, "-module-name", "Types"]),
            (others, ["-typecheck", "-I", folder.path, "-module-name", "App"]),
        ] {
            let files = try SourceGenerator.files(of: text, named: "a.yaml", options)
            for file in files { try Data(file.text.utf8).write(to: folder.appending(path: file.path)) }
            let (status, said) = try await run(
                ["swiftc", "-swift-version", "6", "-parse-as-library", "-wmo", "-I", CompilationTests.modules.path]
                    + output + files.map { folder.appending(path: $0.path).path },
                saying: folder.appending(path: "output"))
            #expect(status == 0, "\(said)")
        }
    }

    private func expectCompiles(
        _ files: [GeneratedFile], _ mode: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files { try Data(file.text.utf8).write(to: folder.appending(path: file.path)) }
        let (status, output) = try await run(
            // The compiler runs up to the stage that detects errors of isolation.
            ["swiftc", "-emit-sil", "-wmo", "-o", "/dev/null", "-parse-as-library", "-warnings-as-errors"] + mode
                + ["-package-name", "app", "-module-name", "App", "-I", CompilationTests.modules.path]
                + files.map { folder.appending(path: $0.path).path }, saying: folder.appending(path: "output"))
        #expect(status == 0, "\(output)", sourceLocation: sourceLocation)
    }

    /// Runs the command on a separate thread, because other tests need the threads that run tasks.
    private func run(_ arguments: [String], saying file: URL) async throws -> (status: Int32, output: String) {
        let status = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let shell = try? ScriptShell(
                    #"output=$1; shift; "$@" >"$output" 2>&1; echo $?"#, [file.path] + arguments)
                continuation.resume(returning: shell?.readLine())
            }
        }
        // A successful run has no output, and Foundation leaks the memory into which it reads an empty file.
        if status == "0" { return (0, "") }
        return (status.flatMap { Int32($0) } ?? -1, try String(contentsOf: file, encoding: .utf8))
    }
}
