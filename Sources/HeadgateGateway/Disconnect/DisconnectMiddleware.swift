internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Middleware for models whose responses are drained or detached, instead of canceled, when their client disconnects.
struct DisconnectMiddleware: RelayMiddleware {
    private let disconnects: Locked<Disconnects>
    private let streams: Locked<DetachedStreams>
    private let limits: StreamsConfiguration
    private let eventLimit: Int
    /// Store that several gateways share; nil for a single gateway.
    private let store: (any StreamStore)?

    init(
        _ disconnects: Locked<Disconnects>, _ streams: Locked<DetachedStreams>, _ limits: StreamsConfiguration,
        eventLimit: Int, store: (any StreamStore)?
    ) {
        self.disconnects = disconnects
        self.streams = streams
        self.limits = limits
        self.eventLimit = eventLimit
        self.store = store
    }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        switch next.route(of: request)?.onDisconnect {
        case .cancel?, nil: return next(request, completion: completion)
        case .drain?:
            return DrainedRequest(request.metadata, completion: completion).start(request, next, disconnects)
        case .detach?:
            // A client that disconnects before the stream begins does not know of a stream to resume.
            let metadata = request.metadata
            return next(request) { [self] result in completion(result.map { detached($0, metadata) }) }
        }
    }

    /// Returns an event stream from its buffer, and any other response unchanged, because only events have ids.
    /// Ollama's lines still have the head of an event stream here.
    private func detached(_ response: ServerResponse, _ metadata: ServerRequestMetadata) -> ServerResponse {
        guard case .stream(let source)? = response.body, EventStream.isEventStream(response.head),
            metadata.dialect != .ollama
        else { return response }
        let record = metadata.record
        let key = DetachedStreams.Key(id: record.requestID, owner: StoredResponseAccess.maker(metadata))
        let dialect = metadata.dialect ?? .openAI
        let writer = DetachedWriter(key, streams, limits, eventLimit: eventLimit, dialect, metadata)
        let stop = metadata.waker { writer.stop(.streamStopped, .stopped) }
        var opening = DetachedStream.Opening(
            head: response.head, dialect: dialect, model: record.facts.model, stop: stop)
        let copy = copy(of: key, opening, metadata)
        opening.forgetElsewhere = copy?.forgetting
        let begun = streams.withLock { $0.begin(key, opening) }
        // Another stream of the client has the same client-chosen id: this stream is not detached.
        guard let (reader, expiry) = begun else { return response }
        expiry?()
        writer.copy = copy
        writer.start(source, disconnects)
        var detached = response
        let client = DetachedReader(key: key, reader: reader, streams: streams, ttl: limits.ttl, metadata: metadata)
        detached.body = .stream(ReplayBody(client, metadata))
        return detached
    }

    /// Returns the copy for other gateways; nil for a stream that only this gateway has.
    private func copy(
        of key: DetachedStreams.Key, _ opening: DetachedStream.Opening, _ metadata: ServerRequestMetadata
    ) -> ReplicatedStreamWriter? {
        guard let store, StoredResponseAccess.isKnownElsewhere(metadata) else { return nil }
        return ReplicatedStreamWriter(key, opening, streams, store, ttl: limits.ttl, metadata) { [streams] in
            let wakes = streams.withLock { $0.delete(key) }
            for wake in wakes { wake() }
        }
    }
}

extension Capability {
    static func disconnect(
        _ streams: StreamsConfiguration, _ store: (any StreamStore)?, _ state: GatewayState
    ) -> Capability {
        let detached = state.detachedStreams
        return Capability(
            name: "on_disconnect",
            perRequest: { context, _ in
                guard context.relay.models.routes.contains(where: { $0.route.onDisconnect != .cancel }) else {
                    return nil
                }
                return DisconnectMiddleware(
                    state.disconnects, detached, streams, eventLimit: context.relay.eventLimit, store: store)
            },
            handlers: { _ in
                let handler = DetachedStreamHandler(detached, streams, store: store)
                return [
                    OperationTable.resumeStream.id: .direct { handler.resume($0, $2, completion: $3) },
                    OperationTable.stopStream.id: .direct { handler.stop($2, completion: $3) },
                ]
            },
            metrics: { _, _ in
                guard let store else { return [] }
                return [
                    MetricFamily(
                        "headgate_stream_store_refused", .counter,
                        help: "Parts of streams that the common server did not take, so that other gateways lack them.",
                        value: .count(store.refused))
                ]
            })
    }
}

extension DetachedStreams: CapabilityState {}

extension GatewayState {
    /// Streams that clients can resume.
    var detachedStreams: Locked<DetachedStreams> { shared(DetachedStreams.self) }

    /// Calls `done` once, on any thread, when no response continues without its client.
    package func whenNoneIsDisconnected(_ done: @escaping @Sendable () -> Void) {
        disconnects.withLock { $0.whenEmpty(done) }?()
    }

    /// Ends all requests that continue without their clients, each on its own loop, and deletes their data. Called at
    /// the end of the process.
    package func endDisconnected() {
        let wakes = disconnects.withLock { $0.takeAll() }
        // These end first, because they give the shutdown as the reason.
        let readers = detachedStreams.withLock { $0.deleteAll() }
        for wake in wakes + readers { wake() }
    }
}
