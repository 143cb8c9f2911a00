/// A message body: whole, or arriving. Confined to the loop of its connection.
public enum HTTPBody {
    case bytes([UInt8])
    case stream(any BodySource)

    /// The body as it comes, all at once where it is whole.
    package var source: any BodySource {
        switch self {
        case .bytes(let bytes): ReadyBody(bytes)
        case .stream(let source): source
        }
    }

    /// The whole body.
    ///
    /// - Throws: ``HTTPSyntaxError`` with status 413 above `limit` octets, or what ended the source early.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        try await withUnsafeThrowingContinuation { continuation in
            collect(upTo: limit) { continuation.resume(with: $0) }
        }
    }

    /// The same for who does not wait in a task.
    ///
    /// - Parameters:
    ///   - allowance: covers what is collected, unless it was there at once; ``BodyMemory/Exhausted`` where it cannot.
    ///   - completion: called once, perhaps before this returns; given a `cancelled` ``TransportError`` when it was given up.
    /// - Returns: what gives it up, and the source with it; nil when it is over already.
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

/// Where body bytes come from. Push style: after ``start(_:)`` the sink is called on the loop until `finish` or `fail`. Not again once
/// the consumer, who has lost interest, has called `cancel`.
public protocol BodySource: Cancellable {
    /// Octets, where the message says how many will come. Not to be trusted.
    var declaredLength: Int? { get }
    /// All of the body, if it is there, whole and not yet started: the usual case of small ones. Then there is nothing left to start.
    func takeWhole() -> [UInt8]?
    /// May call the sink before it returns. Called once; the source keeps the sink until it ends or is cancelled.
    func start(_ sink: any BodySink)
    /// Asks for no more bytes. One chunk that is already on its way may still come.
    func pause()
    func resume()
    /// The consumer has all it needs. The sink is not called again, but the rest may still be read, in bounds, where that saves
    /// a connection.
    func discardRest()
    /// Whether any byte postpones the silence deadline (the default), or only what ``note(_:)`` says.
    var bytesAreProgress: Bool { get set }
    /// Says what the last bytes were worth to the consumer.
    func note(_ progress: BodyProgress)
}

/// What bytes of a body were worth, where not every byte is worth the same.
public enum BodyProgress: Sendable {
    /// What the body is read for: the wait for it begins anew.
    case content
    /// Part of something whose worth shows when it is whole: the wait stands still as long as such bytes come.
    case underWay
    /// Nothing: the wait goes on.
    case nothing
}

extension BodySource {
    /// Nil: most messages do not say.
    public var declaredLength: Int? { nil }
    /// Nothing: most bodies are not there yet.
    public func takeWhole() -> [UInt8]? { nil }
}

/// Where body bytes go.
public protocol BodySink: AnyObject {
    /// - Parameter chunk: valid during the call only.
    func receive(_ chunk: UnsafeRawBufferPointer)
    /// The body is complete.
    func finish(_ end: BodyEnd)
    func fail(_ error: any Error)
}

/// How a body ended.
public enum BodyEnd {
    case complete
    /// Complete as a message, and the connection that carries it is to be closed: the answer itself broke off.
    case completeThenClose
}

extension [UInt8] {
    /// Before more is appended to what may become very long: grows in few, large steps, as each one copies all there
    /// is, and a loop waits meanwhile. What is not written takes no memory.
    package mutating func makeRoom(for more: Int, upTo limit: Int) {
        guard count + more > capacity else { return }
        reserveCapacity(Swift.max(count + more, Swift.min(limit, capacity * 16)))
    }
}
