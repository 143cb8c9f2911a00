internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// One connection to an upstream: at rest in its pool, or carrying one transfer.
final class UpstreamConnection: ByteChannelOwner {
    let channel: ByteChannel
    private unowned let pool: UpstreamPool
    private var transfer: UpstreamTransfer?
    private(set) lazy var timer = LoopTimer(loop: channel.loop) { [unowned self] in timerFired() }
    /// Whether an earlier exchange used it: only then may its death before a reply byte mean nothing but old age.
    private(set) var isReused = false

    init(descriptor: Int32, pool: UpstreamPool) {
        self.pool = pool
        channel = ByteChannel(loop: pool.loop, descriptor: descriptor, lowWaterMark: 64 * 1024)
        channel.open(owner: self)
    }

    /// Carries a transfer from now on and sends its request.
    func carry(_ transfer: UpstreamTransfer, request: [UInt8]) {
        self.transfer = transfer
        channel.write { $0.append(contentsOf: request) }
    }

    /// The transfer is over. Reusable only if both messages ended where their framing said.
    func release(reusable: Bool) {
        transfer = nil
        timer.cancel()
        guard reusable, channel.isOpen, channel.queuedBytes == 0 else { return close() }
        channel.startReading()
        isReused = true
        pool.giveBack(self)
    }

    func rest() { timer.schedule(afterNanoseconds: pool.idleTimeout) }

    func close() {
        transfer = nil
        timer.cancel()
        guard channel.isOpen else { return }
        channel.close()
        pool.remove(self)
    }

    private func timerFired() {
        if let transfer { transfer.deadlinePassed() } else { close() }
    }

    // MARK: ByteChannelOwner

    func channelReceived(_ bytes: UnsafeRawBufferPointer) {
        // At rest nothing may come: what does would be read as the answer to the next request.
        if let transfer { transfer.received(bytes) } else { close() }
    }

    func channelEnded() {
        if let transfer { transfer.ended(detail: "the upstream closed the connection") } else { close() }
    }

    func channelFailed(_ error: Int32) {
        if let transfer { transfer.broke(detail: systemErrorText(error)) } else { close() }
    }

    func channelDrained() {}
}
