import HeadgateEventLoop
import HeadgatePrimitives

/// What files were before they were read, by their paths: what has changed since then has not been read.
final class FileSightings: Sendable {
    private let states = Locked<[String: FileState]>([:])

    /// To be called before a file is read. Of several calls the first counts.
    func note(_ path: String) {
        let state = FileState(path)
        states.withLock { states in
            if states[path] == nil { states[path] = state }
        }
    }

    var all: [String: FileState] { states.withLock { $0 } }
}
