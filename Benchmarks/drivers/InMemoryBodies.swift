internal import HeadgateHTTP

/// Transport that responds to each request with the same head and a body of the driver.
struct StubTransport: RelayTransport {
    let response: ResponseHead
    let body: @Sendable () -> any BodySource

    func send(
        _ request: UpstreamRequest, to _: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        if case .bytes(let sent)? = request.body, !sent.isEmpty {
            completion(.success(UpstreamResponse(received: response, .stream(body()))))
        } else {
            completion(.failure(TransportError(.protocolViolation, "the upstream was sent an empty request")))
        }
        return nil
    }
}

/// Body in memory. Its first piece is delivered at the start, the others when the driver delivers them.
final class DriverBody: BodySource {
    private let first: [UInt8]
    private let isWhole: Bool
    private var sink: (any BodySink)?
    var bytesAreProgress = true

    /// - Parameter isWhole: whether the first piece is the whole body.
    init(_ first: [UInt8], isWhole: Bool) {
        self.first = first
        self.isWhole = isWhole
    }

    func takeWhole() -> [UInt8]? { isWhole ? first : nil }

    func start(_ sink: any BodySink) {
        first.withUnsafeBytes { sink.receive($0) }
        if isWhole { sink.finish(.complete) } else { self.sink = sink }
    }

    func send(_ piece: [UInt8]) { piece.withUnsafeBytes { sink?.receive($0) } }

    func pause() {}
    func resume() {}
    func cancel() { sink = nil }
    func discardRest() { sink = nil }
    func note(_: BodyProgress) {}
}

/// Sink that counts the bytes of a body.
final class CountingSink: BodySink {
    private(set) var octets = 0
    private(set) var isComplete = false
    private var room: [UInt8] = []

    func receive(_ chunk: UnsafeRawBufferPointer) { octets += chunk.count }

    /// Reuses its buffer, as a connection does.
    func receive(about _: Int, writing write: (inout [UInt8]) -> Void) {
        room.removeAll(keepingCapacity: true)
        write(&room)
        octets += room.count
    }

    func finish(_ end: BodyEnd) { isComplete = end == .complete }
    func fail(_: any Error) {}
}
