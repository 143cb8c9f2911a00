internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Writer that copies a detached stream into the store of several gateways, and tracks its readers there. The stream
/// itself never waits for the store. Loop-confined, to the loop of its request.
final class ReplicatedStreamWriter {
    private let key: DetachedStreams.Key
    private let name: StreamName
    private let opening: ReplicatedStreamOpening
    private let streams: Locked<DetachedStreams>
    private let store: any StreamStore
    private let ttl: Duration
    private let metadata: ServerRequestMetadata
    /// Ends the stream after a client stopped it at another gateway.
    private let stopped: () -> Void
    /// Id of the writer, new for each stream, because another stream can have the same name.
    private let writer = ReplicatedStreamWriter.newWriter()
    private var machine = StateMachine()
    private var timer: (any Cancellable)?
    /// Number of the reader that represents all readers at other gateways.
    private var reader: Int?
    /// Rest of the stream, set at its end.
    private var rest: DetachedStreams.Shared?
    private var isStopped = false
    /// Signs of life that are left after the end, before the writer gives up on a store that does not accept the end.
    private var beatsLeft = 60
    private var isOver = false
    /// Time of the last write that the store confirmed, in monotonic nanoseconds.
    private var writtenAt: UInt64 = 0
    /// Instant before which nothing is sent to a store that has not answered.
    private var retryAt: UInt64 = 0
    private var pause = shortestPause

    /// Interval between signs of life. The store waits at least three times as long for one.
    private static let beat = Duration.seconds(1)
    /// Retry pauses, in nanoseconds like all instants; the longest is well below the store's wait for signs of life.
    private static let shortestPause: UInt64 = 500_000_000
    private static let longestPause: UInt64 = 4_000_000_000
    /// Nanoseconds for which readers elsewhere count as present without news of them.
    private static let readersLease: UInt64 = 10_000_000_000

    init(
        _ key: DetachedStreams.Key, _ opening: DetachedStream.Opening, _ streams: Locked<DetachedStreams>,
        _ store: any StreamStore, ttl: Duration, _ metadata: ServerRequestMetadata, stopped: @escaping () -> Void
    ) {
        self.key = key
        name = StreamName(key)
        self.opening = ReplicatedStreamOpening(opening)
        self.streams = streams
        self.store = store
        self.ttl = ttl
        self.metadata = metadata
        self.stopped = stopped
    }

    /// Callback that frees the stream's space in the store, once the stream has ended.
    var forgetting: DetachedStream.Wake {
        metadata.waker { [store, name, writer] in store.forget(name, by: writer) }
    }

    func start() {
        share()
        schedule()
    }

    /// Last event that was sent to the store.
    var position: Int { machine.sent }

    /// Shares events that have arrived.
    func changed() { share() }

    /// Shares the end of the stream, which can then be removed here.
    ///
    /// - Parameter isStopped: whether the stream becomes unknown to clients.
    func finish(_ rest: DetachedStreams.Shared?, isStopped: Bool) {
        self.rest = rest
        self.isStopped = isStopped
        // The process might be ending: do not wait for the next retry.
        (retryAt, pause) = (0, ReplicatedStreamWriter.shortestPause)
        share()
    }

    private static func newWriter() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func schedule() {
        timer = metadata.after(ReplicatedStreamWriter.beat) { [self] in
            guard !isOver else { return }
            if rest != nil {
                beatsLeft -= 1
                if beatsLeft == 0 { return end() }
            }
            // The readers elsewhere might be gone, and the stream must not continue forever for them.
            let silence = metadata.record.now &- writtenAt
            if silence > ReplicatedStreamWriter.readersLease { leave() }
            share()
            if !isOver { schedule() }
        }
    }

    private func share() {
        guard metadata.record.now >= retryAt, let position = machine.next(hasEnded: rest?.end != nil) else { return }
        guard let shared = shared(after: position) else { return end() }
        let sent = shared.after + shared.events.count
        let isLast = shared.end != nil && sent == shared.last
        machine.send(to: sent)
        let share = StreamShare(
            writer: writer, opening: machine.isOpen ? nil : opening, after: shared.after, events: shared.events,
            dropped: shared.dropped, isComplete: isLast ? shared.end == .complete : nil, ttl: ttl)
        store.write(share, of: name) { [self] result in
            let hasMore = streams.withLock { $0.last(of: key) ?? sent > sent }
            let next = machine.answered(
                result, to: sent, isLast: isLast, hasMore: hasMore || (rest != nil && !isLast))
            guard !isOver else { return }
            note(result)
            if case .written(let readers)? = result { follow(readers, isLast: isLast) }
            switch next {
            case .share: self.share()
            case .wait: break
            case .over:
                if isStopped, result != .taken { store.stop(name) { _ in } }
                end()
            }
        }
    }

    private func note(_ result: StreamShare.Result?) {
        let now = metadata.record.now
        if case .written? = result { writtenAt = now }
        guard result == nil else {
            (retryAt, pause) = (0, ReplicatedStreamWriter.shortestPause)
            return
        }
        retryAt = now + pause
        pause = min(pause * 2, ReplicatedStreamWriter.longestPause)
    }

    /// - Returns: nil if the stream no longer exists.
    private func shared(after position: Int) -> DetachedStreams.Shared? {
        let shared = streams.withLock { $0.share(key, after: position) }
        // Once the stream has ended, another one can have its name.
        if let shared, rest == nil || (shared.end != nil && shared.last == rest?.last) { return shared }
        // A removed stream has handed over its end in ``finish(_:isStopped:)``.
        return rest.map { $0.after == position ? $0 : $0.withoutEvents }
    }

    private func follow(_ readers: StreamReaders, isLast: Bool) {
        if let had = readers.had, !isLast {
            let followed = streams.withLock { $0.follow(key, reader, to: had) }
            reader = followed.reader
            for wake in followed.wakes { wake() }
        } else {
            leave()
        }
        if readers.isStopped, !isLast { stopped() }
    }

    private func leave() {
        guard let reader = reader.take() else { return }
        StreamExpiry.leave(key, reader, streams, ttl, metadata)
    }

    private func end() {
        isOver = true
        timer?.cancel()
        timer = nil
        leave()
    }
}
