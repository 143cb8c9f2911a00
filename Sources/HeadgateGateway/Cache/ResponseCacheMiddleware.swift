internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Middleware that serves repeated requests from the cache, and concurrent identical requests from one response.
struct ResponseCacheMiddleware: RelayMiddleware {
    private let cache: Locked<ResponseCache>
    private let disconnects: Locked<Disconnects>
    private let store: (any CachedResponseStore)?

    /// - Parameter store: store of responses in addition to memory; nil if there is none.
    init(_ cache: Locked<ResponseCache>, _ disconnects: Locked<Disconnects>, store: (any CachedResponseStore)?) {
        self.cache = cache
        self.disconnects = disconnects
        self.store = store
    }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        guard request.upload == nil, next.operation.hasCacheableResponses, let route = next.route(of: request),
            let policy = route.cache
        else { return next(request, completion: completion) }
        let control = CacheControl(request.head.fields.httpFields[.cacheControl])
        guard let keys = keys(of: request, to: route, policy, next), !control.isOff,
            request.metadata.record.facts.notes[.requestedFault] == nil, let sent = CachedRequest.sent(request)
        else { return pass(request, next, completion) }
        let form: CacheForm = request.envelope.isStream ? .stream : .document
        let maximumAge = control.isFresh ? 0 : control.maximumAge.map { Int64(clamping: $0) * 1_000_000_000 }
        let flight = CacheFlight(
            key: keys.key(of: form), other: next.operation.answerFormat.map { _ in keys.key(of: form.other) },
            form: form, policy: policy, cache: cache, store: store(for: request, policy),
            maximumAge: min(maximumAge ?? .max, policy.ttl),
            hidesUsage: CachedRequest.hidesUsage(request.envelope), next: next)
        return answer(request, sent, flight, completion)
    }

    private func store(for request: RelayRequest, _ policy: CachePolicy) -> (any CachedResponseStore)? {
        guard let store, store.isOfSeveralGateways, !policy.isShared else { return store }
        return StoredResponseAccess.isKnownElsewhere(request.metadata) ? store : nil
    }

    private func pass(
        _ request: RelayRequest, _ next: RelayNext, _ completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        request.metadata.record.facts.notes[.cache] = CacheResult.bypass.rawValue
        return next(request) { result in completion(result.map { CacheFields.marked($0, .bypass, next) }) }
    }

    /// - Parameter sent: the request to send on a miss.
    private func answer(
        _ request: RelayRequest, _ sent: RelayRequest, _ flight: CacheFlight,
        _ completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let record = request.metadata.record
        record.facts.model = request.envelope.model
        record.facts.isStream = request.envelope.isStream
        switch begin(flight, other: flight.other) {
        case .hit(let entry), .convertible(let entry):
            record.facts.notes[.cache] = CacheResult.hit.rawValue
            completion(flight.response(from: entry, request.metadata))
            return nil
        case .joined(let number, let reader):
            record.facts.notes[.cache] = CacheResult.hit.rawValue
            return CacheReader(flight, number, reader, .hit, request.metadata, completion: completion).start()
        case .first(let number, let reader):
            record.facts.notes[.cache] = CacheResult.miss.rawValue
            // The reader starts first: the writer can finish before this returns.
            let reading = CacheReader(flight, number, reader, .miss, request.metadata, completion: completion).start()
            CacheWriter(flight, number, request.metadata).start(sent, disconnects)
            return reading
        case .alone: return pass(request, flight.next, completion)
        }
    }

    /// Looks up a request. A response in the other form is converted, and cached in the request's form too.
    private func begin(_ flight: CacheFlight, other: CacheKey?) -> ResponseCache.Beginning {
        let beginning = cache.withLock {
            $0.begin(
                flight.key, other: other, at: flight.next.realtime, maximumAge: flight.maximumAge,
                limit: flight.policy.limit, memory: flight.memory)
        }
        guard case .convertible(let entry) = beginning else { return beginning }
        guard let converted = entry.converted(to: flight.form, of: flight.next.operation) else {
            return begin(flight, other: nil)
        }
        cache.withLock { $0.insert(converted, as: flight.key, memory: flight.memory) }
        return .hit(converted)
    }

    /// Returns nil for a request that bypasses the cache. Long requests do, because parsing them would hold up the
    /// loop.
    private func keys(
        of request: RelayRequest, to route: ModelRoute, _ policy: CachePolicy, _ next: RelayNext
    ) -> CacheKeys? {
        let (envelope, operation) = (request.envelope, next.operation)
        guard envelope.size <= LongDocument.threshold,
            let read = try? CacheableRequest(envelope.bytes, isEchoed: operation.answerFormat == .responses),
            route.targets.allSatisfy({ target in
                let sent = target.parameters == nil ? read : prepared(envelope, for: target, operation)
                return sent?.mayBeCached(
                    storesUnlessTold: operation.shape.isStored, anyTemperature: policy.takesAnyTemperature) ?? false
            })
        else { return nil }
        let scope = policy.isShared ? "" : StoredResponseAccess.maker(request.metadata).hexadecimal
        return CacheKeys(
            operation: operation.id, scope: scope, targets: policy.targets.flatMap { $0.texts(for: envelope.model) },
            fields: CacheFields.forwarded(request.head.fields, to: route)
                + (route.hasConditions ? [next.selection(of: request, on: route).text] : []), read)
    }

    /// Returns the request as a target receives it; this version decides whether the response can be cached.
    private func prepared(
        _ envelope: RequestEnvelope, for target: ModelTarget, _ operation: RelayOperation
    ) -> CacheableRequest? {
        (try? envelope.prepared(for: target, of: operation)).flatMap { try? CacheableRequest($0.bytes) }
    }
}

/// Form in which a request with a cacheable response is sent.
enum CachedRequest {
    /// Returns whether the client did not request usage in its stream, although the format allows it.
    static func hidesUsage(_ envelope: RequestEnvelope) -> Bool {
        envelope.isStream && envelope.shape.asksUsage && !envelope.asksUsage
    }

    /// Returns the request to send upstream. A stream includes its usage, because other clients might want it.
    static func sent(_ request: RelayRequest) -> RelayRequest? {
        guard hidesUsage(request.envelope) else { return request }
        guard
            let envelope = try? RequestEnvelope(
                request.envelope.upstreamBody(model: nil), shape: request.envelope.shape)
        else { return nil }
        return RelayRequest(
            head: request.head, metadata: request.metadata, envelope: envelope, allowance: request.allowance,
            companion: request.companion)
    }
}

extension Capability {
    static func cache(_ store: (any CachedResponseStore)?, _ state: GatewayState) -> Capability {
        Capability(
            name: "cache",
            perRequest: { context, _ in
                guard context.relay.models.routes.contains(where: { $0.route.cache != nil }) else { return nil }
                return ResponseCacheMiddleware(state.shared(ResponseCache.self), state.disconnects, store: store)
            },
            readiness: { output in
                guard let health = store?.health else { return }
                output.append("cache") { output in
                    output.append("working", health.isWorking)
                    output.append("damaged", health.damaged)
                    output.append("lost", health.lost)
                }
            },
            metrics: { _, _ in
                guard let health = store?.health else { return [] }
                return [
                    MetricFamily(
                        "headgate_cache_store_up", .gauge, help: "Whether the server of cached responses answers.",
                        value: .count(health.isWorking ? 1 : 0)),
                    MetricFamily(
                        "headgate_cache_store_damaged", .counter,
                        help: "Entries of that server that were no responses of this gateway's, and were not used.",
                        value: .count(health.damaged)),
                    MetricFamily(
                        "headgate_cache_store_lost", .counter, help: "Responses that it did not take.",
                        value: .count(health.lost)),
                ]
            })
    }
}

extension ResponseCache: CapabilityState {}
