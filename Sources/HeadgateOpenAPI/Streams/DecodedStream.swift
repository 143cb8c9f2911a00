/// Values decoded from chunks of bytes, regardless of the fragmentation.
public struct DecodedStream<Source: AsyncSequence, Element>: AsyncSequence where Source.Element == ArraySlice<UInt8> {
    let source: Source
    let makeParser: @Sendable () -> StreamParser<Element>

    /// Creates an iterator over the values.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: source.makeAsyncIterator(), parser: makeParser())
    }

    /// An iterator over the values, for use in one task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: Source.AsyncIterator
        let parser: StreamParser<Element>
        var waiting: [Element] = []
        var place = 0
        /// Error that ends the stream. It is thrown after the values before it.
        var failure: (any Error)?
        var isOver = false

        /// Returns the next value; nil after the last.
        ///
        /// - Throws: Errors of the source; `DecodingError` and similar errors for invalid values.
        public mutating func next() async throws -> Element? {
            // An iterator is used by one task at a time.
            nonisolated(unsafe) var current = chunks
            defer { chunks = current }
            while place == waiting.count, failure == nil, !isOver, !parser.isOver {
                (waiting, place) = ([], 0)
                let chunk = try await current.next()
                do {
                    if let chunk {
                        try parser.parse(chunk, into: &waiting)
                    } else {
                        isOver = true
                        try parser.finish(into: &waiting)
                    }
                } catch {
                    failure = error
                }
            }
            if place < waiting.count {
                defer { place += 1 }
                return waiting[place]
            }
            isOver = true
            if let failure {
                self.failure = nil
                throw failure
            }
            return nil
        }
    }
}

extension DecodedStream: Sendable where Source: Sendable {}

/// Parser for bytes as they arrive.
class StreamParser<Element> {
    /// Whether the stream has ended, so that nothing more is read.
    var isOver = false

    /// Appends the values that the bytes complete.
    func parse(_ chunk: ArraySlice<UInt8>, into found: inout [Element]) throws {}
    /// Appends the values that the end of the stream completes.
    func finish(into found: inout [Element]) throws {}
}

/// Parser of a stream whose parts are delimited by one byte and decoded separately.
final class SeparatedParser<Element>: StreamParser<Element> {
    /// Maximum bytes of an incomplete part.
    private static var limit: Int { 16 << 20 }

    private let separator: UInt8
    private let decode: ([UInt8]) throws -> Element
    private var pending: [UInt8] = []

    init(separator: UInt8, _ decode: @escaping ([UInt8]) throws -> Element) {
        self.separator = separator
        self.decode = decode
    }

    override func parse(_ chunk: ArraySlice<UInt8>, into found: inout [Element]) throws {
        var rest = chunk
        while let end = rest.firstIndex(of: separator) {
            pending += rest[..<end]
            rest = rest[end...].dropFirst()
            if let element = try take() { found.append(element) }
        }
        guard rest.count <= SeparatedParser.limit - pending.count else {
            throw HTTPSyntaxError.bodyTooLarge(limit: SeparatedParser.limit)
        }
        pending += rest
    }

    override func finish(into found: inout [Element]) throws {
        if let element = try take() { found.append(element) }
    }

    /// Returns the value of a part; nil if the part is empty or only white space.
    private func take() throws -> Element? {
        let part = pending
        pending = []
        return part.allSatisfy { $0 <= 0x20 } ? nil : try decode(part)
    }
}

/// Chunks of bytes encoded from values.
public struct EncodedStream<Source: AsyncSequence>: AsyncSequence {
    let source: Source
    let encode: @Sendable (Source.Element) throws -> [UInt8]

    /// Creates an iterator over the chunks.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(values: source.makeAsyncIterator(), encode: encode)
    }

    /// An iterator over the chunks, for use in one task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var values: Source.AsyncIterator
        let encode: (Source.Element) throws -> [UInt8]

        /// Returns the bytes of the next value; nil after the last.
        ///
        /// - Throws: Errors of the source and of encoding.
        public mutating func next() async throws -> ArraySlice<UInt8>? {
            // An iterator is used by one task at a time.
            nonisolated(unsafe) var current = values
            defer { values = current }
            guard let value = try await current.next() else { return nil }
            return try encode(value)[...]
        }
    }
}

extension EncodedStream: Sendable where Source: Sendable {}
