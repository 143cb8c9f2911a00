internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// `GET` and `DELETE /v1/streams/{request_id}`: resumes a stream whose client has disconnected, or stops it.
struct DetachedStreamHandler: Sendable {
    private let streams: Locked<DetachedStreams>
    private let limits: StreamsConfiguration
    /// Store of other gateways' streams; nil if there is none.
    private let store: (any StreamStore)?

    init(_ streams: Locked<DetachedStreams>, _ limits: StreamsConfiguration, store: (any StreamStore)?) {
        self.streams = streams
        self.limits = limits
        self.store = store
    }

    func resume(
        _ request: RequestHead, _ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion
    ) {
        let key = key(metadata)
        do throws(GatewayError) {
            let event = try lastEvent(of: request)
            if let response = try resume(key, after: event, metadata) { return completion(.success(response)) }
            guard let store = store(for: metadata) else { throw .unknownStream }
            ReplicatedStreamCall(key, store, metadata, completion: completion).resume(after: event)
        } catch {
            completion(.failure(error))
        }
    }

    /// - Returns: nil if this gateway has no such stream.
    private func resume(
        _ key: DetachedStreams.Key, after event: Int, _ metadata: ServerRequestMetadata
    ) throws(GatewayError) -> ServerResponse? {
        let joined = streams.withLock { $0.join(key, after: event) }
        guard let joined else { return nil }
        joined.expiry?()
        let opening = joined.opening
        let record = metadata.record
        record.dialect = opening.dialect
        record.facts.model = opening.model
        record.facts.isStream = true
        switch joined.joining {
        case .reader(let reader):
            let client = DetachedReader(key: key, reader: reader, streams: streams, ttl: limits.ttl, metadata: metadata)
            return ServerResponse(opening.head, .stream(ReplayBody(client, metadata)))
        // Status 204 tells an EventSource not to reconnect.
        case .over:
            return ServerResponse(
                HTTPResponse(status: .noContent, headerFields: [.cacheControl: "no-store"]), nil)
        case .dropped(let first): throw .eventsDropped(first: first)
        case .unknown(let last): throw .unknownEvent(last: last)
        }
    }

    func stop(_ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion) {
        let key = key(metadata)
        let wakes = streams.withLock { $0.has(key) ? $0.delete(key) : nil }
        let document = #"{"id":"\#(key.id)","object":"stream","deleted":true}"#
        let done = ServerResponse(RelayFields.responseHead, .bytes(Array(document.utf8)))
        guard let wakes else {
            guard let store = store(for: metadata) else { return completion(.failure(GatewayError.unknownStream)) }
            return ReplicatedStreamCall(key, store, metadata, completion: completion).stop(done)
        }
        for wake in wakes { wake() }
        // A stream that has ended is no longer written to the store; stop it there too.
        store(for: metadata)?.stop(StreamName(key)) { _ in }
        completion(.success(done))
    }

    private func store(for metadata: ServerRequestMetadata) -> (any StreamStore)? {
        StoredResponseAccess.isKnownElsewhere(metadata) ? store : nil
    }

    private func key(_ metadata: ServerRequestMetadata) -> DetachedStreams.Key {
        DetachedStreams.Key(
            id: metadata.pathParameters["request_id"] ?? "", owner: StoredResponseAccess.maker(metadata))
    }

    /// Returns the last event that the client has; 0 for none. Browsers name it in a header when they reconnect. The
    /// query parameter is for the first request of an `EventSource`, which cannot set headers.
    private func lastEvent(of request: RequestHead) throws(GatewayError) -> Int {
        let text = request.fields.httpFields[.lastEventID] ?? parameter(of: request.path) ?? "0"
        guard text.utf8.count <= 15, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let event = Int(text) else {
            throw .unclearEvent
        }
        return event
    }

    private func parameter(of path: String) -> String? {
        guard let question = path.firstIndex(of: "?") else { return nil }
        for parameter in path[path.index(after: question)...].split(separator: "&") {
            let name = "last_event_id="
            if parameter.hasPrefix(name) { return String(parameter.dropFirst(name.count)) }
        }
        return nil
    }
}
