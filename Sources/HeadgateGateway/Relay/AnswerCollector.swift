internal import HeadgateHTTP

/// Collects an upstream's answer whole.
final class AnswerCollector: BodySink {
    private let limit: Int
    private let source: any BodySource
    private let wait: AnswerWait<[UInt8]>
    private var bytes: [UInt8] = []

    private init(limit: Int, source: any BodySource) {
        self.limit = limit
        self.source = source
        wait = AnswerWait(for: source)
    }

    /// The whole body; none is an empty one.
    ///
    /// - Parameter completion: is told of ``HTTPSyntaxError`` with status 413 above `limit` octets, of ``TransportError`` if the
    ///   body broke off or the client left; perhaps before this returns.
    /// - Returns: what gives it up; nil when it is over already.
    static func collect(
        _ body: HTTPBody?, upTo limit: Int, completion: @escaping (Result<[UInt8], any Error>) -> Void
    ) -> (any Cancellable)? {
        guard case .stream(let source)? = body else {
            if let body { body.collect(upTo: limit, completion: completion) } else { completion(.success([])) }
            return nil
        }
        // The usual case: it came together with its head.
        if let bytes = source.takeWhole() {
            HTTPBody.bytes(bytes).collect(upTo: limit, completion: completion)
            return nil
        }
        let collector = AnswerCollector(limit: limit, source: source)
        collector.wait.start(feeding: collector, completion: completion)
        return collector.wait.isOver ? nil : collector.wait
    }

    func receive(_ chunk: UnsafeRawBufferPointer) {
        guard !wait.isOver else { return }
        guard chunk.count <= limit - bytes.count else {
            source.cancel()
            return wait.resolve(.failure(HTTPSyntaxError.bodyTooLarge(limit: limit)))
        }
        bytes.makeRoom(for: chunk.count, upTo: limit)
        bytes.append(contentsOf: chunk)
    }

    func finish(_: BodyEnd) { wait.resolve(.success(bytes)) }
    func fail(_ error: any Error) { wait.resolve(.failure(error)) }
}
