/// The bytes of one streamed response, with the times of their arrival.
///
/// Instants are nanoseconds since the request was sent.
package struct StreamObservation: Sendable {
    /// The bytes of one read.
    package struct Piece: Sendable, Equatable {
        package let at: UInt64
        package let bytes: [UInt8]

        package init(at: UInt64, bytes: [UInt8]) {
            self.at = at
            self.bytes = bytes
        }
    }

    /// How the body is delimited.
    package enum Framing: Sendable, Equatable {
        case length(Int)
        case chunked
        /// By the end of the connection.
        case connection
    }

    package enum End: Sendable, Equatable {
        case complete
        /// The response broke, for this reason.
        case broken(String)
        /// The diagnosis canceled the response because it went on for too long.
        case abandoned
    }

    package let status: Int
    package let fields: ResponseFields
    package let framing: Framing
    package let headAt: UInt64
    package var pieces: [Piece]
    package var endAt: UInt64
    package var end: End

    package init(
        status: Int = 200, fields: ResponseFields, framing: Framing = .chunked, headAt: UInt64, pieces: [Piece] = [],
        endAt: UInt64, end: End = .complete
    ) {
        self.status = status
        self.fields = fields
        self.framing = framing
        self.headAt = headAt
        self.pieces = pieces
        self.endAt = endAt
        self.end = end
    }
}
