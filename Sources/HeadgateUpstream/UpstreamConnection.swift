internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// One connection to an upstream: being secured, at rest in its pool, or carrying one transfer.
final class UpstreamConnection: ByteChannelOwner {
    let channel: ByteChannel
    private unowned let pool: UpstreamPool
    private var transfer: UpstreamTransfer?
    private var sentBefore = 0
    /// Whether any byte of the request that it carries has been sent.
    var hasSentRequest: Bool { channel.bytesSent > sentBefore }
    /// Whether it is in its pool.
    var isResting = false
    /// An instant of the loop.
    @exclusivity(unchecked) var restingSince: UInt64 = 0
    /// Called at the end of the handshake.
    private var secured: ((TransportError?) -> Void)?
    var timer: LoopDeadline { channel }
    /// Whether an earlier exchange used it: only then may an end before the first response byte just be an idle
    /// timeout.
    private(set) var isReused = false

    init(descriptor: Int32, tls: TLSSession?, pool: UpstreamPool) {
        self.pool = pool
        channel = ByteChannel(loop: pool.loop, descriptor: descriptor, tls: tls, lowWaterMark: 64 * 1024)
        if tls == nil { channel.open(owner: self) }
    }

    deinit { channel.close() }

    /// Does the TLS handshake, whose failure closes the connection.
    ///
    /// - Parameters:
    ///   - deadline: an instant of the loop.
    ///   - completion: is called once, unless the connection is closed before; perhaps before this returns.
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

    /// Carries a transfer from now on and sends its request.
    ///
    /// - Parameters:
    ///   - head: the head of the request.
    ///   - fieldLines: the fields of the request alone.
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

    /// The transfer is over. Reusable only if both messages ended where their framing said.
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
        // An idle connection must not receive bytes: they would be read as the response to the next request.
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
