import HeadgateLibC

/// Lock of a place that only one gateway can use. The kernel releases the lock when the process ends, however that
/// happens.
final class PlaceLock: Sendable {
    /// Error if another gateway has the place.
    struct Taken: Error {
        /// Process of that gateway; nil for a folder, and if the process is not recorded yet.
        let process: Int?
    }

    let path: String
    /// Descriptor of the lock. Another process that gets a copy of it holds the same lock.
    ///
    /// Negative if the path cannot be opened, such as on a read-only file system. Neither that nor a file system
    /// without locks keeps a gateway from starting.
    let descriptor: Int32

    /// - Parameter path: an existing folder, or a file used only for the lock, which is never removed.
    init(_ path: String) throws(Taken) {
        self.path = path
        var status = stat()
        let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        descriptor = open(path, isFolder ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            let process = PlaceLock.process(in: descriptor)
            close(descriptor)
            throw Taken(process: process)
        }
        claim()
    }

    /// Takes over a lock from another process, which also holds it until it ends.
    init(_ path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Writes this process's number into a file that is used only for the lock.
    func claim() {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func process(in descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self))
    }
}

/// Locks of this process. If a reload returns to a place that requests still use, its lock is used again.
///
/// Belongs to the main thread.
final class PlaceLocks {
    private struct Held {
        weak var lock: PlaceLock?
    }

    private var held: [Held] = []
    /// Unused locks of an earlier gateway, by path.
    private var handedOver: [String: Int32]

    /// - Parameter handedOver: locks of an earlier gateway, by path.
    init(handedOver: [String: Int32] = [:]) { self.handedOver = handedOver }

    /// Locks that are held now.
    var all: [PlaceLock] { held.compactMap(\.lock).filter { $0.descriptor >= 0 } }

    /// Writes this process into the locks that were taken over, and releases the unused ones.
    func claim() {
        for lock in all { lock.claim() }
        for descriptor in handedOver.values { close(descriptor) }
        handedOver = [:]
    }

    /// Returns the lock of a place, and takes it if this process does not hold it.
    ///
    /// - Parameters:
    ///   - path: the path of the lock.
    ///   - place: the description of the locked place.
    ///   - section: the section of the configuration.
    /// - Throws: ``Complaint`` if another gateway has the lock.
    func take(_ path: String, for place: String, of section: String) throws -> PlaceLock {
        held.removeAll { $0.lock == nil }
        if let lock = held.lazy.compactMap(\.lock).first(where: { $0.path.utf8.elementsEqual(path.utf8) }) {
            return lock
        }
        if let descriptor = handedOver.removeValue(forKey: path) {
            let lock = PlaceLock(path, descriptor: descriptor)
            held.append(Held(lock: lock))
            return lock
        }
        do throws(PlaceLock.Taken) {
            let lock = try PlaceLock(path)
            held.append(Held(lock: lock))
            return lock
        } catch {
            throw Complaint(
                "\(section): \(place) is in use by another gateway\(error.process.map { " (process \($0))" } ?? ""): "
                    + "stop that one, or name another place",
                exitCode: .configuration)
        }
    }
}
