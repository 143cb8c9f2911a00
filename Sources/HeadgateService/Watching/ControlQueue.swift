import HeadgateEventLoop
import HeadgatePrimitives

/// What signals and stores ask of the main thread, which does all that may take a while: reading files, looking at
/// certificates.
final class ControlQueue: Sendable {
    enum Request: Sendable {
        case reload
        /// Something has happened around the watched files.
        case files
        /// The first managed key is there.
        case keys
        /// The last connection is gone.
        case end
    }

    private let requests = Locked<[Request]>([])
    private let arrived = Signal()

    /// From any thread. Reloads that nobody has begun yet are one.
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
