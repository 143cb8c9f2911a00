internal import HTTPTypes
internal import HeadgateHTTP

/// A streamed response, piece by piece, as it arrives.
///
/// Each iteration sends the request once, with the first call of `next()`, and reads no faster than its consumer.
/// Leaving the loop, or cancelling its task, closes the connection, which stops the model.
///
/// - Throws: ``HeadgateClientError``; a truncated response is never treated as complete. `CancellationError` if the
///   task is cancelled. Errors of middleware, the transport and the closure for the key are rethrown.
public struct CompletionStream<Chunk: CompletionChunk>: AsyncSequence, Sendable {
    /// A piece of the response.
    public typealias Element = Chunk

    /// How many choices were asked for.
    let choices: Int
    var pieces: any PieceReading<Chunk> = PlainPieces<Chunk>()
    /// Nil where its server knows no way.
    var resumption: StreamResumption?
    let send: @Sendable () async throws -> (HTTPResponse, HTTPBody?)

    /// The text of the first choice alone, without empty pieces.
    public var text: TextDeltas<Chunk> { TextDeltas(chunks: self) }

    /// Returns the same response, resumed automatically if its connection breaks and the server has stored it: for a
    /// chat with a model that has `on_disconnect: detach`. For other models this changes nothing.
    ///
    /// - Parameter times: the number of attempts without a new piece between them. The error of the last attempt is
    ///   thrown; ``HeadgateClientError/status(_:)`` at once, with 404 if the server no longer has the stream and 410 if
    ///   it no longer has all of it.
    public func resuming(times: Int = 3) -> Self {
        var stream = self
        stream.resumption?.times = Swift.max(0, times)
        return stream
    }

    /// A loop over the response, for one task.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            reading: CompletionReading(choices: choices, pieces: pieces, resumption: resumption, send: send))
    }

    /// The place in a response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reading: CompletionReading<Chunk>

        /// The position after the last returned piece; nil if the server does not store the stream.
        public var position: StreamPosition? { reading.position }

        /// The next piece; nil after the last of a whole response.
        ///
        /// - Throws: as ``CompletionStream`` does.
        public mutating func next() async throws -> Chunk? { try await reading.next() }
    }
}

/// The text of a streamed response, piece by piece; see ``CompletionStream``.
public struct TextDeltas<Chunk: CompletionChunk>: AsyncSequence, Sendable {
    /// A piece of the text.
    public typealias Element = String

    let chunks: CompletionStream<Chunk>

    /// A loop over the text, for one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeAsyncIterator()) }

    /// The place in a text.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: CompletionStream<Chunk>.AsyncIterator

        /// The next piece of text, never an empty one; nil after the last of a whole response.
        ///
        /// - Throws: as ``CompletionStream`` does.
        public mutating func next() async throws -> String? {
            while let chunk = try await chunks.next() {
                let text = chunk.addedText
                if !text.isEmpty { return text }
            }
            return nil
        }
    }
}
