internal import HTTPTypes
internal import HeadgateHTTP

/// One request and its reply on a connection. Loop-confined.
final class HTTPExchange {
    let head: RequestHead
    let metadata: ServerRequestMetadata
    var task: Task<Void, Never>?

    /// The request body, while it is being read.
    var decoder: BodyDecoder?
    var bodySink: (any BodySink)?
    var bodyStartedAt: UInt64 = 0
    /// Whether the request's last byte has been taken from the connection.
    var isRequestComplete: Bool

    /// Once the reply has begun.
    var response: HTTPResponse?
    /// What the reply's body comes from, while it does.
    var replySource: (any BodySource)?
    var isReplyChunked = false
    var isReplyComplete = false
    var isSourcePaused = false
    /// The channel's count when the client's progress was last looked at.
    var bytesSentBefore = 0
    /// When the client was last seen to take something of what waits for it, or when that began to wait.
    var progressAt: UInt64 = 0
    /// Whether the connection ends after this reply.
    var closes: Bool

    var isHead: Bool { head.method == .head }

    init(head: RequestHead, metadata: ServerRequestMetadata) {
        self.head = head
        self.metadata = metadata
        closes = head.closes
        isRequestComplete = head.bodyLength == .fixed(0)
    }

    /// Stops everything that still works for this exchange. The record's outcome stands.
    func abandon() {
        task?.cancel()
        let source = replySource
        replySource = nil
        source?.cancel()
        let sink = bodySink
        bodySink = nil
        sink?.fail(HTTPSyntaxError.incompleteBody)
    }
}
