/// State of one request in a responder, from its head to its end. Loop-confined.
package protocol RequestContext: AnyObject {
    /// Id of the request, which is sent with the response.
    var requestID: String { get }

    /// Decides how the request ends, before the last byte of its response is written.
    func decide(_ end: RequestEnd)

    /// Completes the request with the end that the connection saw. It can be called several times; an earlier end takes
    /// precedence.
    ///
    /// - Parameters:
    ///   - bytesReceived: bytes of the request's body; `bytesSent` are those of the response's.
    ///   - maximumQueuedBytes: the largest queue of bytes that the client had not read.
    func complete(_ end: RequestEnd, bytesReceived: Int, bytesSent: Int, maximumQueuedBytes: Int)
}

/// End of a request.
package enum RequestEnd: String, Sendable {
    case finished
    case clientGone = "client_gone"
    case upstreamFailed = "upstream_failed"
    /// The client did not read its response in time.
    case timedOut = "timed_out"
    case refused
    case drained
}
