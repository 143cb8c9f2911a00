internal import HTTPTypes
package import HeadgateHTTP

/// Stream of JSON documents, one per line. Nothing else can be in it, so that silence is not bridged.
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
