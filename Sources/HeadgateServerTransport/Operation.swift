internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateOpenAPI
internal import HeadgatePrimitives

/// Handler of the requests of one route.
final class Operation: Sendable {
    let id: String
    let handler: OperationHandler
    /// Encoded head of the last response. Most responses have the same one, and a comparison is several times faster
    /// than encoding.
    private let last = Locked<(response: HTTPResponse, head: ServerResponseHead)?>(nil)

    init(id: String, handler: @escaping OperationHandler) {
        self.id = id
        self.handler = handler
    }

    /// Returns the head of a response without the framing headers of its handler. The server frames its messages, and
    /// with a second length some clients would see a second message.
    func head(of response: HTTPResponse) -> ServerResponseHead {
        last.withLock { last in
            if let last, last.response == response { return last.head }
            var sent = response
            sent.headerFields.removeAll { HeadEncoder.isOfFraming($0.name) }
            let head = ServerResponseHead(sent)
            last = (response, head)
            return head
        }
    }
}
