import Foundation
import PackagePlugin

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension OpenAPIGeneratorPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            try commands(
                for: target.displayName, files: target.inputFiles.map(\.url), tool: context.tool(named:),
                work: context.pluginWorkDirectoryURL)
        }
    }
#endif

/// Generates the Swift code of a target's `openapi.yaml` before it is built, according to its
/// `openapi-generator-config.yaml`.
@main
struct OpenAPIGeneratorPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = try FileManager.default.contentsOfDirectory(
            at: target.directoryURL, includingPropertiesForKeys: nil)
        return try commands(
            for: target.name, files: files, tool: context.tool(named:), work: context.pluginWorkDirectoryURL)
    }

    /// Returns the commands that generate the code of a target.
    ///
    /// - Parameter files: The files of the target, which include the document and its configuration.
    private func commands(
        for target: String, files: [URL], tool: (String) throws -> PluginContext.Tool, work: URL
    ) throws -> [Command] {
        let document = try file(of: files, in: target, ["openapi.yaml", "openapi.yml", "openapi.json"], "document")
        let configuration = try file(
            of: files, in: target, ["openapi-generator-config.yaml", "openapi-generator-config.yml"], "configuration")
        let output = work.appending(path: "GeneratedSources")
        return [
            .buildCommand(
                displayName: "Generating Swift of \(document.lastPathComponent) for \(target)",
                executable: try tool("OpenAPIGeneratorCommand").url,
                // All files are written, even if they are empty, because a build must know the files in advance.
                arguments: [
                    "generate", document.path, "--config", configuration.path, "--output-directory", output.path,
                    "--all-files",
                ],
                inputFiles: [document, configuration],
                outputFiles: ["Types.swift", "Client.swift", "Server.swift"].map { output.appending(path: $0) })
        ]
    }

    private func file(of files: [URL], in target: String, _ names: [String], _ what: String) throws -> URL {
        for name in names {
            if let found = files.first(where: { $0.lastPathComponent == name }) { return found }
        }
        throw Missing(description: "target \(target) has no \(what) \(names[0]), which the plugin reads")
    }

    private struct Missing: Error, CustomStringConvertible {
        let description: String
    }
}
