package import HTTPTypes

/// A response of the server: the head, and the body, whole or as a source.
package struct ServerResponse {
    package let head: ServerResponseHead
    package let body: HTTPBody?
    /// Whether the request's id is also sent as `request-id`.
    package var hasRequestID = false

    package init(_ head: ServerResponseHead, _ body: HTTPBody?) {
        self.head = head
        self.body = body
    }

    package init(_ response: HTTPResponse, _ body: HTTPBody?) { self.init(ServerResponseHead(response), body) }
}

/// The head of a response, encoded once for all responses that have the same one. The connection adds what differs,
/// such as the date and the request's id.
package final class ServerResponseHead: Sendable {
    package let response: HTTPResponse
    package let status: Int
    /// The status line and the fields, without the end of the last line.
    let bytes: [UInt8]

    package init(_ response: HTTPResponse) {
        self.response = response
        status = response.status.code
        var bytes: [UInt8] = []
        HeadEncoder.appendLines(of: response, to: &bytes)
        self.bytes = bytes
    }

    private init(_ response: HTTPResponse, _ bytes: [UInt8]) {
        self.response = response
        status = response.status.code
        self.bytes = bytes
    }

    /// With one more field; the others are not encoded again.
    package func adding(_ field: HTTPField) -> ServerResponseHead { adding(CollectionOfOne(field)) }

    /// The same with several.
    package func adding(_ fields: some Collection<HTTPField>) -> ServerResponseHead {
        var response = response
        var bytes = bytes
        for field in fields {
            response.headerFields.append(field)
            HeadEncoder.append(field, to: &bytes)
        }
        return ServerResponseHead(response, bytes)
    }
}
