internal import HTTPTypes
internal import HeadgateHTTP

/// Answers a request like an earlier one from what that was answered, and identical requests at a time by one of them.
struct ResponseCacheMiddleware: RelayMiddleware {
    private let cache: ResponseCache.Guarded

    init(_ cache: @escaping ResponseCache.Guarded) { self.cache = cache }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        guard request.upload == nil, next.operation.hasCacheableResponses, let route = next.route(of: request),
            let policy = route.cache
        else { return next(request, completion: completion) }
        let control = CacheControl(request.head.fields.httpFields[.cacheControl])
        guard let key = key(of: request, to: route, policy, next.operation), !control.isOff,
            request.metadata.record.facts.notes[.requestedFault] == nil
        else {
            request.metadata.record.facts.notes[.cache] = CacheFields.Result.bypass.rawValue
            return next(request) { result in
                completion(result.map { CacheFields.marked($0, .bypass, next) })
            }
        }
        let flight = CacheFlight(key, policy, cache, next)
        let maximumAge = control.isFresh ? 0 : control.maximumAge.map { Int64(clamping: $0) * 1_000_000_000 }
        var beginning: ResponseCache.Beginning?
        cache { beginning = $0.begin(key, at: next.realtime, maximumAge: maximumAge, limit: policy.limit) }
        let record = request.metadata.record
        switch beginning {
        case .hit(let entry)?:
            noteHit(request)
            completion(.success(CacheFields.response(from: entry, policy, next, request.metadata)))
            return nil
        case .joined(let number, let reader)?:
            noteHit(request)
            return CacheReader(flight, number, reader, .hit, request.metadata, completion: completion).start()
        case .first(let number, let reader)?:
            record.facts.notes[.cache] = CacheFields.Result.miss.rawValue
            // First the reader: its work may be over before this returns.
            let reading = CacheReader(flight, number, reader, .miss, request.metadata, completion: completion).start()
            CacheWriter(flight, number, request.metadata).start(request, next)
            return reading
        case nil: preconditionFailure("the cache was not accessed")
        }
    }

    private func noteHit(_ request: RelayRequest) {
        let record = request.metadata.record
        record.facts.model = request.envelope.model
        record.facts.isStream = request.envelope.isStream
        record.facts.notes[.cache] = CacheFields.Result.hit.rawValue
    }

    /// Nil for a request that is not answered from a cache, nor into it. A long one is not worth the time of its loop.
    private func key(
        of request: RelayRequest, to route: ModelRoute, _ policy: CachePolicy, _ operation: RelayOperation
    ) -> CacheKey? {
        let envelope = request.envelope
        guard envelope.size <= LongDocument.octets, let read = try? CacheableRequest(envelope.bytes),
            read.mayBeCached(
                storesUnlessTold: operation.shape.isStored, anyTemperature: policy.takesAnyTemperature)
        else { return nil }
        return CacheKey(
            operation: operation.id, scope: policy.isShared ? "" : "key \(request.metadata.caller.name)",
            targets: route.targets.flatMap { [$0.upstream.name, $0.model ?? envelope.model] },
            form: envelope.isStream ? (envelope.asksUsage ? "stream with usage" : "stream") : "document",
            fields: CacheFields.forwarded(request.head.fields, to: route), read)
    }
}

/// One response on its way, as its writer and its readers see it.
struct CacheFlight {
    let key: CacheKey
    let policy: CachePolicy
    let cache: ResponseCache.Guarded
    let next: RelayNext

    init(_ key: CacheKey, _ policy: CachePolicy, _ cache: @escaping ResponseCache.Guarded, _ next: RelayNext) {
        self.key = key
        self.policy = policy
        self.cache = cache
        self.next = next
    }

    /// A change of the response; nil when it is over.
    func change<Value>(_ number: Int, _ change: (inout SharedResponse) -> Value) -> Value? {
        var value: Value?
        cache { value = $0.change(number, change) }
        return value
    }
}
