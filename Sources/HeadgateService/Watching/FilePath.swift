import HeadgateConfiguration
import HeadgateLibC
import HeadgatePrimitives

/// Paths in the form for comparison and messages.
package enum FilePath {
    /// Returns the absolute path, without resolving symbolic links.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    /// Returns the folder of a file; `.` for a path without a slash.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Returns the text after the last slash.
    package static func name(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
    }

    /// Returns whether two paths lead to the same place, or would if there were a file.
    package static func isSame(_ one: String, _ other: String) -> Bool { resolved(one).isExactly(resolved(other)) }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return absolute(path) }
        defer { free(real) }
        return String(cString: real)
    }

    /// Gives a whole file its name, unless another file has that name: concurrent writers do not overwrite each other.
    /// The draft can remain.
    ///
    /// - Returns: 0, or the error number.
    package static func place(_ draft: String, at path: String) -> Int32 {
        if link(draft, path) == 0 { return 0 }
        // Not every file system has links.
        return [EPERM, ENOTSUP, ENOSYS].contains(errno) ? placeWithoutLink(draft, at: path) : errno
    }

    /// Claims the name with an empty file, which the draft replaces.
    static func placeWithoutLink(_ draft: String, at path: String) -> Int32 {
        let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard claim >= 0 else { return errno }
        close(claim)
        if rename(draft, path) == 0 { return 0 }
        let failure = errno
        unlink(path)
        return failure
    }
}
