internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// The body of a request, while it arrives.
extension HTTPConnection {
    func startBody(of exchange: HTTPExchange, sink: any BodySink) {
        guard self.exchange === exchange, phase == .serving else { return sink.fail(HTTPSyntaxError.incompleteBody) }
        do throws(HTTPSyntaxError) {
            let decoder = try BodyDecoder(exchange.bodyLength, limit: exchange.bodyLimit)
            exchange.incoming = IncomingBody(decoder, to: sink, since: loop.now)
        } catch {
            return sink.fail(error)
        }
        scheduleBodyTimer(after: limits.bodyCheckInterval)
        if exchange.head?.expectsContinue == true, pending.isEmpty {
            channel.write { $0.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }
        }
        channel.startReading()
        let early = pending
        pending = []
        early.withUnsafeBytes { if !$0.isEmpty { feedBody(of: exchange, $0) } }
    }

    /// Returns a body that arrived together with its head, which needs neither a decoder nor a deadline; nil for any
    /// other body.
    func takeWholeBody(of exchange: HTTPExchange) -> [UInt8]? {
        guard self.exchange === exchange, phase == .serving, case .fixed(let length) = exchange.bodyLength,
            length == pending.count, length <= exchange.bodyLimit
        else { return nil }
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        exchange.isRequestComplete = true
        exchange.bytesReceived = bytes.count
        channel.startReading()
        return bytes
    }

    func feedBody(of exchange: HTTPExchange, _ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        do throws(HTTPSyntaxError) {
            while let body = exchange.incoming {
                switch try body.decoder.next(bytes, &offset) {
                case .data(let range):
                    exchange.bytesReceived += range.count
                    body.sink.receive(UnsafeRawBufferPointer(rebasing: bytes[range]))
                case .needsMore: return
                case .end:
                    exchange.isRequestComplete = true
                    exchange.incoming = nil
                    bodyTimer?.cancel()
                    // The body's reader can have paused at the very end, but it does not read later bytes.
                    channel.startReading()
                    body.sink.finish(.complete)
                }
            }
        } catch {
            let sink = exchange.incoming?.sink
            exchange.incoming = nil
            bodyTimer?.cancel()
            sink?.fail(error)
            return
        }
        receiveWhileServing(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
    }

    /// Pauses the body for its reader. Such a pause is not a delay by the client.
    func pauseBody(of exchange: HTTPExchange) {
        guard self.exchange === exchange, exchange.incoming != nil else { return }
        stopReadingBody()
    }

    func resumeBody(of exchange: HTTPExchange) {
        guard self.exchange === exchange, let body = exchange.incoming else { return }
        body.pace = BodyPace(startingAt: loop.now)
        scheduleBodyTimer(after: limits.bodyCheckInterval)
        channel.startReading()
    }

    // MARK: Deadlines

    /// Stops reading the body. The rest waits in the socket, where it hides a disconnect, so a timer checks for one.
    /// The check cannot see a disconnect while the socket's buffer is full.
    func stopReadingBody() {
        channel.stopReading()
        scheduleBodyTimer(after: limits.departureCheckInterval)
    }

    private func scheduleBodyTimer(after nanoseconds: UInt64) {
        let timer = bodyTimer ?? LoopTimer(loop: loop) { [unowned self] in bodyTimerFired() }
        bodyTimer = timer
        timer.schedule(afterNanoseconds: nanoseconds)
    }

    /// Returns whether the unread bytes can be the rest of the body. Its client has then only ended its side of the
    /// connection, and still waits for the response.
    private func mayEndBody(of exchange: HTTPExchange, _ unread: Int) -> Bool {
        guard !exchange.isRequestComplete, unread > 0 else { return false }
        // Encrypted or chunked data is longer than the rest of the body.
        guard case .fixed(let length) = exchange.bodyLength else { return true }
        return unread >= length - exchange.bytesReceived - pending.count
    }

    private func bodyTimerFired() {
        guard let exchange else { return }
        guard channel.isReading else {
            if let unread = channel.unreadOfDeparted, !mayEndBody(of: exchange, unread) { return leave(.clientGone) }
            return scheduleBodyTimer(after: limits.departureCheckInterval)
        }
        guard let body = exchange.incoming else { return }
        let received = exchange.bytesReceived
        guard body.pace.isTooSlow(received: received, at: loop.now, timeout: limits.bodyTimeout) else {
            return scheduleBodyTimer(after: limits.bodyCheckInterval)
        }
        exchange.incoming = nil
        body.sink.fail(HTTPSyntaxError.bodyTimeout)
    }
}

/// Pace at which a request's body arrives. Pure; instants are monotonic nanoseconds.
struct BodyPace {
    private let startedAt: UInt64

    /// Minimum pace. A slower body would hold a connection for as long as the whole deadline.
    static let octetsPerSecond = 1024

    init(startingAt now: UInt64) { startedAt = now }

    /// Returns whether the body has missed its deadline, or is slower than the minimum pace.
    ///
    /// - Parameters:
    ///   - received: bytes of the body so far.
    ///   - timeout: the timeout of the whole body, in nanoseconds.
    func isTooSlow(received: Int, at now: UInt64, timeout: UInt64) -> Bool {
        let elapsed = now - startedAt
        return elapsed >= timeout || received < Int(elapsed / 1_000_000_000) * BodyPace.octetsPerSecond
    }
}
