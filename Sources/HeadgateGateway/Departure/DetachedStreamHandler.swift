internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// `GET` and `DELETE /v1/streams/{request_id}`: the rest of a stream whose client had left, and its end.
struct DetachedStreamHandler: Sendable {
    private let streams: DetachedStreams.Guarded
    private let limits: StreamsConfiguration

    init(_ state: GatewayState, _ limits: StreamsConfiguration) {
        streams = state.detachedStreams
        self.limits = limits
    }

    func resume(_ request: RequestHead, _ metadata: ServerRequestMetadata) throws(GatewayError) -> ServerResponse {
        let key = key(metadata)
        let event = try lastEvent(of: request)
        var joined: DetachedStreams.Joined?
        streams { joined = $0.join(key, after: event) }
        guard let joined else { throw .unknownStream }
        joined.expiry?()
        let opening = joined.opening
        let record = metadata.record
        record.dialect = opening.dialect
        record.facts.model = opening.model
        record.facts.isStream = true
        switch joined.joining {
        case .reader(let reader):
            let body = DetachedBody(key, reader, streams, ttl: limits.ttl, metadata)
            return ServerResponse(opening.head, .stream(body))
        // What makes an EventSource stop.
        case .over:
            return ServerResponse(
                HTTPResponse(status: .noContent, headerFields: [.cacheControl: "no-store"]), nil)
        case .dropped(let first): throw .eventsDropped(first: first)
        case .unknown(let last): throw .unknownEvent(last: last)
        }
    }

    func stop(_ metadata: ServerRequestMetadata) throws(GatewayError) -> ServerResponse {
        let key = key(metadata)
        var (isKnown, wakes): (Bool, [DetachedStream.Wake]) = (false, [])
        streams {
            isKnown = $0.has(key)
            if isKnown { wakes = $0.delete(key) }
        }
        guard isKnown else { throw .unknownStream }
        for wake in wakes { wake() }
        let document = #"{"id":"\#(key.id)","object":"stream","deleted":true}"#
        return ServerResponse(RelayFields.responseHead, .bytes(Array(document.utf8)))
    }

    private func key(_ metadata: ServerRequestMetadata) -> DetachedStreams.Key {
        DetachedStreams.Key(
            id: metadata.pathParameters["request_id"] ?? "", owner: StoredResponseAccess.maker(metadata))
    }

    /// The field that browsers send when they reconnect; the parameter is for the first request of an `EventSource`,
    /// which has no fields of its own.
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
