/// Collects a body as it arrives, up to a limit.
final class BodyCollector: BodySink, Cancellable {
    private let limit: Int
    private let source: any BodySource
    private var allowance: BodyAllowance?
    private var completion: ((Result<[UInt8], any Error>) -> Void)?
    private var bytes: [UInt8] = []

    /// - Parameter room: the capacity to reserve, so that a large body is not copied as it grows. Untouched capacity
    ///   takes no memory.
    init(
        room: Int, limit: Int, allowance: BodyAllowance?, source: any BodySource,
        completion: @escaping (Result<[UInt8], any Error>) -> Void
    ) {
        bytes.reserveCapacity(room)
        self.limit = limit
        self.allowance = allowance
        self.source = source
        self.completion = completion
    }

    func receive(_ chunk: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        guard bytes.count + chunk.count <= limit else {
            source.cancel()
            return fail(HTTPSyntaxError.bodyTooLarge(limit: limit))
        }
        guard allowance?.grow(to: bytes.count + chunk.count) != false else {
            source.cancel()
            return fail(BodyMemory.Exhausted())
        }
        bytes.makeRoom(for: chunk.count, upTo: limit)
        bytes.append(contentsOf: chunk)
    }

    var isOver: Bool { completion == nil }

    func cancel() {
        guard !isOver else { return }
        source.cancel()
        fail(TransportError(.cancelled))
    }

    func finish(_: BodyEnd) {
        let whole = bytes
        bytes = []
        complete(.success(whole))
    }

    func fail(_ error: any Error) {
        complete(.failure(error))
    }

    private func complete(_ result: Result<[UInt8], any Error>) {
        let waiting = completion
        completion = nil
        allowance = nil
        waiting?(result)
    }
}
