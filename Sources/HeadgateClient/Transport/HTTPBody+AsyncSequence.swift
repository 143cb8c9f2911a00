public import HeadgateHTTP

/// A body as a sequence of chunks of bytes, none of them empty.
///
/// One that is whole may be read any number of times; one that arrives is read once, by one task at a time, and given
/// up when its loop is left early.
///
/// - Throws: ``TransportError`` where the connection breaks off, or `CancellationError`.
extension HTTPBody: AsyncSequence {
    /// A chunk, as it came.
    public typealias Element = ArraySlice<UInt8>

    /// A loop over the chunks, for one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: BodyReader(self)) }

    /// The place in a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: BodyReader

        /// The next chunk; nil after the last.
        ///
        /// - Throws: what ended the body early.
        public mutating func next() async throws -> ArraySlice<UInt8>? { try await reader.next().map { $0[...] } }
    }
}

extension HTTPBody {
    /// A text, whole.
    public init(_ text: String) { self = .bytes(Array(text.utf8)) }

    /// Chunks that come from elsewhere, such as an `AsyncStream`. Read once.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks
    ) where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
        self = .stream(SequenceBody(chunks))
    }
}

private final class SequenceBody<Chunks: AsyncSequence & Sendable>: PulledBody
where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
    // Asked, and given up, by one task at a time, as every pulled body is.
    private nonisolated(unsafe) var iterator: Chunks.AsyncIterator?

    init(_ chunks: Chunks) { iterator = chunks.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
        guard var current = iterator else { return nil }
        iterator = nil
        guard let chunk = try await current.next() else { return nil }
        iterator = current
        return Array(chunk)
    }

    func cancel() { iterator = nil }
    func discardRest() { iterator = nil }
}
