package import HTTPTypes

/// What a server answers: the head, and the body as far as it is there.
package struct ServerResponse {
    package let head: ServerResponseHead
    package let body: HTTPBody?
    /// Whether the request's id also goes by the name that Anthropic's clients look for.
    package var hasRequestID = false

    package init(_ head: ServerResponseHead, _ body: HTTPBody?) {
        self.head = head
        self.body = body
    }

    package init(_ response: HTTPResponse, _ body: HTTPBody?) { self.init(ServerResponseHead(response), body) }
}

/// The head of a response, encoded once for all responses that have the same one. What differs, such as the date and the request's
/// id, the connection adds.
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
}
