internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// The output side of a connection.
extension HTTPConnection {
    /// Writes the head and a whole body, or starts a streamed body.
    func response(_ response: ServerResponse) {
        guard let exchange else { return }
        exchange.response = response.head
        timer.cancelDeadline()
        if !exchange.isRequestComplete || isDraining { exchange.closes = true }
        switch response.body {
        case nil: respondWhole(response, [], exchange)
        case .bytes(let bytes)?: respondWhole(response, bytes, exchange)
        case .stream(let source)?: respondStream(response, source, exchange)
        }
    }

    private func respondWhole(_ response: ServerResponse, _ bytes: [UInt8], _ exchange: HTTPExchange) {
        let isBodyless = response.head.status == 204 || response.head.status == 304
        exchange.bytesSent = exchange.isHead ? 0 : bytes.count
        writeHead(response, isBodyless ? .none : .fixed(bytes.count), exchange)
        if !exchange.isHead, !isBodyless { channel.write(whole: bytes) }
        if bytes.count > limits.outputHighWaterMark, exchange.responseAllowance != nil {
            timer.schedule(afterNanoseconds: limits.pressedCheckInterval)
        }
        completeResponse(exchange)
    }

    private func writeHead(_ response: ServerResponse, _ framing: HeadEncoder.Framing, _ exchange: HTTPExchange) {
        let date = loop.dateLine
        let id = exchange.context.requestID
        write(of: exchange) { output in
            HeadEncoder.append(
                response.head, framing: framing, closes: exchange.closes, date: date, requestID: id,
                namesRequest: response.hasRequestID, to: &output)
        }
    }

    private func respondStream(_ response: ServerResponse, _ source: any BodySource, _ exchange: HTTPExchange) {
        exchange.isResponseChunked = exchange.head?.isHTTP10 == false
        exchange.head = nil
        writeHead(response, exchange.isResponseChunked ? .chunked : .none, exchange)
        guard !exchange.isHead else {
            source.cancel()
            return completeResponse(exchange)
        }
        exchange.responseSource = source
        source.start(exchange)
    }

    /// Writes a part of a body, unless `append` appends nothing.
    ///
    /// - Parameter count: approximate number of bytes that `append` appends.
    func writeBody(about count: Int, of exchange: HTTPExchange, _ append: (inout [UInt8]) -> Void) {
        guard self.exchange === exchange, phase == .serving else { return }
        write(of: exchange) { output in
            let start = output.count
            if exchange.isResponseChunked {
                exchange.bytesSent += HeadEncoder.appendChunk(about: count, to: &output, append)
            } else {
                append(&output)
                exchange.bytesSent += output.count - start
            }
        }
        if exchange.flow.queued(channel.queuedBytes, highWaterMark: limits.outputHighWaterMark) {
            exchange.responseSource?.pause()
        }
    }

    func finishBody(_ end: BodyEnd, of exchange: HTTPExchange) {
        guard self.exchange === exchange, phase == .serving else { return }
        exchange.responseSource = nil
        if end == .completeThenClose { exchange.closes = true }
        if exchange.isResponseChunked { write(of: exchange) { HeadEncoder.appendLastChunk(to: &$0) } }
        completeResponse(exchange)
    }

    /// Ends a body that broke off without an error event: the client sees an incomplete message.
    func breakBody(of exchange: HTTPExchange) {
        guard self.exchange === exchange else { return }
        exchange.responseSource = nil
        // If the end of the connection is the end of the body, only a reset shows that it is incomplete.
        if !exchange.isResponseChunked { channel.reset() }
        leave(.upstreamFailed)
    }

    private func completeResponse(_ exchange: HTTPExchange) {
        exchange.isResponseComplete = true
        guard channel.canSend else { return leave(.clientGone) }
        if channel.queuedBytes == 0 { channelDrained() }
    }

    /// Writes to the client. Once bytes begin to wait for the client, its progress is watched.
    private func write(of exchange: HTTPExchange, _ append: (inout [UInt8]) -> Void) {
        let wasIdle = channel.queuedBytes == 0
        channel.write(append)
        // An interim response can be waiting already, without a deadline.
        guard wasIdle || !timer.isScheduled, channel.queuedBytes > 0 else { return }
        exchange.flow.beginWaiting(taken: channel.bytesSent, at: loop.now)
        timer.schedule(afterNanoseconds: limits.writeCheckInterval)
    }

    func channelDrained() {
        // An interim response does not belong to an exchange.
        guard let exchange, exchange.response != nil else { return }
        if exchange.isResponseComplete, channel.queuedBytes == 0 { return endExchange() }
        if channel.queuedBytes == 0 { timer.schedule(afterNanoseconds: limits.heartbeatInterval) }
        if exchange.flow.drained(to: channel.queuedBytes, lowWaterMark: limits.outputLowWaterMark) {
            exchange.responseSource?.resume()
        }
    }

    // MARK: Deadlines of a response

    /// Checks the response at its deadline. While bytes wait for the client, it must receive some of them in time. If
    /// none wait, the stream has been silent and needs a heartbeat.
    func checkResponseProgress(_ exchange: HTTPExchange) {
        if channel.queuedBytes > 0 {
            let isPressed = exchange.responseAllowance?.isUnderPressure == true
            let isStalled = exchange.flow.isStalled(
                taken: channel.bytesTaken, at: loop.now,
                timeout: isPressed ? limits.pressedWriteTimeout : limits.writeTimeout)
            guard isStalled else {
                return timer.schedule(
                    afterNanoseconds: exchange.responseAllowance == nil
                        ? limits.writeCheckInterval : limits.pressedCheckInterval)
            }
            return leave(.timedOut)
        }
        guard exchange.responseSource != nil, let response = exchange.response,
            let heartbeat = responder.heartbeat(for: response)
        else { return }
        heartbeat.withUnsafeBytes { exchange.receive($0) }
    }

    /// Ends the connection at the end of the drain. A waiting request gets a response, and a stream an event, in the
    /// format of the route. Any other connection is closed at once.
    func cancelResponse() {
        if let exchange, exchange.response == nil { return fail(exchange) }
        guard let exchange, let response = exchange.response, exchange.responseSource != nil,
            let events = responder.finalEvents(for: response, metadata: exchange)
        else { return leave(.drained) }
        let source = exchange.responseSource
        exchange.responseSource = nil
        source?.cancel()
        exchange.context.decide(.drained)
        events.withUnsafeBytes { exchange.receive($0) }
        finishBody(.completeThenClose, of: exchange)
    }

    private func fail(_ exchange: HTTPExchange) {
        guard let head = exchange.head else { return }
        let shutdown = responder.shutdownResponse(to: head, metadata: exchange)
        exchange.context.decide(.drained)
        response(shutdown)
        // Complete first: the canceled work would report another end.
        exchange.complete(.drained)
        exchange.cancelWork()
    }
}
