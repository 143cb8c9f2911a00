internal import HTTPTypes
internal import HeadgateHTTP

/// A stream of JSON documents, each on one line. Nothing else may stand in it, so silence is not bridged.
enum LineStream {
    private static let contentType = "application/x-ndjson"

    static func isLineStream(_ head: ServerResponseHead) -> Bool {
        head.response.headerFields[.contentType] == contentType
    }

    /// The head of an event stream as that of one of lines.
    static func head(_ events: ServerResponseHead) -> ServerResponseHead {
        var response = events.response
        response.headerFields[.contentType] = contentType
        return ServerResponseHead(response)
    }
}
