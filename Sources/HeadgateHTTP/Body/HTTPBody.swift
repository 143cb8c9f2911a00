/// Message body, whole or arriving. Confined to the loop of its connection.
public enum HTTPBody {
    case bytes([UInt8])
    case stream(any BodySource)

    /// Source of the body as it arrives; a whole body arrives at once.
    package var source: any BodySource {
        switch self {
        case .bytes(let bytes): ReadyBody(bytes)
        case .stream(let source): source
        }
    }

    /// Returns the whole body.
    ///
    /// - Throws: ``HTTPSyntaxError`` with status 413 above `limit` bytes, or the error that ended the source early.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        // The chunks of a pulled body come in another task than the caller's, unless the caller pulls them.
        if case .stream(let source) = self, let pulled = source as? any PulledBody {
            return try await pulled.collect(upTo: limit)
        }
        return try await withUnsafeThrowingContinuation { continuation in
            collect(upTo: limit) { continuation.resume(with: $0) }
        }
    }

    /// Collects the body without a task.
    ///
    /// - Parameters:
    ///   - allowance: covers the collected bytes, unless they are available at once. If it cannot, the error is
    ///     ``BodyMemory/Exhausted``.
    ///   - completion: called once, perhaps before this returns; with a `cancelled` ``TransportError`` after a
    ///     cancellation.
    /// - Returns: a handle that cancels the collection and the source; nil if the collection is already over.
    @discardableResult
    package func collect(
        upTo limit: Int, within allowance: @autoclosure () -> BodyAllowance? = nil,
        completion: @escaping (Result<[UInt8], any Error>) -> Void
    ) -> (any Cancellable)? {
        let whole: [UInt8]
        switch self {
        case .bytes(let bytes): whole = bytes
        case .stream(let source):
            guard let bytes = source.takeWhole() else {
                let room = min(source.declaredLength ?? 0, limit)
                let allowance = allowance()
                guard allowance?.hasRoom(for: room) != false else {
                    completion(.failure(BodyMemory.Exhausted()))
                    return nil
                }
                let collector = BodyCollector(
                    room: room, limit: limit, allowance: allowance, source: source, completion: completion)
                source.start(collector)
                return collector.isOver ? nil : collector
            }
            whole = bytes
        }
        completion(whole.count <= limit ? .success(whole) : .failure(HTTPSyntaxError.bodyTooLarge(limit: limit)))
        return nil
    }
}

/// Source of body bytes, in push style: after ``start(_:)`` the sink is called on the loop until `finish` or `fail`,
/// but not after the consumer has called `cancel`.
public protocol BodySource: Cancellable {
    /// Declared length in bytes, if there is one. It must not be trusted.
    var declaredLength: Int? { get }
    /// Returns the whole body, if it has already arrived and the source was not started, as is usual for small bodies.
    /// The source must not be started afterwards.
    func takeWhole() -> [UInt8]?
    /// Starts the source, which can call the sink before this returns. Called once; the source retains the sink until
    /// it ends or is cancelled.
    func start(_ sink: any BodySink)
    /// Stops the flow of bytes. One chunk that is already on its way can still come.
    func pause()
    func resume()
    /// Ends the consumer's interest in the body. The sink is not called again, but a bounded rest can still be read if
    /// that saves a connection.
    func discardRest()
    /// Whether any byte postpones the silence deadline (the default), or only progress that ``note(_:)`` reports.
    var bytesAreProgress: Bool { get set }
    /// Reports whether the last bytes were progress.
    func note(_ progress: BodyProgress)
}

/// Whether bytes of a body are progress, for the silence deadline.
public enum BodyProgress: Sendable {
    /// Progress: the deadline restarts.
    case content
    /// Part of an event that is not complete yet: the deadline is paused while such bytes arrive.
    case underWay
    /// No progress: the deadline keeps running.
    case nothing
}

extension BodySource {
    /// Nil: there is no declared length.
    public var declaredLength: Int? { nil }
    /// Returns nil: the body is not available at once.
    public func takeWhole() -> [UInt8]? { nil }
}

/// Destination of body bytes.
public protocol BodySink: AnyObject {
    /// - Parameter chunk: bytes that are valid only during the call.
    func receive(_ chunk: UnsafeRawBufferPointer)
    /// Receives bytes that are written in place, without a copy; there can be none.
    ///
    /// - Parameters:
    ///   - count: the approximate number of bytes.
    ///   - write: appends the bytes. Called during the call, unless they are no longer needed; it must not use the
    ///     sink.
    func receive(about count: Int, writing write: (inout [UInt8]) -> Void)
    /// The body is complete.
    func finish(_ end: BodyEnd)
    func fail(_ error: any Error)
}

extension BodySink {
    /// Passes the bytes on as one chunk.
    public func receive(about count: Int, writing write: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        write(&bytes)
        if !bytes.isEmpty { bytes.withUnsafeBytes { receive($0) } }
    }
}

/// End of a body.
public enum BodyEnd {
    case complete
    /// The message is complete, but the connection must be closed, because the response itself broke off.
    case completeThenClose
}

extension [UInt8] {
    /// Makes room in a buffer that can become very large, in few, large steps. Each step copies everything and blocks
    /// the loop. Untouched capacity takes no memory.
    package mutating func makeRoom(for more: Int, upTo limit: Int) {
        guard count + more > capacity else { return }
        reserveCapacity(Swift.max(count + more, Swift.min(limit, capacity * 16)))
    }
}

/// Source of a whole body, which is one chunk.
final class ReadyBody: BodySource {
    private var bytes: [UInt8]
    private var isLeft = false
    var bytesAreProgress = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func takeWhole() -> [UInt8]? { bytes }

    func start(_ sink: any BodySink) {
        let whole = bytes
        bytes = []
        if !whole.isEmpty { whole.withUnsafeBytes { sink.receive($0) } }
        if !isLeft { sink.finish(.complete) }
    }

    func pause() {}
    func resume() {}
    func note(_: BodyProgress) {}
    func discardRest() { cancel() }
    func cancel() { isLeft = true }
}
