/// A response, and the ways in which it may go wrong.
package struct ScriptedResponse: Sendable {
    package enum Framing: String, Sendable, CaseIterable {
        case chunked
        /// Content-Length: the bytes of all chunks, and one more if the response does not end cleanly, so that it is
        /// seen to be short.
        case length
        /// By the end of the connection.
        case close
        /// No framing fields and nothing around the bytes: for statuses without a body, and for headers that lie.
        case none
    }

    package enum End: String, Sendable, CaseIterable {
        /// The framing's end; the connection stays open.
        case clean
        /// FIN inside the framing.
        case cut
        /// RST, once the kernel has taken all bytes.
        case reset
        /// Nothing more is sent; the connection is held until the peer leaves.
        case stall
    }

    package var status: Int
    package var headers: HeaderLines
    package var chunks: [ScriptedChunk]
    package var framing: Framing
    /// Splits each chunk into pieces of this size, sent one by one in separate turns of the loop; in the chunked coding
    /// each piece is a chunk.
    package var split: Int?
    package var end: End
    /// Waited before the head.
    package var headDelay: Duration
    /// Waited for instead.
    package var headGate: Gate?
    /// Sent instead of the status line and the fields, its empty line included; the body still follows `framing`.
    package var rawHead: [UInt8]?
    /// Set, it happens instead of the whole response, after `headDelay`.
    package var endBeforeHead: End?
    /// Inside TLS: FIN comes without the close_notify that belongs before it.
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

    /// A whole JSON body.
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
