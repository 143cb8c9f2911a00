import HeadgateEventLoop
import HeadgatePrimitives

/// Requests of signals and stores to the main thread, which does slow work such as reading files and certificates.
final class ControlQueue: Sendable {
    enum Request: Sendable {
        case reload
        /// Something has happened around the watched files.
        case files
        /// The first managed key is there.
        case keys
        /// Another process of the program shall take over.
        case upgrade
        /// The gateway that this process has replaced has ended.
        case predecessorGone
        /// The last connection is gone.
        case end
    }

    private let requests = Locked<[Request]>([])
    private let arrived = Signal()

    /// Adds a request, from any thread. Pending reloads are merged.
    func post(_ request: Request) {
        requests.withLock { requests in
            if case .reload = request, case .reload? = requests.last { return }
            requests.append(request)
        }
        arrived.raise()
    }

    /// Waits for the next request. From one thread.
    func next() -> Request {
        while true {
            arrived.wait()
            let next = requests.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { return next }
        }
    }
}
