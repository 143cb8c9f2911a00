import HeadgateHTTP

/// Context of requests that no test observes.
final class NoContext: RequestContext {
    let requestID = ""

    func decide(_: RequestEnd) {}
    func complete(_: RequestEnd, bytesReceived _: Int, bytesSent _: Int, maximumQueuedBytes _: Int) {}
}
