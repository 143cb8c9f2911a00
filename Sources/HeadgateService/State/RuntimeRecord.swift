import HeadgateConfiguration
import HeadgateLibC

/// A small file by which `headgate reload` finds a running gateway and learns the result of the reload. A lock on it,
/// held by the process, distinguishes the file of a running gateway from a stale one.
///
/// Belongs to the main thread.
package final class RuntimeRecord {
    private let path: String
    /// Descriptor that holds the lock.
    private var descriptor: Int32
    private var contents: Contents

    /// Creates a record; nil if no file can be written, such as on a read-only file system. Signals work without it.
    ///
    /// - Parameters:
    ///   - addresses: the value of ``ListeningEndpoints/all``.
    ///   - file: the configuration's path.
    ///   - isReplaceable: whether SIGUSR2 lets another process take over.
    ///   - predecessor: the process that this one has replaced.
    static func make(
        _ environment: [String: String], addresses: [String], file: String?, isReplaceable: Bool = false,
        predecessor: Int32? = nil
    ) -> RuntimeRecord? {
        let folder = RuntimeRecord.folder(environment)
        mkdir(folder, 0o700)
        guard isOurs(folder) else { return nil }
        let path = "\(folder)/\(getpid()).run"
        let contents = Contents(
            pid: getpid(), addresses: addresses, file: file.map(FilePath.absolute), isReplaceable: isReplaceable,
            predecessor: predecessor)
        guard let descriptor = put(contents, at: path) else { return nil }
        return RuntimeRecord(path: path, descriptor: descriptor, contents: contents)
    }

    private init(path: String, descriptor: Int32, contents: Contents) {
        self.path = path
        self.descriptor = descriptor
        self.contents = contents
    }

    /// Records that a reload or an upgrade begins.
    func begin() {
        contents.begun += 1
        contents.failure = ""
        write()
    }

    /// Records the end of a reload or an upgrade.
    ///
    /// - Parameters:
    ///   - failure: the reason why nothing changed; nil after a success.
    ///   - addresses: the current addresses of the gateway.
    func end(_ failure: String?, addresses: [String]) {
        // An abandoned reload has no end, so a command that waits for it waits for this one.
        contents.ended = contents.begun
        contents.failure = failure ?? ""
        contents.addresses = addresses
        write()
    }

    /// Records the success of the latest upgrade: another process serves from now on.
    func handOver(to process: Int32) {
        contents.ended = contents.begun
        contents.successor = process
        write()
    }

    func remove() {
        unlink(path)
        close(descriptor)
    }

    private func write() {
        guard let new = RuntimeRecord.put(contents, at: path) else { return }
        // Not before, so that the file with this name is locked at every moment.
        close(descriptor)
        descriptor = new
    }

    /// Replaces the file by a locked one with these contents. A reader sees either file as a whole.
    private static func put(_ contents: Contents, at path: String) -> Int32? {
        let draft = path + ".new"
        let descriptor = open(draft, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        let text = Array(contents.text.utf8)
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0, HeadgateLibC.write(descriptor, text, text.count) == text.count,
            rename(draft, path) == 0
        {
            return descriptor
        }
        unlink(draft)
        close(descriptor)
        return nil
    }

    // MARK: Reading

    /// Returns the running gateways of this user. Records that ended gateways left behind are removed.
    package static func running(_ environment: [String: String]) -> [Contents] {
        let folder = folder(environment)
        guard isOurs(folder), let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var found: [Contents] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(".run"), let pid = Int32(name.dropLast(4)) else { continue }
            if let contents = read("\(folder)/\(name)", pid: pid) { found.append(contents) }
        }
        return found.sorted { $0.pid < $1.pid }
    }

    private static func read(_ path: String, pid: Int32) -> Contents? {
        // The name can get another file before the lock is tried; then this is repeated.
        for _ in 0..<10 {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
                var status = stat()
                guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else {
                    unlink(path)
                    return nil
                }
                continue
            }
            var bytes = [UInt8](repeating: 0, count: Contents.limit)
            let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
            return Contents(pid: pid, text: String(decoding: bytes[..<count], as: UTF8.self))
        }
        return nil
    }

    private static func folder(_ environment: [String: String]) -> String {
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { return folder + "/headgate" }
        return "/tmp/headgate-\(getuid())"
    }

    /// Returns whether only this user can create files there.
    private static func isOurs(_ folder: String) -> Bool {
        var status = stat()
        return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
            && status.st_mode & 0o077 == 0
    }
}
