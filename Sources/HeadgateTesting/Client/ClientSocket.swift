internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateNetwork

/// The part of a test connection that runs on the loop, which passes arriving data on. Confined to its loop.
final class ClientSocket: ByteChannelOwner {
    enum Arrival: Sendable {
        /// Bytes, with the monotonic time of their arrival in nanoseconds.
        case bytes([UInt8], at: UInt64)
        case fin
        /// The connection broke; the text is the system's message.
        case broken(String)
    }

    private let channel: ByteChannel
    private let arrivals: Mailbox<Arrival>

    init(descriptor: Int32, tls: TLSSession?, loop: EventLoop, arrivals: Mailbox<Arrival>) {
        self.arrivals = arrivals
        channel = ByteChannel(loop: loop, descriptor: descriptor, tls: tls, lowWaterMark: 64 * 1024)
        loop.load.increment()
    }

    deinit { channel.close() }

    func open() { channel.open(owner: self) }

    func send(_ bytes: [UInt8]) { channel.write { $0.append(contentsOf: bytes) } }

    func startReading() { if channel.isOpen { channel.startReading() } }

    func stopReading() { if channel.isOpen { channel.stopReading() } }

    /// Sends a FIN after the bytes that have been sent.
    func halfClose() { channel.endOutputWhenDrained() }

    /// Sends a FIN and ends reading.
    func close() {
        guard channel.isOpen else { return }
        // FIN is sent separately, because closing with unread bytes would send only a reset.
        if channel.queuedBytes == 0 { channel.endOutputWhenDrained() }
        channel.close()
        didClose()
    }

    func reset() {
        guard channel.isOpen else { return }
        channel.reset()
        didClose()
    }

    private func didClose() {
        channel.loop.load.decrement()
        arrivals.close()
    }

    // MARK: ByteChannelOwner

    func channelReceived(_ bytes: UnsafeRawBufferPointer) {
        arrivals.post(.bytes(Array(bytes), at: headgate_monotonic_nanoseconds()))
    }

    func channelEnded() { arrivals.post(.fin) }

    func channelFailed(_ failure: ChannelFailure) {
        arrivals.post(.broken(failure.explanation))
        close()
    }

    func channelDrained() {}
}
