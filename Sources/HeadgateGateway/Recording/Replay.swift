internal import HTTPTypes
internal import HeadgateCassettes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgateRelay

/// Replay of one recording as a response. Loop-confined.
final class Replay: Cancellable {
    private let cassette: Cassette
    private var completion: UpstreamCompletion?
    private var timer: (any Cancellable)?

    /// - Parameter completion: called once, perhaps before this returns.
    /// - Returns: what cancels the replay; nil if it is already over.
    static func start(
        _ cassette: Cassette, _ pace: RecordConfiguration.Pace, _ clock: RecordingClock,
        completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let replay = Replay(cassette, completion)
        let milliseconds = cassette.response?.milliseconds ?? cassette.end.milliseconds
        if cassette.response == nil, cassette.end.kind == .abandoned { return replay }
        guard pace == .recorded, milliseconds > 0 else {
            replay.answer(pace, clock)
            return nil
        }
        replay.timer = clock.after(.milliseconds(milliseconds)) { replay.answer(pace, clock) }
        return replay
    }

    private init(_ cassette: Cassette, _ completion: @escaping UpstreamCompletion) {
        self.cassette = cassette
        self.completion = completion
    }

    func cancel() {
        timer?.cancel()
        complete(.failure(TransportError(.cancelled)))
    }

    private func answer(_ pace: RecordConfiguration.Pace, _ clock: RecordingClock) {
        guard let response = cassette.response else {
            return complete(
                .failure(TransportError(cassette.end.kind.failure ?? .closedBeforeResponse, cassette.end.detail)))
        }
        var fields = HTTPFields()
        for field in response.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        let head = HTTPResponse(status: HTTPResponse.Status(code: response.status), headerFields: fields)
        let body = ReplayedBody(response.chunks, cassette.end, pace == .recorded ? clock : nil)
        complete(.success(UpstreamResponse(ResponseHead(head), .stream(body))))
    }

    private func complete(_ result: Result<UpstreamResponse, TransportError>) {
        timer = nil
        completion.take()?(result)
    }
}

/// Body of a recording, in the chunks in which it came.
private final class ReplayedBody: BodySource {
    var bytesAreProgress = true
    private let chunks: [Cassette.Chunk]
    private let end: Cassette.End
    /// Clock of the recorded pace; nil to send all at once.
    private let clock: RecordingClock?
    private var sink: (any BodySink)?
    private var next = 0
    private var start: UInt64 = 0
    private var isPaused = false
    private var isAdvancing = false
    private var timer: (any Cancellable)?

    init(_ chunks: [Cassette.Chunk], _ end: Cassette.End, _ clock: RecordingClock?) {
        self.chunks = chunks
        self.end = end
        self.clock = clock
        // Its time is counted from the head, no matter when it is read.
        start = clock?.now() ?? 0
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        advance()
    }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        advance()
    }

    func note(_: BodyProgress) {}

    func discardRest() { cancel() }

    func cancel() {
        sink = nil
        timer?.cancel()
        timer = nil
    }

    /// Sends the chunks that are due.
    private func advance() {
        // The sink can pause, resume and cancel while it receives a chunk.
        guard !isAdvancing, timer == nil else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while let sink, !isPaused {
            let isLast = next == chunks.count
            guard isDue(at: isLast ? end.milliseconds : chunks[next].milliseconds) else { return }
            if isLast { return conclude(sink) }
            next += 1
            if case .bytes(let bytes) = chunks[next - 1].content { bytes.withUnsafeBytes { sink.receive($0) } }
        }
    }

    /// Returns whether that moment has come; if not, sets a timer for it.
    private func isDue(at milliseconds: Int) -> Bool {
        guard let clock else { return true }
        let due = start &+ UInt64(milliseconds) * 1_000_000
        let now = clock.now()
        guard due > now else { return true }
        timer = clock.after(.nanoseconds(Int64(due - now))) { [self] in
            timer = nil
            advance()
        }
        return false
    }

    private func conclude(_ sink: any BodySink) {
        if let failure = end.kind.failure {
            self.sink = nil
            sink.fail(TransportError(failure, end.detail))
        } else if end.kind == .complete {
            self.sink = nil
            sink.finish(.complete)
        }
        // Otherwise the recorded client had left: the stream stays open until this client leaves too.
    }
}
