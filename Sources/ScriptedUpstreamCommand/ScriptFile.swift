internal import ArgumentParser
internal import HeadgateCassettes
internal import HeadgateLibC
internal import HeadgateTesting

/// Reads scripts and recordings from files.
enum ScriptFile {
    /// Reads a script, or prints its error in one line and ends the command.
    static func load(_ path: String) throws -> UpstreamScript {
        do {
            return try UpstreamScript(json: read(path))
        } catch {
            complain("\(path): \(error)")
            throw ExitCode.failure
        }
    }

    /// Reads recordings, or prints an error and ends the command.
    static func load(cassettes paths: [String]) throws -> UpstreamScript {
        let cassettes = try paths.map { path in
            do {
                return (name: path, cassette: try Cassette(text: read(path)))
            } catch {
                complain(error is CassetteError ? "\(path):\(error)" : "\(path): \(error)")
                throw ExitCode.failure
            }
        }
        do throws(ScriptError) {
            return try UpstreamScript(cassettes)
        } catch {
            complain("\(error)")
            throw ExitCode.failure
        }
    }

    private struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    private static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw Unreadable(description: String(cString: strerror(errno))) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        guard ferror(file) == 0 else { throw Unreadable(description: "cannot be read") }
        return bytes
    }
}
