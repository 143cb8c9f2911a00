extension HTTPBody {
    /// A body that is made while it is sent.
    ///
    /// - Parameter chunks: its bytes. The sequence is iterated once; when it throws, the message breaks off.
    public static func streaming<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) -> HTTPBody
    where Chunks.Element == [UInt8] {
        .stream(SequenceBody(chunks))
    }
}

/// A sequence as a body.
private final class SequenceBody<Chunks: AsyncSequence & Sendable>: PulledBody where Chunks.Element == [UInt8] {
    // One task at a time asks for the next chunk.
    private nonisolated(unsafe) var iterator: Chunks.AsyncIterator

    init(_ chunks: Chunks) { iterator = chunks.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
        try Task.checkCancellation()
        var iterator = iterator
        let chunk = try await iterator.next()
        self.iterator = iterator
        return chunk
    }

    // Whoever iterates is cancelled with its task.
    func cancel() {}
    func discardRest() {}
}
