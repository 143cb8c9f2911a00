internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// Connection to an upstream: being secured, idle in its pool, or carrying one transfer.
final class UpstreamConnection: ByteChannelOwner {
    let channel: ByteChannel
    private unowned let pool: UpstreamPool
    private var transfer: UpstreamTransfer?
    private var sentBefore = 0
    /// Whether any byte of the current request has been sent.
    var hasSentRequest: Bool { channel.bytesSent > sentBefore }
    /// Whether the connection is idle in its pool.
    var isResting = false
    /// Start of the idle time, an instant of the loop.
    @exclusivity(unchecked) var restingSince: UInt64 = 0
    /// Completion of the handshake.
    private var secured: ((TransportError?) -> Void)?
    var timer: LoopDeadline { channel }
    /// Whether an earlier exchange used the connection. Only then can an end before the first response byte be a mere
    /// idle timeout.
    private(set) var isReused = false

    init(descriptor: Int32, tls: TLSSession?, pool: UpstreamPool) {
        self.pool = pool
        channel = ByteChannel(loop: pool.loop, descriptor: descriptor, tls: tls, lowWaterMark: 64 * 1024)
        if tls == nil { channel.open(owner: self) }
    }

    deinit { channel.close() }

    /// Performs the TLS handshake, whose failure closes the connection.
    ///
    /// - Parameters:
    ///   - deadline: an instant of the loop.
    ///   - completion: called once, perhaps before this returns; not called if the connection is closed before.
    func secure(before deadline: UInt64, completion: @escaping (TransportError?) -> Void) {
        secured = completion
        timer.schedule(at: deadline)
        channel.open(owner: self)
    }

    private func finishSecuring(_ failure: TransportError?) {
        let completion = secured
        secured = nil
        timer.cancelDeadline()
        if failure != nil { close() }
        completion?(failure)
    }

    /// Starts to carry a transfer, and sends its request.
    ///
    /// - Parameters:
    ///   - head: the head of the request.
    ///   - fieldLines: encoded header lines of this request only.
    func carry(
        _ transfer: UpstreamTransfer, _ head: OutgoingHead, _ fieldLines: [UInt8], _ content: OutgoingBody?
    ) {
        self.transfer = transfer
        sentBefore = channel.bytesSent
        channel.write { output in
            HeadEncoder.append(head, fieldLines, framing: .init(of: content), to: &output)
        }
        if case .bytes(let body)? = content { channel.write(whole: body) }
    }

    /// Ends the transfer.
    ///
    /// - Parameter reusable: whether both messages ended where their framing said.
    func release(reusable: Bool) {
        transfer = nil
        timer.cancelDeadline()
        guard reusable, channel.canSend, channel.queuedBytes == 0 else { return close() }
        channel.startReading()
        isReused = true
        pool.giveBack(self)
    }

    func rest(since now: UInt64) {
        restingSince = now
        timer.schedule(afterNanoseconds: UpstreamPool.idleTimeout)
    }

    func close() {
        transfer = nil
        secured = nil
        timer.cancelDeadline()
        guard channel.isOpen else { return }
        channel.close()
        pool.remove(self)
    }

    func channelDeadlinePassed() {
        if let transfer { return transfer.deadlinePassed() }
        guard secured != nil else { return close() }
        finishSecuring(TransportError(.connectTimeout, "the TLS handshake took too long"))
    }

    // MARK: ByteChannelOwner

    func channelSecured() { finishSecuring(nil) }

    func channelReceived(_ bytes: UnsafeRawBufferPointer) {
        // An idle connection must not receive bytes, which would be read as the response to the next request.
        if let transfer { transfer.received(bytes) } else { close() }
    }

    func channelEnded() {
        if let transfer { transfer.ended(detail: "the upstream closed the connection") } else { close() }
    }

    func channelFailed(_ failure: ChannelFailure) {
        if secured != nil {
            finishSecuring(TransportError(.tls, failure.explanation))
        } else if let transfer {
            transfer.broke(detail: failure.explanation)
        } else {
            close()
        }
    }

    func channelDrained() { transfer?.drained() }
}

extension HeadEncoder.Framing {
    fileprivate init(of body: OutgoingBody?) {
        self =
            switch body {
            case nil: .none
            case .bytes(let bytes)?: .fixed(bytes.count)
            case .stream(let streamed)?: streamed.length.map { .fixed($0) } ?? .chunked
            }
    }
}
