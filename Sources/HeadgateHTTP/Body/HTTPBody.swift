/// A message body: whole, or arriving. Confined to the loop of its connection.
public enum HTTPBody {
    case bytes([UInt8])
    case stream(any BodySource)

    /// The body as it arrives; at once if it is whole.
    package var source: any BodySource {
        switch self {
        case .bytes(let bytes): ReadyBody(bytes)
        case .stream(let source): source
        }
    }

    /// The whole body.
    ///
    /// - Throws: ``HTTPSyntaxError`` with status 413 above `limit` bytes, or the error that ended the source early.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        // Its chunks come in another task than the caller's, unless the caller pulls them.
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
    ///   - allowance: covers the collected bytes, unless they were there at once; ``BodyMemory/Exhausted`` if it
    ///     cannot.
    ///   - completion: called once, perhaps before this returns; with a `cancelled` ``TransportError`` after a
    ///     cancellation.
    /// - Returns: a handle that cancels it, and the source; nil if it is already over.
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
    /// The declared length in bytes, if there is one. Not to be trusted.
    var declaredLength: Int? { get }
    /// The whole body, if it has already arrived and the source was not started, as is usual for small ones. The source
    /// must not be started after that.
    func takeWhole() -> [UInt8]?
    /// Starts the source, which can call the sink before this returns. Called once; the source retains the sink until
    /// it ends or is cancelled.
    func start(_ sink: any BodySink)
    /// Asks for no more bytes. One chunk that is already on its way may still come.
    func pause()
    func resume()
    /// The consumer has all it needs. The sink is not called again, but the rest may still be read, in bounds, where
    /// that saves a connection.
    func discardRest()
    /// Whether any byte postpones the silence deadline (the default), or only what ``note(_:)`` says.
    var bytesAreProgress: Bool { get set }
    /// Tells whether the last bytes were progress.
    func note(_ progress: BodyProgress)
}

/// Whether bytes of a body are progress, for the silence deadline.
public enum BodyProgress: Sendable {
    /// Progress: the deadline restarts.
    case content
    /// Part of an event that is not complete yet: the deadline is paused while such bytes come.
    case underWay
    /// No progress: the deadline keeps running.
    case nothing
}

extension BodySource {
    /// Nil.
    public var declaredLength: Int? { nil }
    /// Nil.
    public func takeWhole() -> [UInt8]? { nil }
}

/// Destination of body bytes.
public protocol BodySink: AnyObject {
    /// - Parameter chunk: valid during the call only.
    func receive(_ chunk: UnsafeRawBufferPointer)
    /// Receives bytes that are written in place, without a copy; there can be none.
    ///
    /// - Parameters:
    ///   - count: about how many they are.
    ///   - write: appends the bytes. Called during the call, unless they are no longer needed; it must not use the
    ///     sink.
    func receive(about count: Int, writing write: (inout [UInt8]) -> Void)
    /// The body is complete.
    func finish(_ end: BodyEnd)
    func fail(_ error: any Error)
}

extension BodySink {
    /// Makes a chunk of them.
    public func receive(about count: Int, writing write: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        write(&bytes)
        if !bytes.isEmpty { bytes.withUnsafeBytes { receive($0) } }
    }
}

/// How a body ended.
public enum BodyEnd {
    case complete
    /// Complete as a message, but the connection is to be closed: the response itself broke off.
    case completeThenClose
}

extension [UInt8] {
    /// Grows a buffer that may become very large in few, large steps: each one copies everything and blocks the loop.
    /// Untouched capacity takes no memory.
    package mutating func makeRoom(for more: Int, upTo limit: Int) {
        guard count + more > capacity else { return }
        reserveCapacity(Swift.max(count + more, Swift.min(limit, capacity * 16)))
    }
}

/// A whole body as a source: one chunk.
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
