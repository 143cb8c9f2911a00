import HeadgateGateway
import Synchronization

extension StatusBoard {
    /// One that remembers, behind a lock of its own.
    static func kept(realtime: @escaping @Sendable () -> Int64) -> StatusBoard {
        let history = KeptHistory()
        return StatusBoard(realtime: realtime) { body in history.value.withLock { body(&$0) } }
    }
}

private final class KeptHistory: Sendable {
    let value = Mutex(RequestHistory())
}
