internal import HTTPTypes
internal import HeadgateHTTP

/// A streamed response, piece by piece, as it arrives.
///
/// Each iteration sends the request once, with the first call of `next()`, and reads no faster than its consumer.
/// Leaving the loop, or canceling its task, closes the connection, which stops the model.
///
/// - Throws: ``HeadgateClientError``; a truncated response is never treated as complete. `CancellationError` if the
///   task is canceled. Errors of middleware, the transport and the closure for the key are rethrown.
public struct CompletionStream<Chunk: CompletionChunk>: AsyncSequence, Sendable {
    /// A piece of the response.
    public typealias Element = Chunk

    /// Number of requested choices.
    let choices: Int
    var pieces: any PieceReading<Chunk> = PlainPieces<Chunk>()
    /// Way to resume the stream; nil if the server supports none.
    var resumption: StreamResumption?
    let send: @Sendable () async throws -> (HTTPResponse, HTTPBody?)

    /// Text of the first choice only, without empty pieces.
    public var text: TextDeltas<Chunk> { TextDeltas(chunks: self) }

    /// Returns the same response with automatic resumption. It resumes after a broken connection if the server has
    /// stored the stream: for a chat with a model that has `on_disconnect: detach`. For other models this changes
    /// nothing.
    ///
    /// - Parameter times: Maximum consecutive attempts without a new piece. The error of the last attempt is thrown.
    ///   ``HeadgateClientError/status(_:)`` is thrown at once, with 404 if the server no longer has the stream, and 410
    ///   if it no longer has all of it.
    public func resuming(times: Int = 3) -> Self {
        var stream = self
        stream.resumption?.times = Swift.max(0, times)
        return stream
    }

    /// Creates an iterator over the response, for use in one task.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            reading: CompletionReading(choices: choices, pieces: pieces, resumption: resumption, send: send))
    }

    /// An iterator over the response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reading: CompletionReading<Chunk>

        /// The position after the last returned piece; nil if the server does not store the stream.
        public var position: StreamPosition? { reading.position }

        /// Returns the next piece; nil after the last piece of a complete response.
        ///
        /// - Throws: As ``CompletionStream`` does.
        public mutating func next() async throws -> Chunk? { try await reading.next() }
    }
}

/// The text of a streamed response, piece by piece; see ``CompletionStream``.
public struct TextDeltas<Chunk: CompletionChunk>: AsyncSequence, Sendable {
    /// A piece of the text.
    public typealias Element = String

    let chunks: CompletionStream<Chunk>

    /// Creates an iterator over the text, for use in one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeAsyncIterator()) }

    /// An iterator over the text.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: CompletionStream<Chunk>.AsyncIterator

        /// Returns the next piece of text, which is never empty; nil after the last piece of a complete response.
        ///
        /// - Throws: As ``CompletionStream`` does.
        public mutating func next() async throws -> String? {
            while let chunk = try await chunks.next() {
                let text = chunk.addedText
                if !text.isEmpty { return text }
            }
            return nil
        }
    }
}
