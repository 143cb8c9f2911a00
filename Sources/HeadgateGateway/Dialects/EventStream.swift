internal import HTTPTypes
internal import HeadgateHTTP

/// What every event stream of the gateway has in common.
enum EventStream {
    /// Nothing between here and the client may cache, compress or hold back a stream.
    static let headerFields: HTTPFields = [
        .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-cache, no-transform",
        .xAccelBuffering: "no",
    ]

    /// A comment: clients skip it, proxies see life.
    static let heartbeat = Array(": ping\n\n".utf8)

    /// Of every stream that adds no field of its own.
    static let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: headerFields))

    /// Ends an OpenAI stream.
    static func appendDone(to output: inout [UInt8]) { output.append(contentsOf: "data: [DONE]\n\n".utf8) }

    static func isEventStream(_ head: ServerResponseHead) -> Bool {
        head === EventStream.head || head.response.headerFields[.contentType] == headerFields[.contentType]
    }
}
