public import HeadgateHTTP

/// A body as a sequence of chunks of bytes, none of them empty.
///
/// A whole body can be read any number of times. A body that arrives can be read once, by one task at a time, and is
/// cancelled if the loop is left early.
///
/// - Throws: ``TransportError`` if the connection breaks off, or `CancellationError`.
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
