package import HTTPTypes

/// A response of the server: the head, and the body, whole or as a source.
package struct ServerResponse {
    package var head: ServerResponseHead
    package var body: HTTPBody?
    /// Whether the request's id is also sent as `request-id`.
    package var hasRequestID = false

    package init(_ head: ServerResponseHead, _ body: HTTPBody?) {
        self.head = head
        self.body = body
    }

    package init(_ response: HTTPResponse, _ body: HTTPBody?) { self.init(ServerResponseHead(response), body) }
}
