extension HTTPBody {
    /// A text, whole.
    public init(_ text: String) { self = .bytes(Array(text.utf8)) }

    /// Chunks that come from elsewhere, such as an `AsyncStream`; sent as they come. Read once; when the sequence
    /// throws, the message breaks off.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks
    ) where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
        self = .stream(SequenceBody(chunks))
    }
}

/// A sequence as a body.
private final class SequenceBody<Chunks: AsyncSequence & Sendable>: PulledBody
where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
    // Used by one task at a time, as every pulled body is.
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
                // One that ends because its task was cancelled meanwhile would look whole.
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
