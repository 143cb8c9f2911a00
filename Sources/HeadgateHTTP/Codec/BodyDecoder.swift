/// Separates a body from the bytes that follow it on the connection.
package struct BodyDecoder {
    package enum Step: Equatable {
        /// These bytes of the input belong to the body.
        case data(Range<Int>)
        /// The input is used up.
        case needsMore
        /// The body is complete; the rest of the input belongs to the next message.
        case end
    }

    /// Part of the body in one input.
    package struct Portion {
        package enum Octets {
            case none
            /// The bytes are contiguous in the input.
            case together(Range<Int>)
            /// The bytes of several chunks were copied together.
            case gathered
        }

        package enum Following {
            case more
            /// The body is complete; the rest of the input belongs to the next message.
            case end
            case fault(HTTPSyntaxError)
        }

        package var octets = Octets.none
        package var following = Following.more
    }

    private enum Coding {
        case fixed, chunked, untilEnd
    }

    private let coding: Coding
    private let limit: Int
    /// Remaining bytes of a fixed length, or bytes so far of a body that ends with the connection.
    private var count = 0
    /// Decoder of chunks. It is not part of `coding`, so that a step does not copy it.
    private var chunks: ChunkedDecoder

    /// - Parameter limit: maximum bytes of the whole body; a larger one gets a 413.
    package init(_ length: BodyLength, limit: Int) throws(HTTPSyntaxError) {
        self.limit = limit
        chunks = ChunkedDecoder(limit: limit)
        switch length {
        case .fixed(let length):
            guard length <= limit else { throw .bodyTooLarge(limit: limit) }
            coding = .fixed
            count = length
        case .chunked: coding = .chunked
        case .untilEnd: coding = .untilEnd
        }
    }

    package mutating func next(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws(HTTPSyntaxError) -> Step {
        let start = offset
        let available = input.count - start
        switch coding {
        case .fixed:
            if count == 0 { return .end }
            if available == 0 { return .needsMore }
            offset += min(count, available)
            count -= offset - start
            return .data(start..<offset)
        case .chunked: return try chunks.next(input, &offset)
        case .untilEnd:
            if available == 0 { return .needsMore }
            guard available <= limit - count else { throw .bodyTooLarge(limit: limit) }
            offset += available
            count += available
            return .data(start..<offset)
        }
    }

    /// Takes all bytes of the body in the input.
    ///
    /// - Parameter gathered: receives the bytes of several chunks, replacing its content; a single chunk is not copied.
    package mutating func take(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int, gathering gathered: inout [UInt8]
    ) -> Portion {
        var portion = Portion()
        do throws(HTTPSyntaxError) {
            while true {
                switch try next(input, &offset) {
                case .data(let range):
                    switch portion.octets {
                    case .none: portion.octets = .together(range)
                    case .together(let first):
                        gathered.removeAll(keepingCapacity: true)
                        gathered.reserveCapacity(input.count)
                        gathered.append(contentsOf: UnsafeRawBufferPointer(rebasing: input[first]))
                        portion.octets = .gathered
                        fallthrough
                    case .gathered: gathered.append(contentsOf: UnsafeRawBufferPointer(rebasing: input[range]))
                    }
                case .needsMore: return portion
                case .end:
                    portion.following = .end
                    return portion
                }
            }
        } catch {
            portion.following = .fault(error)
            return portion
        }
    }

    /// Whether the end of the connection is the end of the body.
    package var endsWithConnection: Bool {
        if case .untilEnd = coding { true } else { false }
    }
}

/// Delimitation of the body that follows a head.
package enum BodyLength: Equatable, Sendable {
    case fixed(Int)
    case chunked
    /// The body ends with the connection (responses only).
    case untilEnd
}
