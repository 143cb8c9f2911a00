package import HeadgateConfiguration
import HeadgateLibC
import HeadgateNetwork

/// File of stored responses.
package struct ResponseStoreFile: Equatable {
    package let path: String
    /// Whether the file is in the gateway's own folder, which the gateway creates.
    let isInDataFolder: Bool

    /// - Throws: ``Complaint`` if neither the configuration nor the environment names a place.
    package init(_ configuration: ResponseStoreConfiguration, environment: [String: String]) throws {
        if let file = configuration.file {
            (path, isInDataFolder) = (file, false)
            return
        }
        guard let base = DataFolder.path(environment) else {
            throw Complaint(
                "responses: there is no data folder, as HOME is not set: name a file in 'file:'",
                exitCode: .configuration)
        }
        (path, isInDataFolder) = (base + "/responses.db", true)
    }

    private var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    /// Checks whether the file can be used, without changing anything.
    ///
    /// - Throws: ``Complaint``.
    package func check() throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw complaint(errno) }
            return try checkFolder(folder)
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else { throw complaint(kind == S_IFLNK ? ELOOP : EINVAL) }
        guard access(path, R_OK | W_OK) == 0 else { throw complaint(errno) }
        try checkContents()
        try checkFolder(folder)
    }

    /// Checks the start of the file, unless a companion file shows that it is in use. Closing any descriptor of the
    /// file would release the locks of a store that this process has open during a reload.
    private func checkContents() throws {
        guard access(path + "-shm", F_OK) != 0 else { return }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw complaint(errno) }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: ResponseStoreFile.mark.count)
        let count = read(descriptor, &start, start.count)
        guard count >= 0 else { throw complaint(errno) }
        guard count == 0 || start == ResponseStoreFile.mark else {
            throw Complaint(
                "responses: \(path) is damaged, or no SQLite database: move it away, or name another file in 'file:'",
                exitCode: .configuration)
        }
    }

    /// First bytes of a database.
    private static let mark = Array("SQLite format 3\0".utf8)

    /// Checks that files can be created in the folder, since SQLite creates files beside its own.
    private func checkFolder(_ folder: String) throws {
        guard access(folder.isEmpty ? "/" : folder, W_OK | X_OK) != 0 else { return }
        let error = errno
        guard error == ENOENT, isInDataFolder, let parent = folder.lastIndex(of: "/") else { throw complaint(error) }
        try checkFolder(String(folder[..<parent]))
    }

    private func complaint(_ error: Int32) -> Complaint {
        Complaint(
            "responses: \(path) cannot be written (\(systemErrorText(error))): name a file in 'file:' in a folder "
                + "that the gateway's user may write to",
            exitCode: .configuration)
    }

    /// Creates the gateway's own folder, with mode 0700.
    func makeFolder() {
        guard isInDataFolder else { return }
        DataFolder.make(folder)
    }
}
