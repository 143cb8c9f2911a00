internal import HTTPTypes
package import HeadgateHTTP

/// Common parts of every event stream of the gateway.
package enum EventStream {
    /// Headers that keep intermediaries from caching, compressing or holding back a stream.
    static let headerFields: HTTPFields = [
        .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-cache, no-transform",
        .xAccelBuffering: "no",
    ]

    /// Comment that clients skip, but that proxies see as activity.
    package static let heartbeat = Array(": ping\n\n".utf8)

    /// Head of every stream that adds no headers of its own.
    package static let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: headerFields))

    /// Appends the end of an OpenAI stream.
    static func appendDone(to output: inout [UInt8]) { output.append(contentsOf: "data: [DONE]\n\n".utf8) }

    package static func isEventStream(_ head: ServerResponseHead) -> Bool {
        head === EventStream.head || head.response.headerFields[.contentType] == headerFields[.contentType]
    }
}

/// Stream of JSON documents, one per line. It has no comments, so heartbeats cannot bridge silence.
package enum LineStream {
    private static let contentType = "application/x-ndjson"

    package static func isLineStream(_ head: ServerResponseHead) -> Bool {
        head.response.headerFields[.contentType] == contentType
    }

    /// Converts the head of an event stream to that of a line stream.
    package static func head(_ events: ServerResponseHead) -> ServerResponseHead {
        var response = events.response
        response.headerFields[.contentType] = contentType
        return ServerResponseHead(response)
    }
}
