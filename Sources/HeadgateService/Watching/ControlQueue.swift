import HeadgateEventLoop
import HeadgatePrimitives

/// Requests of signals and stores to the main thread, which does slow work such as reading files and certificates.
final class ControlQueue: Sendable {
    enum Request: Sendable {
        case reload
        /// Something happened to the watched files.
        case files
        /// There are managed keys, and the served configuration was compiled without them.
        case keys
        /// Another process of the program is to take over.
        case upgrade
        /// The gateway that this process has replaced has ended.
        case predecessorGone
        /// The last connection is closed.
        case end
    }

    private let requests = Locked<[Request]>([])
    private let arrived = Signal()

    /// Adds a request. Can be called from any thread. Consecutive reloads are merged.
    func post(_ request: Request) {
        requests.withLock { requests in
            if case .reload = request, case .reload? = requests.last { return }
            requests.append(request)
        }
        arrived.raise()
    }

    /// Waits for the next request. Must be called by one thread only.
    func next() -> Request {
        while true {
            arrived.wait()
            let next = requests.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { return next }
        }
    }
}
