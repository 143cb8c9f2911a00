public import HeadgateHTTP

/// A body as a sequence of chunks of bytes, which are never empty.
///
/// A whole body can be read any number of times. A streamed body can be read once, by one task at a time, and is
/// canceled if the loop is left early.
///
/// - Throws: ``TransportError`` if the connection breaks, or `CancellationError`.
extension HTTPBody: AsyncSequence {
    /// A chunk as it arrived.
    public typealias Element = ArraySlice<UInt8>

    /// Creates an iterator over the chunks, for use in one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: BodyReader(self)) }

    /// An iterator over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: BodyReader

        /// Returns the next chunk; nil after the last.
        ///
        /// - Throws: The error that ended the body early.
        public mutating func next() async throws -> ArraySlice<UInt8>? { try await reader.next().map { $0[...] } }
    }
}
