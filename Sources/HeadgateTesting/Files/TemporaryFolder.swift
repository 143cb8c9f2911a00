internal import HeadgateLibC

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A folder of one test, which is removed when the last reference to it is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/headgate-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure.file("no folder below \(parent)") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file.
    ///
    /// - Returns: The path of the file, which now has the text.
    @discardableResult
    package func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    @discardableResult
    package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    package func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
    }
}

/// Returns the permission bits of a file; nil if there is none.
package func fileMode(_ path: String) -> Int? {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_mode & 0o7777) : nil
}
