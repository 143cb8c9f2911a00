import HeadgateLibC
import HeadgateNetwork

/// Writes files completely or not at all, and never over another file by accident. By default, only the owner can
/// access them.
package enum NewFile {
    /// - Parameters:
    ///   - replaces: whether an existing file is replaced.
    ///   - mode: the permissions of the file.
    /// - Throws: ``Complaint``.
    package static func write(
        _ text: String, to path: String, replacing replaces: Bool, mode: UInt32 = 0o600
    ) throws {
        try makeFolder(FilePath.folder(of: path))
        let draft = "\(path).\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw complaint(path, "cannot be written", errno) }
        defer {
            close(descriptor)
            unlink(draft)
        }
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { HeadgateLibC.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw complaint(path, "cannot be written", errno)
            }
            written += count
        }
        guard fchmod(descriptor, mode_t(mode)) == 0, fsync(descriptor) == 0 else {
            throw complaint(path, "cannot be written", errno)
        }
        let failure = replaces ? rename(draft, path) == 0 ? 0 : errno : FilePath.place(draft, at: path)
        guard failure == 0 else {
            throw failure == EEXIST ? exists(path) : complaint(path, "cannot be written", failure)
        }
    }

    /// - Throws: ``Complaint`` if the file exists.
    package static func checkAbsent(_ path: String) throws {
        var status = stat()
        if lstat(path, &status) == 0 { throw exists(path) }
    }

    private static func exists(_ path: String) -> Complaint {
        Complaint("\(path) is there already and stays as it is: --force replaces it, --output names another one")
    }

    private static func makeFolder(_ folder: String) throws {
        var made = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw complaint(made, "cannot be made", errno) }
        }
    }

    private static func complaint(_ path: String, _ what: String, _ error: Int32) -> Complaint {
        Complaint("\(path) \(what): \(systemErrorText(error))")
    }
}
