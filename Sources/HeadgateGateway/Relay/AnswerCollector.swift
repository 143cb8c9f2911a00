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
    /// - Throws: ``HTTPSyntaxError`` with status 413 above `limit` octets, ``TransportError`` if the body broke off or
    ///   the client left.
    static func collect(_ body: HTTPBody?, upTo limit: Int) async throws -> [UInt8] {
        guard case .stream(let source)? = body else { return try await body?.collect(upTo: limit) ?? [] }
        if let bytes = source.takeWhole() {
            guard bytes.count <= limit else { throw HTTPSyntaxError.bodyTooLarge(limit: limit) }
            return bytes
        }
        let collector = AnswerCollector(limit: limit, source: source)
        return try await collector.wait.value(feeding: collector)
    }

    func receive(_ chunk: UnsafeRawBufferPointer) {
        guard !wait.isOver else { return }
        guard chunk.count <= limit - bytes.count else {
            source.cancel()
            return wait.resolve(.failure(HTTPSyntaxError.bodyTooLarge(limit: limit)))
        }
        bytes.append(contentsOf: chunk)
    }

    func finish(_: BodyEnd) { wait.resolve(.success(bytes)) }
    func fail(_ error: any Error) { wait.resolve(.failure(error)) }
}
