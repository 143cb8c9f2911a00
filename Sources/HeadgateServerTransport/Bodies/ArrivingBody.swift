internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Body of a request, which handlers can read in any task. Bytes are read from the client only as the handler takes
/// them.
final class ArrivingBody: PulledBody, BodySink {
    private typealias Inbox = BodyInbox<UnsafeContinuation<[UInt8]?, any Error>>

    let declaredLength: Int?
    private let limit: Int
    private let source: LoopBound<Source>
    private let inbox = Locked(Inbox())
    /// Share of the memory for bodies, held as long as the handler has the body, because its decoded value lives about
    /// as long.
    private let share: Locked<BodyAllowance>

    /// Bytes after which a body's timeout starts again, so that long bodies can take their time, and trickling ones
    /// cannot.
    private static var octetsOfProgress: Int { 32 * 1024 }

    /// Holder of the connection, which is released on its own loop.
    private final class Source {
        var source: (any BodySource)?
        /// Bytes that have arrived and were not noted as progress yet.
        private var unnoted = 0

        init(_ source: any BodySource) { self.source = source }

        func arrived(_ count: Int) {
            unnoted += count
            guard unnoted >= ArrivingBody.octetsOfProgress else { return }
            unnoted = 0
            source?.note(.content)
        }
    }

    /// Creates a body on the loop of its source.
    ///
    /// - Parameter limit: bytes above which the source refuses the body.
    init(_ source: any BodySource, on loop: EventLoop, limit: Int, within budget: BodyBudget) {
        declaredLength = source.declaredLength
        self.limit = limit
        share = budget.share()
        self.source = LoopBound(Source(source), on: loop)
    }

    deinit { onLoop(source) { $0.source = nil } }

    // MARK: The reader

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let (answer, demand) = inbox.withLock { $0.ask(continuation) }
                tell(demand)
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            cancel()
        }
    }

    func collect(upTo limit: Int) async throws -> [UInt8] {
        // A body that can never fit is too large, no matter how much memory the others hold.
        let limit = min(limit, self.limit, share.withLock { $0.maximum })
        let declared = declaredLength ?? 0
        // A declared length is refused before the client sends the body.
        guard declared <= limit else { throw tooLarge(limit) }
        guard share.withLock({ $0.hasRoom(for: declared) }) else { throw exhausted() }
        var bytes: [UInt8] = []
        while let chunk = try await next() {
            guard chunk.count <= limit - bytes.count else { throw tooLarge(limit) }
            let needed = bytes.count + chunk.count
            guard share.withLock({ $0.grow(to: needed) }) else { throw exhausted() }
            bytes += chunk
        }
        return bytes
    }

    private func tooLarge(_ limit: Int) -> HTTPSyntaxError {
        cancel(because: HTTPSyntaxError.incompleteBody)
        return HTTPSyntaxError.bodyTooLarge(limit: limit)
    }

    private func exhausted() -> BodyMemory.Exhausted {
        cancel(because: HTTPSyntaxError.incompleteBody)
        return BodyMemory.Exhausted()
    }

    func cancel() { cancel(because: CancellationError()) }

    /// Ends the reading, because the reader has left or has responded. A body that has arrived whole can still be read.
    func cancel(because error: any Error) {
        inbox.withLock { $0.finish(.failure(error)) }?.resume(throwing: error)
        onLoop(source) { holder in
            holder.source?.cancel()
            holder.source = nil
        }
    }

    func discardRest() { cancel() }

    private func tell(_ demand: Inbox.Demand) {
        guard demand != .nothing else { return }
        onLoop(source) { [self] holder in
            switch demand {
            case .nothing: break
            case .start: holder.source?.start(self)
            case .pause: holder.source?.pause()
            case .resume: holder.source?.resume()
            }
        }
    }

    // MARK: The loop

    func receive(_ chunk: UnsafeRawBufferPointer) {
        source.value.arrived(chunk.count)
        let (waiting, demand) = inbox.withLock { $0.receive(chunk) }
        if let (reader, bytes) = waiting { reader.resume(returning: bytes) }
        tell(demand)
    }

    func finish(_: BodyEnd) { end(.success(())) }
    func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ end: Result<Void, any Error>) {
        inbox.withLock { $0.finish(end) }?.resume(with: end.map { nil })
        source.value.source = nil
    }
}

/// Runs work on the loop of a value, at once if the caller is on that loop.
private func onLoop<Value>(_ bound: LoopBound<Value>, _ work: @escaping @Sendable (Value) -> Void) {
    if bound.loop.isCurrent { work(bound.value) } else { bound.loop.execute { work(bound.value) } }
}
