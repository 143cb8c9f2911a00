internal import HTTPTypes
internal import HeadgateHTTP

/// A streamed answer, piece by piece, as it comes.
///
/// Each iteration sends the request once, when its first piece is asked for, and reads no faster than it is asked.
/// Leaving the loop, or cancelling its task, closes the connection, which stops the model.
///
/// - Throws: ``HeadgateClientError``; an answer that broke off is never taken for a whole one. `CancellationError` when
///   the task is cancelled.
public struct AnswerStream<Chunk: AnswerChunk>: AsyncSequence, Sendable {
    /// A piece of the answer.
    public typealias Element = Chunk
    typealias Answer = (HTTPResponse, HTTPBody?)

    /// How many answers were asked for.
    let choices: Int
    var pieces: any PieceReading<Chunk> = PlainPieces<Chunk>()
    let send: @Sendable () async throws -> Answer

    /// The text of the first answer alone, without empty pieces.
    public var text: TextDeltas<Chunk> { TextDeltas(chunks: self) }

    /// A loop over the answer, for one task.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reading: AnswerReading(choices: choices, pieces: pieces, send: send))
    }

    /// The place in an answer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reading: AnswerReading<Chunk>

        /// The next piece; nil after the last of a whole answer.
        public mutating func next() async throws -> Chunk? { try await reading.next() }
    }
}

/// The text of a streamed answer, piece by piece; see ``AnswerStream``.
public struct TextDeltas<Chunk: AnswerChunk>: AsyncSequence, Sendable {
    /// A piece of the text.
    public typealias Element = String

    let chunks: AnswerStream<Chunk>

    /// A loop over the text, for one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks.makeAsyncIterator()) }

    /// The place in a text.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: AnswerStream<Chunk>.AsyncIterator

        /// The next piece of text, never an empty one; nil after the last of a whole answer.
        public mutating func next() async throws -> String? {
            while let chunk = try await chunks.next() {
                let text = chunk.addedText
                if !text.isEmpty { return text }
            }
            return nil
        }
    }
}
