import HeadgateEventLoop
import HeadgateGateway

extension StatusBoard {
    /// One that remembers, behind a lock of its own.
    static func kept(realtime: @escaping @Sendable () -> Int64) -> StatusBoard {
        let history = Locked(RequestHistory())
        return StatusBoard(realtime: realtime) { history.withLock($0) }
    }
}
