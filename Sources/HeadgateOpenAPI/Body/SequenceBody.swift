extension HTTPBody {
    /// Creates a whole body from a text.
    public init(_ text: String) { self = .bytes(Array(text.utf8)) }

    /// Creates a body from a sequence of chunks, such as an `AsyncStream`. Chunks are sent as they arrive. The body can
    /// be read once. If the sequence throws, the message ends incomplete.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks
    ) where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
        self = .stream(SequenceBody(chunks))
    }
}

/// A sequence of chunks as a body.
private final class SequenceBody<Chunks: AsyncSequence & Sendable>: PulledBody
where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
    // Used by one task at a time, like every pulled body.
    private nonisolated(unsafe) var iterator: Chunks.AsyncIterator?
    private nonisolated(unsafe) var isGivenUp = false
    private nonisolated(unsafe) var failure: (any Error)?

    init(_ chunks: Chunks) { iterator = chunks.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
        if let failure { throw failure }
        do {
            try Task.checkCancellation()
            guard var current = iterator else { return nil }
            iterator = nil
            guard let chunk = try await current.next() else {
                // A sequence that ends because its task was canceled would otherwise look complete.
                try Task.checkCancellation()
                return nil
            }
            if !isGivenUp { iterator = current }
            return Array(chunk)
        } catch {
            failure = error
            iterator = nil
            throw error
        }
    }

    func cancel() {
        isGivenUp = true
        iterator = nil
    }

    func discardRest() { cancel() }
}
