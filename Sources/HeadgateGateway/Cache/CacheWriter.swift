internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Writer that sends a request upstream, and shares its response with all requests that wait for it. It continues while
/// any of them remains, even if the first client has disconnected.
///
/// Loop-confined, to the loop of the first request.
final class CacheWriter: PendingCall, BodySink {
    private let flight: CacheFlight
    private let number: Int
    private let metadata: ServerRequestMetadata
    private var source: (any BodySource)?
    private var openedAt: UInt64 = 0
    private var lookup: CacheLookup?
    private var held: HeldOutcome?

    init(_ flight: CacheFlight, _ number: Int, _ metadata: ServerRequestMetadata) {
        self.flight = flight
        self.number = number
        self.metadata = metadata
    }

    /// - Parameter disconnects: held outcomes of the process.
    func start(_ request: RelayRequest, _ disconnects: Locked<Disconnects>) {
        // The first request bears the cost of the upstream's work, even if its client has disconnected by the end.
        held = HeldOutcome(metadata, disconnects) { [self] in cancelFlight() }
        let canceller = metadata.waker { [self] in cancelFlight() }
        _ = flight.change(number) { $0.begin(canceller) }
        guard let store = flight.store, flight.maximumAge > 0 else { return send(request) }
        lookup = CacheLookup(metadata) { [self] found in
            lookup = nil
            if let found { settle(found) } else { send(request) }
        }
        lookup?.start(flight, in: store)
    }

    /// Ends the flight with a response from the store.
    private func settle(_ found: CachedResponse) {
        let wakes = flight.cache.withLock { $0.settle(number, found, as: flight.key, memory: flight.memory) }
        wake(wakes)
        release(nil)
    }

    private func release(_ disconnect: HeldOutcome.Disconnect?) {
        let held = held
        self.held = nil
        held?.release(disconnect)
    }

    private func send(_ request: RelayRequest) {
        _ = flight.change(number) { $0.send() }
        wait {
            flight.next(request) { [self] result in
                stepEnded()
                switch result {
                case .success(let response): open(response)
                case .failure(let error): end(.failed(error), .broken)
                }
            }
        }
    }

    private func cancelFlight() {
        lookup?.cancel()
        lookup = nil
        cancel()
        source?.cancel()
        source = nil
        end(.failed(TransportError(.cancelled)), nil)
    }

    private func open(_ response: ServerResponse) {
        openedAt = metadata.record.now
        let isDocument = if case .bytes? = response.body { true } else { false }
        let head = CachedHead(
            response: response.head, hasRequestID: response.hasRequestID, isDocument: isDocument)
        let waiting = flight.change(number) { $0.open(head) }
        switch response.body {
        case .stream(let source)?:
            self.source = source
            wake(waiting)
            return source.start(self)
        case .bytes(let bytes)?:
            append(bytes)
            end(.complete, .shared)
        case nil: end(.broken, .broken)
        }
        // The readers are woken after the end, so that they find the whole document.
        wake(waiting)
    }

    private func append(_ bytes: [UInt8]) {
        let room = metadata.waker { [self] in source?.resume() }
        let result = flight.change(number) {
            $0.append(bytes, at: metadata.record.now &- openedAt, whenThereIsRoom: room)
        }
        guard let result else { return }
        wake(result.wakes)
        if !result.hasRoom { source?.pause() }
    }

    /// - Parameter disconnect: outcome to note if the first client has left.
    private func end(_ end: CoalescedResponse.End, _ disconnect: HeldOutcome.Disconnect?) {
        source = nil
        let (now, memory) = (flight.next.realtime, isSound ? flight.memory : 0)
        let ended = flight.cache.withLock {
            $0.finish(number, end, as: flight.key, at: now, ttl: flight.policy.ttl, memory: memory)
        }
        wake(ended.wakes)
        if let kept = ended.kept { keep(kept) }
        release(disconnect)
    }

    private func keep(_ response: CachedResponse) {
        let response = flight.policy.isPaced ? response : response.joined
        flight.cache.withLock { $0.insert(response, as: flight.key, memory: flight.memory) }
        flight.store?.keep(response, as: flight.key)
    }

    /// Whether the response is worth caching: it has a finish reason, if the API has one, and that reason is not a
    /// failure. A complete response of the Responses API can report a failure.
    private var isSound: Bool {
        let record = metadata.record
        var facts = record.facts
        record.transform?.note(in: &facts)
        guard !facts.isUncleanEnd else { return false }
        guard let reason = facts.finishReason else { return flight.next.operation.answerFormat == nil }
        return !CacheWriter.failures.contains(reason)
    }

    private static let failures: Set = [
        "failed", "cancelled", "error", "abort", "insufficient_system_resource", "in_progress", "queued",
        // The client must send another request for the rest.
        "pause_turn",
    ]

    private func wake(_ wakes: [CoalescedResponse.Wake]?) { for wake in wakes ?? [] { wake() } }

    // MARK: The response's body

    func receive(_ chunk: UnsafeRawBufferPointer) { append(Array(chunk)) }
    func finish(_ bodyEnd: BodyEnd) {
        if bodyEnd == .complete { end(.complete, .shared) } else { end(.broken, .broken) }
    }

    func fail(_ error: any Error) { end(.failed(error), .broken) }
}
