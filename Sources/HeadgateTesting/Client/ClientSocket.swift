internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateNetwork

/// The loop's side of a test connection: hands on what comes. Loop-confined.
final class ClientSocket: ByteChannelOwner {
    enum Arrival: Sendable {
        /// With the monotonic nanoseconds at which they came.
        case bytes([UInt8], at: UInt64)
        case fin
        /// The system's words.
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

    /// FIN, after what has been sent.
    func halfClose() { channel.endOutputWhenDrained() }

    /// FIN, and the end of reading.
    func close() {
        guard channel.isOpen else { return }
        // FIN is sent separately, since closing with unread bytes would send only a reset.
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
