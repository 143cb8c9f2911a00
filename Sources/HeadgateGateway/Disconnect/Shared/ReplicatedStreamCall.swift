internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Request for a stream that another gateway reads. Loop-confined.
final class ReplicatedStreamCall: Cancellable {
    private let key: DetachedStreams.Key
    private let store: any StreamStore
    private let metadata: ServerRequestMetadata
    private var completion: RequestHandler.Completion?
    private var timer: (any Cancellable)?
    /// Number of retries for an event that the store does not have yet.
    private var tries = 0

    /// Maximum retries. A gateway sends events to the store a moment after it sends them to its client.
    private static let mostTries = 8
    private static let pause = Duration.milliseconds(250)

    init(
        _ key: DetachedStreams.Key, _ store: any StreamStore, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        self.key = key
        self.store = store
        self.metadata = metadata
        self.completion = completion
    }

    // MARK: Coming back

    /// - Parameter event: the last event that the client has.
    func resume(after event: Int) {
        metadata.work = self
        let question = StreamQuestion(after: event, octets: ReplicatedStreamBody.share, joins: true)
        store.read(question, of: StreamName(key)) { [self] answer in
            guard completion != nil else { return }
            do throws(GatewayError) {
                guard let response = try response(to: answer, after: event) else { return resumeLater(after: event) }
                complete(.success(response))
            } catch {
                complete(.failure(error))
            }
        }
    }

    /// - Returns: nil if the store might still lack events that the client has.
    private func response(to answer: StreamAnswer?, after event: Int) throws(GatewayError) -> ServerResponse? {
        guard let answer else { throw .streamStoreAway }
        guard answer.isKnown, let opening = answer.opening, let (head, dialect) = opening.response else {
            throw .unknownStream
        }
        let record = metadata.record
        record.dialect = dialect
        record.facts.model = opening.model
        record.facts.isStream = true
        if event < answer.dropped { throw .eventsDropped(first: answer.dropped + 1) }
        if event >= answer.last {
            if answer.isComplete != nil {
                guard event == answer.last else { throw .unknownEvent(last: answer.last) }
                // Status 204 tells an EventSource not to reconnect.
                return ServerResponse(
                    HTTPResponse(status: .noContent, headerFields: [.cacheControl: "no-store"]), nil)
            }
            if !answer.lives { throw .streamLost }
            if event > answer.last {
                guard tries < ReplicatedStreamCall.mostTries else { throw .unknownEvent(last: answer.last) }
                return nil
            }
        }
        return ServerResponse(head, .stream(ReplicatedStreamBody(key, after: event, answer, store, dialect, metadata)))
    }

    private func resumeLater(after event: Int) {
        tries += 1
        timer = metadata.after(ReplicatedStreamCall.pause) { [self] in
            timer = nil
            resume(after: event)
        }
    }

    // MARK: Stopping

    /// - Parameter done: the response if there was such a stream.
    func stop(_ done: ServerResponse) {
        metadata.work = self
        store.stop(StreamName(key)) { [self] wasKnown in
            switch wasKnown {
            case true?: complete(.success(done))
            case false?: complete(.failure(GatewayError.unknownStream))
            case nil: complete(.failure(GatewayError.streamStoreAway))
            }
        }
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        timer?.cancel()
        timer = nil
        metadata.work = nil
        completion(result)
    }

    func cancel() { complete(.failure(TransportError(.cancelled))) }
}

/// Conversion between a response and its form in a store.
extension ReplicatedStreamOpening {
    init(_ opening: DetachedStream.Opening) {
        var fields: [UInt8] = []
        for field in opening.head.response.headerFields {
            fields += "\(field.name.rawName): \(field.value)\r\n".utf8
        }
        self.init(fields: fields, dialect: opening.dialect.rawValue, model: opening.model)
    }

    /// Head and dialect of the stream; nil if no gateway of this version wrote them.
    var response: (head: ServerResponseHead, dialect: Dialect)? {
        guard let dialect = Dialect(rawValue: dialect), dialect != .ollama else { return nil }
        let fields = fields.withUnsafeBufferPointer { HTTPFields(lines: $0) }
        let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: fields))
        return EventStream.isEventStream(head) ? (head, dialect) : nil
    }
}
