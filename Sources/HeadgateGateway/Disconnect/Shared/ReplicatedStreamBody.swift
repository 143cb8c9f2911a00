internal import HeadgateHTTP
internal import HeadgateRelay

/// Body of another gateway's stream, for a client of this one. It holds at most one answer of the store.
/// Loop-confined.
final class ReplicatedStreamBody: BodySource {
    private let key: DetachedStreams.Key
    private let name: StreamName
    private let store: any StreamStore
    private let dialect: Dialect
    private let metadata: ServerRequestMetadata
    private var reading: ReplicatedStreamReading
    private var sink: (any BodySink)?
    private var timer: (any Cancellable)?
    private var isAsking = false
    private var isPaused = false
    /// Answer that arrived while the client did not read.
    private var held: StreamAnswer?
    /// Ignored, because the gateway that reads the upstream watches for its silence.
    var bytesAreProgress = true

    /// Maximum bytes of events in one answer, without its last event.
    static let share = 64 << 10
    /// Interval between the queries that show the presence of a client that does not read.
    private static let beat = Duration.seconds(2)

    /// - Parameters:
    ///   - event: the last event that the client has.
    ///   - first: the store's answer for the events after that one.
    init(
        _ key: DetachedStreams.Key, after event: Int, _ first: StreamAnswer, _ store: any StreamStore,
        _ dialect: Dialect, _ metadata: ServerRequestMetadata
    ) {
        self.key = key
        name = StreamName(key)
        self.store = store
        self.dialect = dialect
        self.metadata = metadata
        held = first
        reading = ReplicatedStreamReading(after: event, at: metadata.record.now)
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        takeHeld()
    }

    private func takeHeld() {
        guard let answer = held else { return ask() }
        held = nil
        take(answer)
    }

    private func ask() {
        guard sink != nil, !isAsking else { return }
        isAsking = true
        timer?.cancel()
        timer = nil
        let octets = isPaused ? 0 : ReplicatedStreamBody.share
        let question = StreamQuestion(after: reading.position, octets: octets, joins: false)
        store.read(question, of: name) { [self] answer in
            isAsking = false
            guard sink != nil else { return }
            if octets == 0 {
                if answer != nil { reading.noteAnswer(at: metadata.record.now) }
                return isPaused ? ask(after: ReplicatedStreamBody.beat) : takeHeld()
            }
            if isPaused, let answer {
                held = answer
                return ask(after: ReplicatedStreamBody.beat)
            }
            take(answer)
        }
    }

    private func take(_ answer: StreamAnswer?) {
        let next = reading.take(answer, at: metadata.record.now)
        if let answer, !isDropped(next) {
            let events = answer.events.flatMap(\.self)
            if !events.isEmpty { events.withUnsafeBytes { sink?.receive($0) } }
        }
        guard sink != nil else { return }
        switch next {
        case .ask(let pause): ask(after: isPaused ? ReplicatedStreamBody.beat : pause)
        case .end(let end): finish(end == .complete ? .complete : .completeThenClose)
        case .dropped(let first): fail(.eventsDropped(first: first))
        case .lost: fail(.streamLost)
        case .outOfReach: fail(.streamOutOfReach)
        }
    }

    private func isDropped(_ next: ReplicatedStreamReading.Next) -> Bool {
        if case .dropped = next { true } else { false }
    }

    private func ask(after pause: Duration) {
        timer?.cancel()
        timer = nil
        if pause == .zero { return ask() }
        timer = metadata.after(pause) { [self] in
            timer = nil
            ask()
        }
    }

    /// Sends a last event without an id, so that the client still requests the events that it lacks.
    private func fail(_ error: GatewayError) {
        metadata.record.note(error)
        var broken = BrokenResponse()
        broken.requestID = key.id
        var event: [UInt8] = []
        dialect.appendEvent(error, of: broken, to: &event)
        event.withUnsafeBytes { sink?.receive($0) }
        finish(.completeThenClose)
    }

    private func finish(_ end: BodyEnd) {
        let sink = sink
        leave()
        sink?.finish(end)
    }

    private func leave() {
        sink = nil
        held = nil
        timer?.cancel()
        timer = nil
    }

    func pause() { isPaused = true }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        if !isAsking { takeHeld() }
    }

    func note(_: BodyProgress) {}
    func discardRest() { leave() }
    func cancel() { leave() }
}
