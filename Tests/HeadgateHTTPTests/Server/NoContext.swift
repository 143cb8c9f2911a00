import HeadgateHTTP

/// Of requests that nothing is to be known of.
final class NoContext: RequestContext {
    let requestID = ""

    func decide(_: RequestEnd) {}
    func complete(_: RequestEnd, bytesReceived _: Int, bytesSent _: Int, maximumQueuedBytes _: Int) {}
}
