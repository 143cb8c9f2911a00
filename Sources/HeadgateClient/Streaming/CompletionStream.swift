internal import HTTPTypes
internal import HeadgateHTTP

/// A streamed response, piece by piece, as it comes.
///
/// Each iteration sends the request once, when its first piece is asked for, and reads no faster than it is asked.
/// Leaving the loop, or cancelling its task, closes the connection, which stops the model.
///
/// - Throws: ``HeadgateClientError``; a response that broke off is never taken for a whole one. `CancellationError`
///   when the task is cancelled. What middleware, transport or the closure for the key throw comes through as it is.
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

    /// The same response, which goes on by itself where its connection breaks and the server has kept it: for a chat
    /// with a model that has `on_disconnect: detach`. Elsewhere this changes nothing.
    ///
    /// - Parameter times: how often it is tried, without a new piece in between. What the last try failed with is
    ///   thrown; ``HeadgateClientError/status(_:)`` at once, with 404 when the server does not have the stream any more
    ///   and 410 when it does not have all of it.
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

        /// The place behind the piece that was given last; nil where the server does not keep the stream.
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
