/// What a responder keeps of one request, from its head to its end. Loop-confined.
package protocol RequestContext: AnyObject {
    /// Sent with the response.
    var requestID: String { get }

    /// Decides how the request ends, before the last byte of its response is written.
    func decide(_ end: RequestEnd)

    /// The end, as the connection saw it: called by whatever comes first, and perhaps again. An end that was decided
    /// before has precedence.
    ///
    /// - Parameters:
    ///   - bytesReceived: octets of the request's body, as ``bytesSent`` of the response's.
    ///   - maximumQueuedBytes: the largest queue of bytes that the client had not read.
    func complete(_ end: RequestEnd, bytesReceived: Int, bytesSent: Int, maximumQueuedBytes: Int)
}

/// How a request ended.
package enum RequestEnd: String, Sendable {
    case finished
    case clientGone = "client_gone"
    case upstreamFailed = "upstream_failed"
    /// Of a connection: the client did not take its response in time.
    case timedOut = "timed_out"
    case refused
    case drained
}
