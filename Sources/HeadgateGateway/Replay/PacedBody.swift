internal import HeadgateHTTP
internal import HeadgateRelay

/// Body whose parts are sent when they are due. Loop-confined.
final class PacedBody: BodySource {
    struct Part {
        enum Content {
            case bytes([UInt8])
            case end(Result<BodyEnd, any Error>)
            /// The body stays open until its reader leaves.
            case silence
        }

        /// Nanoseconds after the start.
        let offset: UInt64
        let content: Content
    }

    struct Clock {
        /// Monotonic nanoseconds.
        let now: () -> UInt64
        let after: (Duration, @escaping () -> Void) -> (any Cancellable)?
    }

    /// Clock for due parts; nil to send everything at once.
    private let clock: Clock?
    private var startedAt: UInt64?
    /// Source of the next part; nil after the end, which releases what the closure retains.
    private var next: (() -> Part)?
    /// Part that is not due yet.
    private var pending: Part?
    private var sink: (any BodySink)?
    private var timer: (any Cancellable)?
    private var isPaused = false
    private var isPassing = false
    var bytesAreProgress = true

    /// - Parameters:
    ///   - startedAt: start of the offsets; nil for the time at which the body is first read.
    ///   - next: returns the next part, and is not called again after the last one.
    init(_ clock: Clock?, startedAt: UInt64? = nil, _ next: @escaping () -> Part) {
        self.clock = clock
        self.startedAt = startedAt
        self.next = next
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        passOn()
    }

    private func passOn() {
        // The sink can pause, resume and cancel while it receives a part.
        guard !isPassing, timer == nil else { return }
        isPassing = true
        defer { isPassing = false }
        while let sink, !isPaused, let part = pending ?? next?() {
            guard isDue(part) else { return }
            pending = nil
            switch part.content {
            case .bytes(let bytes): if !bytes.isEmpty { bytes.withUnsafeBytes { sink.receive($0) } }
            case .end(let end):
                (self.sink, next) = (nil, nil)
                switch end {
                case .success(let end): sink.finish(end)
                case .failure(let error): sink.fail(error)
                }
            case .silence: next = nil
            }
        }
    }

    /// Returns whether the part is due; if not, stores it and sets a timer.
    private func isDue(_ part: Part) -> Bool {
        guard let clock else { return true }
        let now = clock.now()
        let start = startedAt ?? now
        startedAt = start
        let due = start &+ part.offset
        guard due > now else { return true }
        pending = part
        timer = clock.after(.nanoseconds(Int64(due - now))) { [self] in
            timer = nil
            passOn()
        }
        return false
    }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        passOn()
    }

    func note(_: BodyProgress) {}
    func discardRest() { cancel() }

    func cancel() {
        (sink, next, pending) = (nil, nil, nil)
        timer?.cancel()
        timer = nil
    }
}
