/// A response, including intentional faults.
package struct ScriptedResponse: Sendable {
    package enum Framing: String, Sendable, CaseIterable {
        case chunked
        /// A Content-Length with the number of bytes of all chunks. If the response does not end cleanly, it is one
        /// more, so that the body is recognizably too short.
        case length
        /// The end of the connection.
        case close
        /// No framing fields, and nothing added to the bytes: for statuses without a body, and for wrong headers.
        case none
    }

    package enum End: String, Sendable, CaseIterable {
        /// The body ends as its framing requires, and the connection stays open.
        case clean
        /// A FIN is sent before the end of the framing.
        case cut
        /// A reset is sent after the kernel has accepted all bytes.
        case reset
        /// Nothing more is sent, and the connection stays open until the peer leaves.
        case stall
    }

    package var status: Int
    package var headers: HeaderLines
    package var chunks: [ScriptedChunk]
    package var framing: Framing
    /// The size of the pieces into which each chunk is split. The pieces are sent in separate turns of the loop; in the
    /// chunked coding each piece is a chunk.
    package var split: Int?
    package var end: End
    /// The delay before the head.
    package var headDelay: Duration
    /// A gate that replaces ``headDelay``.
    package var headGate: Gate?
    /// The bytes that replace the status line and the fields, including the empty line. The body still follows
    /// `framing`.
    package var rawHead: [UInt8]?
    /// The end that replaces the whole response, after `headDelay`.
    package var endBeforeHead: End?
    /// Whether, with TLS, the FIN is sent without the close_notify that must precede it.
    package var endsWithoutGoodbye = false

    package init(
        status: Int = 200, headers: HeaderLines = [:], chunks: [ScriptedChunk] = [], framing: Framing = .chunked,
        split: Int? = nil, end: End = .clean, headDelay: Duration = .zero, rawHead: [UInt8]? = nil,
        endBeforeHead: End? = nil
    ) {
        self.status = status
        self.headers = headers
        self.chunks = chunks
        self.framing = framing
        self.split = split
        self.end = end
        self.headDelay = headDelay
        self.rawHead = rawHead
        self.endBeforeHead = endBeforeHead
    }

    /// Returns a response with a whole JSON body.
    package static func json(status: Int = 200, _ text: String, headers: HeaderLines = [:]) -> ScriptedResponse {
        var headers = headers
        headers.append("Content-Type", "application/json")
        return ScriptedResponse(status: status, headers: headers, chunks: [ScriptedChunk(text)], framing: .length)
    }

    /// Returns a stream of events with the given data, each in its own chunk.
    package static func eventStream(_ data: [String], delay: Duration = .zero, end: End = .clean) -> ScriptedResponse {
        ScriptedResponse(
            headers: ["Content-Type": "text/event-stream"],
            chunks: data.map { ScriptedChunk(sseData($0), delay: delay) }, end: end)
    }

    /// Returns the response with another end.
    package func ending(_ end: End) -> ScriptedResponse {
        var response = self
        response.end = end
        return response
    }
}
