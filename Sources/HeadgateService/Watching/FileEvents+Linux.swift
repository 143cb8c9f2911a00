import HeadgateLibC

/// Events of the kernel (inotify(7)) for the watched files, which show in particular the files that are half written.
struct FileEvents {
    private struct Place: Hashable {
        let watch: Int32
        let name: String
    }

    /// Names of the watched files, in any folder.
    var names: Set<String> = [] {
        didSet { unfinished = unfinished.filter { names.contains($0.name) } }
    }
    /// Number of events for writes and closes.
    private(set) var writes = 0
    /// Number of events for writes without a close.
    private(set) var modifications = 0
    private var unfinished: Set<Place> = []

    /// Whether a written file has not been closed yet.
    var isUnfinished: Bool { !unfinished.isEmpty }

    /// Treats files that stay open as written.
    mutating func forgetUnfinished() { unfinished = [] }

    /// - Parameter bytes: whole events, as read from the kernel.
    /// - Returns: whether an event might have changed one of the files.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (matters, offset) = (false, 0)
        let head = MemoryLayout<inotify_event>.size
        while offset + head <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let end = min(offset + head + Int(event.len), bytes.count)
            let name = String(decoding: bytes[offset + head..<end].prefix { $0 != 0 }, as: UTF8.self)
            if note(event.mask, Place(watch: event.wd, name: name)) { matters = true }
            offset = end
        }
        return matters
    }

    private mutating func note(_ mask: UInt32, _ place: Place) -> Bool {
        let counts = names.contains(place.name)
        if mask & UInt32(IN_MODIFY) != 0 {
            guard counts else { return false }
            writes += 1
            modifications += 1
            unfinished.insert(place)
        } else if mask & UInt32(IN_Q_OVERFLOW) != 0 {
            writes += 1
            unfinished = []
        } else if mask & UInt32(IN_IGNORED) != 0 {
            unfinished = unfinished.filter { $0.watch != place.watch }
        } else if mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE) != 0 {
            if counts { writes += 1 }
            unfinished.remove(place)
        }
        return true
    }
}
