internal import HTTPTypes
internal import HeadgateCassettes
package import HeadgateConfiguration
package import HeadgateHTTP
package import HeadgatePrimitives
internal import HeadgateRelay

/// Middleware that records every attempt at an upstream, or replays a recording (docs/cassettes.md). It is inside
/// everything that counts attempts, and outside the part that adds the key.
///
/// A form is streamed and recorded on its way; if a recording might answer it, it is read whole first.
package struct Recording: UpstreamMiddleware {
    private let mode: RecordConfiguration.Mode
    private let pace: RecordConfiguration.Pace
    private let ignored: Set<String>
    private let shelf: Locked<CassetteShelf>
    private let recorder: Recorder?
    private let clock: RecordingClock
    /// Memory of forms that are read before they are sent.
    private let memory = RecordingMemory()

    /// - Parameters:
    ///   - shelf: recordings that can be replayed.
    ///   - recorder: nil if nothing is recorded.
    package init(
        _ configuration: RecordConfiguration, shelf: Locked<CassetteShelf>, recorder: Recorder?,
        clock: RecordingClock
    ) {
        mode = configuration.mode
        pace = configuration.pace
        ignored = Set(configuration.ignored)
        self.shelf = shelf
        self.recorder = recorder
        self.clock = clock
    }

    package func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        // Bytes that the gateway does not parse can hold anything, such as whole files.
        if request.operationID == PassthroughHandler.operationID, mode != .replay {
            return next(request, completion: completion)
        }
        switch request.body {
        case nil: return intercept(request, nil, next, completion)
        case .bytes(let bytes): return intercept(request, bytes, next, completion)
        case .stream(let form):
            guard mode == .record, let recorder else { return read(form, of: request, next, completion) }
            let tape = ExchangeRecorder(
                RecordedExchange.Request(request, route: route(of: request, next), body: nil), recorder, clock,
                keepsAll: true,
                isForm: true)
            var taped = request
            taped.body = .stream(tape.record(form))
            return next(taped) { result in completion(tape.record(result)) }
        }
    }

    /// Reads a form that a recording might answer.
    private func read(
        _ form: StreamedBody, of request: UpstreamRequest, _ next: UpstreamNext,
        _ completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let reading = RecordedForm(form, within: RecordingAllowance(of: memory))
        reading.start { result, allowance in
            switch result {
            case .failure(let error):
                completion(.failure(error))
                return nil
            case .success(let bytes):
                var whole = request
                whole.body = .bytes(bytes)
                return intercept(whole, bytes, next) { result in
                    withExtendedLifetime(allowance) { completion(result) }
                }
            }
        }
        return reading
    }

    private func route(of request: UpstreamRequest, _ next: UpstreamNext) -> String {
        RecordedRoute.route(of: request.head.request.path ?? "/", behind: next.baseURL.pathPrefix)
    }

    private func intercept(
        _ request: UpstreamRequest, _ body: [UInt8]?, _ next: UpstreamNext, _ completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let head = request.head.request
        let route = route(of: request, next)
        if mode != .record {
            let identity = RequestIdentity(
                method: head.method.rawValue, route: route, body: body, contentType: head.headerFields[.contentType],
                ignoring: ignored)
            let digest = CassetteShelf.digest(of: identity)
            if let cassette = take(digest) { return Replay.start(cassette, pace, clock, completion: completion) }
            guard mode != .replay else {
                completion(.failure(TransportError(.notRecorded, miss(identity, digest))))
                return nil
            }
        }
        guard let recorder else { return next(request, completion: completion) }
        let tape = ExchangeRecorder(
            RecordedExchange.Request(request, route: route, body: body), recorder, clock,
            keepsAll: mode == .record)
        return next(request) { result in completion(tape.record(result)) }
    }

    private func take(_ digest: String) -> Cassette? { shelf.withLock { $0.take(digest) } }

    private func miss(_ identity: RequestIdentity, _ digest: String) -> String {
        var miss = CassetteMiss(identity, digest, ignored)
        shelf.withLock { miss.compared = $0.comparable(with: identity) }
        // Compare without holding the lock.
        return miss.text
    }
}

/// Clock for making and playing recordings.
package struct RecordingClock: Sendable {
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64
    /// Monotonic nanoseconds.
    let now: @Sendable () -> UInt64
    /// Calls a closure later, on the loop of the caller; retained until then.
    let after: @Sendable (Duration, @escaping () -> Void) -> (any Cancellable)?

    package init(
        realtime: @escaping @Sendable () -> Int64, now: @escaping @Sendable () -> UInt64,
        after: @escaping @Sendable (Duration, @escaping () -> Void) -> (any Cancellable)?
    ) {
        self.realtime = realtime
        self.now = now
        self.after = after
    }
}

extension Capability {
    static func recording(_ recording: (any UpstreamMiddleware)?) -> Capability {
        Capability(name: "record", perAttempt: { _, _ in recording })
    }
}
