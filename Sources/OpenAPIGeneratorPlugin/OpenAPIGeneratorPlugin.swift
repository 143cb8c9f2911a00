import Foundation
import PackagePlugin

/// Generates the Swift of a target's `openapi.yaml` before it is built, as its `openapi-generator-config.yaml` says.
@main
struct OpenAPIGeneratorPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        let document = try file(in: folder, ["openapi.yaml", "openapi.yml", "openapi.json"], "document")
        let configuration = try file(
            in: folder, ["openapi-generator-config.yaml", "openapi-generator-config.yml"], "configuration")
        let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedSources")
        return [
            .buildCommand(
                displayName: "Generating Swift of \(document.lastPathComponent) for \(target.name)",
                executable: try context.tool(named: "OpenAPIGeneratorCommand").url,
                // All files are written, empty or not: a build is told beforehand which there will be.
                arguments: [
                    "generate", document.path, "--config", configuration.path, "--output-directory", output.path,
                    "--all-files",
                ],
                inputFiles: [document, configuration],
                outputFiles: ["Types.swift", "Client.swift", "Server.swift"].map { output.appending(path: $0) })
        ]
    }

    private func file(in folder: URL, _ names: [String], _ what: String) throws -> URL {
        let found = names.map { folder.appending(path: $0) }.first { FileManager.default.fileExists(atPath: $0.path) }
        guard let found else {
            throw Missing(description: "\(folder.path) has no \(what) \(names[0]), which the plugin reads")
        }
        return found
    }

    private struct Missing: Error, CustomStringConvertible {
        let description: String
    }
}
