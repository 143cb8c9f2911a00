import Foundation
import HeadgateConfiguration
import Testing

@Suite struct ConfigurationFileTests {
    private func message(_ path: String) -> String? {
        do throws(ConfigurationError) {
            _ = try Configuration.load(path: path, environment: [:])
            return nil
        } catch {
            return error.description
        }
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func aFileIsReadAndIssuesCarryItsPath() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("c.yaml").path
            try Data("loops: 3\n".utf8).write(to: URL(fileURLWithPath: path))
            #expect(try Configuration.load(path: path, environment: [:]).loops == 3)
            try Data("lops: 3\n".utf8).write(to: URL(fileURLWithPath: path))
            #expect(message(path) == "\(path):1:1: error: unknown key \"lops\": did you mean \"loops\"?")
        }
    }

    @Test func aMissingFileIsAnIssue() {
        #expect(
            message("/nonexistent/c.yaml") == "/nonexistent/c.yaml:1:1: error: there is no such file: check the path")
    }

    @Test(.timeLimit(.minutes(10))) func irregularFileIsRefusedWithoutBlocking() throws {
        try withFolder { folder in
            let pipe = folder.appendingPathComponent("pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            for path in [folder.path, pipe, "/dev/zero"] {
                #expect(message(path) == "\(path):1:1: error: this is not a regular file: give the path of a YAML file")
            }
        }
    }

    @Test func aFileAboveOneMebibyteIsRefused() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("c.yaml").path
            try Data(repeating: UInt8(ascii: "#"), count: (1 << 20) + 1).write(to: URL(fileURLWithPath: path))
            #expect(message(path)?.contains("larger than 1 MiB") == true)
        }
    }
}
