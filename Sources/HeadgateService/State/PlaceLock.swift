import Glibc

/// The lock of a place that only one gateway can use. The kernel releases it with the process, however that ends.
final class PlaceLock: Sendable {
    /// Another gateway has the place.
    struct Taken: Error {
        /// Its process; nil if it has not said so yet.
        let process: Int?
    }

    let file: String
    /// Below zero if the file system has no locks or is read-only: that does not keep a gateway from starting.
    private let descriptor: Int32

    /// - Parameter file: an own file for the lock, which stays.
    init(_ file: String) throws(Taken) {
        self.file = file
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
            let process = PlaceLock.process(in: descriptor)
            close(descriptor)
            throw Taken(process: process)
        }
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

    /// - Parameters:
    ///   - section: of the configuration.
    ///   - place: what the lock is for.
    /// - Throws: ``Complaint`` if another gateway has it.
    func take(_ file: String, for place: String, of section: String) throws -> PlaceLock {
        held.removeAll { $0.lock == nil }
        if let lock = held.lazy.compactMap(\.lock).first(where: { $0.file.utf8.elementsEqual(file.utf8) }) {
            return lock
        }
        do throws(PlaceLock.Taken) {
            let lock = try PlaceLock(file)
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
