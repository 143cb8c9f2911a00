/// Converts the documents of one stream format, or a whole response instead of a stream, to pieces.
protocol PieceReading<Chunk>: Sendable {
    associatedtype Chunk: CompletionChunk

    /// Whether only one of the format's own documents ends the stream, and neither `[DONE]` nor the last finish reason.
    var hasOwnEnd: Bool { get }

    /// Whether the last piece was the end of the stream.
    var isOver: Bool { get }

    /// Members of earlier documents that later ones do not repeat; nil if there are none.
    var beginning: StreamPosition.Beginning? { get set }

    /// - Returns: Nil if the document ends the stream.
    mutating func piece(of document: [UInt8]) throws -> Chunk?
    mutating func whole(_ body: [UInt8]) throws -> Chunk
}

extension PieceReading {
    var isOver: Bool { false }
}

/// Reads documents that are themselves pieces.
struct PlainPieces<Chunk: CompletionChunk>: PieceReading {
    var hasOwnEnd: Bool { false }
    var beginning: StreamPosition.Beginning? {
        get { nil }
        set {}
    }

    func piece(of document: [UInt8]) throws -> Chunk? { try JSONCoding.decode(Chunk.self, from: document) }
    func whole(_ body: [UInt8]) throws -> Chunk { try Chunk(decodingWhole: body) }
}
