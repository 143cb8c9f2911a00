/// Separates a body from what follows it on the connection.
package struct BodyDecoder {
    package enum Step: Equatable {
        /// These octets of the input belong to the body.
        case data(Range<Int>)
        /// The input is used up.
        case needsMore
        /// The body is complete; the rest of the input belongs to the next message.
        case end
    }

    private enum Coding {
        case fixed(remaining: Int)
        case chunked(ChunkedDecoder)
        case untilEnd(total: Int)
    }

    private var coding: Coding
    private let limit: Int

    /// - Parameter limit: octets of the whole body; more is a 413.
    package init(_ length: BodyLength, limit: Int) throws(HTTPSyntaxError) {
        self.limit = limit
        switch length {
        case .fixed(let count):
            guard count <= limit else { throw .bodyTooLarge(limit: limit) }
            coding = .fixed(remaining: count)
        case .chunked: coding = .chunked(ChunkedDecoder(limit: limit))
        case .untilEnd: coding = .untilEnd(total: 0)
        }
    }

    package mutating func next(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> Step {
        switch coding {
        case .fixed(let remaining):
            if remaining == 0 { return .end }
            let count = min(remaining, input.count - offset)
            if count == 0 { return .needsMore }
            defer { offset += count }
            coding = .fixed(remaining: remaining - count)
            return .data(offset..<(offset + count))
        case .chunked(var decoder):
            // Moved out and back, so that the decoder is not copied.
            coding = .fixed(remaining: 0)
            defer { coding = .chunked(decoder) }
            return try decoder.next(input, &offset)
        case .untilEnd(let total):
            let count = input.count - offset
            if count == 0 { return .needsMore }
            guard total + count <= limit else { throw .bodyTooLarge(limit: limit) }
            defer { offset += count }
            coding = .untilEnd(total: total + count)
            return .data(offset..<(offset + count))
        }
    }

    /// Whether the end of the connection is the end of the body.
    package var endsWithConnection: Bool {
        if case .untilEnd = coding { true } else { false }
    }
}
