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

    /// - Parameter completion: called once, possibly before this returns.
    /// - Returns: a handle that cancels the replay; nil if it is already over.
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
        let body = Replay.body(response.chunks, cassette.end, pace == .recorded ? clock : nil)
        complete(.success(UpstreamResponse(ResponseHead(head), .stream(body))))
    }

    private func complete(_ result: Result<UpstreamResponse, TransportError>) {
        timer = nil
        completion.take()?(result)
    }

    /// Returns the body of a recording, in the chunks in which it arrived.
    ///
    /// - Parameter clock: clock for the recorded pace; nil to send everything at once.
    private static func body(
        _ chunks: [Cassette.Chunk], _ end: Cassette.End, _ clock: RecordingClock?
    ) -> PacedBody {
        let content: PacedBody.Part.Content =
            if let failure = end.kind.failure {
                .end(.failure(TransportError(failure, end.detail)))
            } else if end.kind == .complete {
                .end(.success(.complete))
            } else {
                // The recorded client disconnected: the stream stays open until this client disconnects too.
                .silence
            }
        var rest = chunks[...]
        // Times are counted from the head, no matter when the body is read.
        return PacedBody(clock.map { PacedBody.Clock(now: $0.now, after: $0.after) }, startedAt: clock?.now()) {
            guard let chunk = rest.popFirst() else { return PacedBody.Part(milliseconds: end.milliseconds, content) }
            let bytes: [UInt8] = if case .bytes(let bytes) = chunk.content { bytes } else { [] }
            return PacedBody.Part(milliseconds: chunk.milliseconds, .bytes(bytes))
        }
    }
}

extension PacedBody.Part {
    fileprivate init(milliseconds: Int, _ content: Content) {
        self.init(offset: UInt64(milliseconds) * 1_000_000, content: content)
    }
}
