import Glibc

/// A small file by which `headgate reload` finds a running gateway and learns how the reload went. A lock on it, held as long as the
/// process lives, tells a running gateway's from one that was left behind.
///
/// Belongs to the main thread.
final class RuntimeRecord {
    /// What a gateway last wrote.
    struct Contents {
        let pid: Int32
        /// Reloads that have begun, and that have ended.
        let begun: Int
        let ended: Int
        /// Why the last reload changed nothing; empty if it went well.
        let failure: String
    }

    private let path: String
    private let descriptor: Int32
    private var begun = 0
    private var ended = 0

    /// nil where no file can be kept, such as on a read-only file system: signals work without.
    static func make(_ environment: [String: String]) -> RuntimeRecord? {
        let folder = RuntimeRecord.folder(environment)
        mkdir(folder, 0o700)
        guard isOurs(folder) else { return nil }
        let path = "\(folder)/\(getpid()).run"
        // Whoever looks for gateways may take the file for one that was left behind, in the moment before it is locked.
        for _ in 0..<3 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { return nil }
            var status = stat()
            if flock(descriptor, LOCK_EX) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                let record = RuntimeRecord(path: path, descriptor: descriptor)
                record.write("")
                return record
            }
            close(descriptor)
        }
        return nil
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// A reload begins.
    func begin() {
        begun += 1
        write("")
    }

    /// - Parameter failure: nil after a reload that went well.
    func end(_ failure: String?) {
        ended += 1
        write(failure ?? "")
    }

    func remove() {
        unlink(path)
        close(descriptor)
    }

    private func write(_ failure: String) {
        let text = Array("\(begun) \(ended)\n\(failure)".utf8)
        // One write of the new text, then the end of the old: a reader sees either count with its own beginning.
        pwrite(descriptor, text, text.count, 0)
        ftruncate(descriptor, text.count)
    }

    // MARK: Reading

    /// The gateways of this user that run now. What others left behind is removed.
    static func running(_ environment: [String: String]) -> [Contents] {
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
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
            unlink(path)
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let counts = (parts.first ?? "").split(separator: " ").compactMap { Int($0) }
        guard counts.count == 2 else { return nil }
        return Contents(
            pid: pid, begun: counts[0], ended: counts[1], failure: parts.count > 1 ? String(parts[1]) : "")
    }

    private static func folder(_ environment: [String: String]) -> String {
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { return folder + "/headgate" }
        return "/tmp/headgate-\(getuid())"
    }

    /// Whether nobody else can put files there.
    private static func isOurs(_ folder: String) -> Bool {
        var status = stat()
        return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
            && status.st_mode & 0o077 == 0
    }
}
