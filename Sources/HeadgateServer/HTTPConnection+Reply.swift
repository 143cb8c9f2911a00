internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// The output side of a connection.
extension HTTPConnection {
    /// Writes the head, and the body as far as it is there.
    func reply(_ reply: Reply) {
        guard let exchange else { return }
        exchange.reply = reply.head
        exchange.record.facts.status = reply.head.status
        timer.cancel()
        if !exchange.isRequestComplete || isDraining { exchange.closes = true }
        switch reply.body {
        case nil: replyWhole(reply, [], exchange)
        case .bytes(let bytes)?: replyWhole(reply, bytes, exchange)
        case .stream(let source)?: replyStream(reply, source, exchange)
        }
    }

    private func replyWhole(_ reply: Reply, _ bytes: [UInt8], _ exchange: HTTPExchange) {
        let isBodyless = reply.head.status == 204 || reply.head.status == 304
        exchange.bytesSent = exchange.isHead ? 0 : bytes.count
        writeHead(reply, isBodyless ? .none : .fixed(bytes.count), exchange)
        if !exchange.isHead, !isBodyless { channel.write(whole: bytes) }
        completeReply(exchange)
    }

    private func writeHead(_ reply: Reply, _ framing: HeadEncoder.Framing, _ exchange: HTTPExchange) {
        let date = loop.dateLine
        let id = exchange.record.facts.requestID
        write(of: exchange) { output in
            HeadEncoder.append(
                reply, framing: framing, closes: exchange.closes, date: date, requestID: id, to: &output)
        }
    }

    private func replyStream(_ reply: Reply, _ source: any BodySource, _ exchange: HTTPExchange) {
        exchange.isReplyChunked = !exchange.head.isHTTP10
        writeHead(reply, exchange.isReplyChunked ? .chunked : .none, exchange)
        guard !exchange.isHead else {
            source.cancel()
            return completeReply(exchange)
        }
        exchange.replySource = source
        source.start(ReplySink(connection: self, exchange: exchange))
    }

    fileprivate func writeBody(_ bytes: UnsafeRawBufferPointer, of exchange: HTTPExchange) {
        guard self.exchange === exchange, phase == .serving else { return }
        exchange.bytesSent += bytes.count
        write(of: exchange) { output in
            if exchange.isReplyChunked {
                HeadEncoder.appendChunk(bytes, to: &output)
            } else {
                output.append(contentsOf: bytes)
            }
        }
        if exchange.flow.queued(channel.queuedBytes, highWaterMark: limits.outputHighWaterMark) {
            exchange.replySource?.pause()
        }
    }

    fileprivate func finishBody(_ end: BodyEnd, of exchange: HTTPExchange) {
        guard self.exchange === exchange, phase == .serving else { return }
        exchange.replySource = nil
        if end == .completeThenClose { exchange.closes = true }
        if exchange.isReplyChunked { write(of: exchange) { HeadEncoder.appendLastChunk(to: &$0) } }
        completeReply(exchange)
    }

    /// The body broke off and nobody upstream of here put that into words: the client sees a message that is not complete.
    fileprivate func breakBody(of exchange: HTTPExchange) {
        guard self.exchange === exchange else { return }
        exchange.replySource = nil
        // Where the end of the connection is the end of the body, only a reset tells the two ends apart.
        if !exchange.isReplyChunked { channel.reset() }
        leave(.upstreamFailed)
    }

    private func completeReply(_ exchange: HTTPExchange) {
        exchange.isReplyComplete = true
        guard channel.canSend else { return leave(.clientGone) }
        if channel.queuedBytes == 0 { channelDrained() }
    }

    /// Writes to the client. From when something begins to wait for it, its progress is watched.
    private func write(of exchange: HTTPExchange, _ append: (inout [UInt8]) -> Void) {
        let wasIdle = channel.queuedBytes == 0
        channel.write(append)
        // An interim response may be waiting already, without a deadline of its own.
        guard wasIdle || !timer.isScheduled else { return }
        exchange.flow.beginWaiting(taken: channel.bytesSent, at: loop.now)
        timer.schedule(afterNanoseconds: limits.writeCheckInterval)
    }

    func channelDrained() {
        // An interim response is nobody's reply.
        guard let exchange, exchange.reply != nil else { return }
        if exchange.isReplyComplete, channel.queuedBytes == 0 { return endExchange() }
        if channel.queuedBytes == 0 { timer.schedule(afterNanoseconds: limits.heartbeatInterval) }
        if exchange.flow.drained(to: channel.queuedBytes, lowWaterMark: limits.outputLowWaterMark) {
            exchange.replySource?.resume()
        }
    }

    // MARK: Deadlines of a reply

    /// While bytes wait for the client: it must take some in time. While none wait: the stream has been silent and needs a heartbeat.
    func checkReplyProgress(_ exchange: HTTPExchange) {
        if channel.queuedBytes > 0 {
            let isStalled = exchange.flow.isStalled(
                taken: channel.bytesTaken, at: loop.now, timeout: limits.writeTimeout)
            guard isStalled else {
                return timer.schedule(afterNanoseconds: limits.writeCheckInterval)
            }
            exchange.record.facts.errorCode = "client_stalled"
            return leave(.timedOut)
        }
        guard exchange.replySource != nil, let reply = exchange.reply,
            let heartbeat = responder.heartbeat(for: reply)
        else { return }
        heartbeat.withUnsafeBytes { writeBody($0, of: exchange) }
    }

    /// A shutdown that does not wait any longer: who waits for an answer gets one, a stream is told, both in their
    /// dialect. Everything else is cut.
    func expire() {
        if let exchange, exchange.reply == nil { return giveUp(exchange) }
        guard let exchange, let reply = exchange.reply, exchange.replySource != nil,
            let farewell = responder.farewell(for: reply, metadata: exchange)
        else { return leave(.drained) }
        let source = exchange.replySource
        exchange.replySource = nil
        source?.cancel()
        exchange.record.facts.decidedEnd = .drained
        farewell.withUnsafeBytes { writeBody($0, of: exchange) }
        finishBody(.completeThenClose, of: exchange)
    }

    private func giveUp(_ exchange: HTTPExchange) {
        let answer = responder.shutdownReply(to: exchange.head, metadata: exchange)
        exchange.record.facts.decidedEnd = .drained
        reply(answer)
        // Before what the request has waited for reports that it was given up.
        exchange.complete(.drained)
        exchange.abandon()
    }
}

/// Carries a reply's body to the connection, as long as the connection still serves that exchange.
private final class ReplySink: BodySink {
    // A connection that closes cancels the source first, which forgets this sink.
    private unowned let connection: HTTPConnection
    private let exchange: HTTPExchange

    init(connection: HTTPConnection, exchange: HTTPExchange) {
        self.connection = connection
        self.exchange = exchange
    }

    func receive(_ chunk: UnsafeRawBufferPointer) { connection.writeBody(chunk, of: exchange) }
    func finish(_ end: BodyEnd) { connection.finishBody(end, of: exchange) }
    func fail(_: any Error) { connection.breakBody(of: exchange) }
}
