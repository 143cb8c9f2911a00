import HeadgateLibC

/// The lock of a place that only one gateway can use. The kernel releases it with the process, however that ends.
final class PlaceLock: Sendable {
    /// Another gateway has the place.
    struct Taken: Error {
        /// Its process; nil for a folder, and if it has not said so yet.
        let process: Int?
    }

    let path: String
    /// Below zero if the file system has no locks or is read-only: that does not keep a gateway from starting.
    private let descriptor: Int32

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
        let text = Array("\(getpid())\n".utf8)
        if !isFolder, ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
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
