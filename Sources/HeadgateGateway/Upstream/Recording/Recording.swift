internal import HTTPTypes
internal import HeadgateCassettes
package import HeadgateConfiguration
package import HeadgateHTTP

/// Records every attempt at an upstream, or answers it from what was recorded (docs/cassettes.md). Inside everything
/// that counts attempts, outside what puts the key on them.
///
/// What is sent as it comes (forms) passes: nobody has the whole of it.
package struct Recording: UpstreamMiddleware {
    private let mode: RecordConfiguration.Mode
    private let pace: RecordConfiguration.Pace
    private let ignored: Set<String>
    private let shelf: CassetteShelf.Guarded
    private let recorder: Recorder?
    private let clock: RecordingClock

    /// - Parameters:
    ///   - shelf: what can be replayed.
    ///   - recorder: nil where nothing is recorded.
    package init(
        _ configuration: RecordConfiguration, shelf: @escaping CassetteShelf.Guarded, recorder: Recorder?,
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
        var body: [UInt8]?
        switch request.body {
        case nil: break
        case .bytes(let bytes): body = bytes
        case .stream:
            guard mode == .replay else { return next(request, completion: completion) }
            completion(.failure(TransportError(.notRecorded, "forms are not recorded")))
            return nil
        }
        let head = request.head.request
        let route = RecordedRoute.route(of: head.path ?? "/", behind: next.baseURL.pathPrefix)
        if mode != .record {
            let identity = RequestIdentity(
                method: head.method.rawValue, route: route, body: body, ignoring: ignored)
            let digest = CassetteShelf.digest(of: identity)
            if let cassette = take(digest) { return Replay.start(cassette, pace, clock, completion: completion) }
            guard mode != .replay else {
                completion(.failure(TransportError(.notRecorded, miss(identity, digest))))
                return nil
            }
        }
        guard let recorder else { return next(request, completion: completion) }
        let tape = Tape(
            Take.Request(request, route: route, body: body), recorder, clock,
            keepsAll: mode == .record)
        return next(request) { result in completion(tape.record(result)) }
    }

    private func take(_ digest: String) -> Cassette? {
        var cassette: Cassette?
        shelf { cassette = $0.take(digest) }
        return cassette
    }

    private func miss(_ identity: RequestIdentity, _ digest: String) -> String {
        var copy = CassetteShelf()
        shelf { copy = $0 }
        // The lock is not held while all of them are compared.
        return copy.miss(identity, digest)
    }
}

/// The time that recordings are made and played by.
package struct RecordingClock: Sendable {
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64
    /// Monotonic nanoseconds.
    let now: @Sendable () -> UInt64
    /// Calls something later, on the loop of the caller; kept until then.
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
