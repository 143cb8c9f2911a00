import HeadgateLibC

/// The lock of a place that only one gateway can use. The kernel releases it with the process, however that ends.
final class PlaceLock: Sendable {
    /// Another gateway has the place.
    struct Taken: Error {
        /// Its process; nil for a folder, and if it has not said so yet.
        let process: Int?
    }

    let path: String
    /// The lock; another process that gets a copy of it holds the same one.
    ///
    /// Below zero if the file system has no locks or is read-only: that does not keep a gateway from starting.
    let descriptor: Int32

    /// - Parameter path: of a folder that is there, or of a file for the lock alone, which stays.
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

    /// Writes this process into a file for the lock alone.
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

/// The locks of this process. A place that a reload returns to while requests still use it is not taken twice.
///
/// Belongs to the main thread.
final class PlaceLocks {
    private struct Held {
        weak var lock: PlaceLock?
    }

    private var held: [Held] = []
    /// Locks of an earlier gateway, by path, that are not in use yet.
    private var handedOver: [String: Int32]

    /// - Parameter handedOver: locks of an earlier gateway, by path.
    init(handedOver: [String: Int32] = [:]) { self.handedOver = handedOver }

    /// The locks that are held now.
    var all: [PlaceLock] { held.compactMap(\.lock).filter { $0.descriptor >= 0 } }

    /// Writes this process into the locks that were taken over, and releases the unused ones.
    func claim() {
        for lock in all { lock.claim() }
        for descriptor in handedOver.values { close(descriptor) }
        handedOver = [:]
    }

    /// - Parameters:
    ///   - path: the path of the lock.
    ///   - place: the description of the locked place.
    ///   - section: the section of the configuration.
    /// - Throws: ``Complaint`` if another gateway has it.
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
