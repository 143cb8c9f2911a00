internal import CHeadgate
internal import Glibc
package import HeadgateEventLoop

/// What a channel tells its owner. All calls come on the loop, none after ``ByteChannel/close()``.
package protocol ByteChannelOwner: AnyObject {
    /// The TLS handshake is complete. Not called on a plain channel.
    func channelSecured()
    /// - Parameter bytes: valid during the call only.
    func channelReceived(_ bytes: UnsafeRawBufferPointer)
    /// The peer sent FIN, after its close_notify where there is TLS.
    func channelEnded()
    /// Nothing more will come, and the end was not a clean one.
    func channelFailed(_ failure: ChannelFailure)
    /// The output queue fell to the low-water mark after it had been above it, or became empty.
    func channelDrained()
}

extension ByteChannelOwner {
    package func channelSecured() {}
}

/// Why a connection is dead.
package enum ChannelFailure: Error {
    /// The connection was reset, or a write could not succeed; an errno.
    case system(Int32)
    /// The peer ended the connection without the close_notify that TLS asks for.
    case cut
    case tls(TLSError)

    package var explanation: String {
        switch self {
        case .system(let error): systemErrorText(error)
        case .cut: "the connection ended without a TLS close_notify"
        case .tls(let error): error.description
        }
    }
}

/// A connected, non-blocking stream socket, plain or inside TLS, with a bounded-by-its-owner write queue.
///
/// What is written during one callback of the loop goes out in one `send` at its end: never delayed, never one call per piece.
package final class ByteChannel: TickEnd {
    package let loop: EventLoop
    /// Not kept alive: whoever owns a channel closes it before it goes itself.
    package private(set) unowned var owner: (any ByteChannelOwner)?
    /// Bytes of the owner that the kernel, or TLS, has taken so far.
    package private(set) var bytesSent = 0
    package private(set) var isOpen = true

    private var stream: SocketStream
    private var readEvent: SocketEvent?
    private var writeEvent: SocketEvent?
    /// Reads again what TLS holds already: no event will come for it.
    private lazy var rereading = LoopTimer(loop: loop) { [unowned self] in
        if isReading { readable() }
    }
    private var isReading = false
    private var output: [UInt8] = []
    private var sent = 0
    private var flushIsDue = false
    private var closesWhenDrained = false
    private var outputHasEnded = false
    private var lowWaterMark = 0
    private var wasAboveLowWaterMark = false
    /// Why nothing can be sent any more. What the peer sent before is still read: it may be the reason.
    private var sendFailure: ChannelFailure?

    /// Takes over a connected socket.
    ///
    /// - Parameter tls: a session on that socket whose handshake has not begun; nothing is sent or received before it is complete.
    package init(loop: EventLoop, descriptor: Int32, tls: TLSSession? = nil, lowWaterMark: Int) {
        self.loop = loop
        self.lowWaterMark = lowWaterMark
        stream = SocketStream(descriptor: descriptor, tls: tls)
        headgate_tune_stream(descriptor)
    }

    deinit { close() }

    /// Sets the owner, which is not kept alive, and begins to read.
    package func open(owner: any ByteChannelOwner) {
        self.owner = owner
        let descriptor = stream.descriptor
        readEvent = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [unowned self] in readable() }
        writeEvent = SocketEvent(loop: loop, descriptor: descriptor, kind: .write) { [unowned self] in writable() }
        startReading()
        if stream.isHandshaking { handshake() }
    }

    package func startReading() {
        isReading = true
        readEvent?.add()
        if stream.holdsBytes { rereading.schedule(after: .zero) }
    }

    /// Stops reading: the peer is slowed down by TCP, but a FIN or RST is not seen either until reading starts again.
    package func stopReading() {
        isReading = false
        readEvent?.remove()
    }

    private func readable() {
        if stream.isHandshaking { return handshake() }
        if stream.writeWaitsForRead {
            flush()
            if isOpen, !isReading, !stream.writeWaitsForRead { readEvent?.remove() }
        }
        receive()
    }

    private func writable() {
        if stream.isHandshaking { return handshake() }
        if stream.readWaitsForWrite { receive() }
        if isOpen, closesWhenDrained, queuedBytes == 0 { return endOutput() }
        flush()
    }

    private func handshake() {
        switch stream.handshake() {
        case .bytes:
            writeEvent?.remove()
            owner?.channelSecured()
            guard isOpen else { return }
            flush()
            if isOpen, isReading, stream.holdsBytes { receive() }
        case .wantsRead: writeEvent?.remove()
        case .wantsWrite: writeEvent?.add()
        case .ended: end(.cut)
        case .failed(let failure): end(failure)
        }
    }

    // MARK: Reading

    /// Reads what is there, as much as the loop's buffer takes.
    private func receive() {
        guard isOpen, isReading else { return }
        let buffer = loop.readBuffer
        var filled = 0
        reading: while filled < buffer.count {
            switch stream.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])) {
            case .bytes(let count):
                filled += count
                // Only TLS has more than one read gives.
                guard stream.holdsBytes else { break reading }
            case .wantsRead: break reading
            case .wantsWrite:
                writeEvent?.add()
                break reading
            case .ended:
                deliver(filled)
                return end(nil)
            case .failed(let failure):
                deliver(filled)
                return end(failure)
            }
        }
        deliver(filled)
        if isOpen, isReading, stream.holdsBytes { rereading.schedule(after: .zero) }
    }

    private func deliver(_ count: Int) {
        guard isOpen, count > 0 else { return }
        owner?.channelReceived(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
    }

    private func end(_ failure: ChannelFailure?) {
        guard isOpen else { return }
        stopReading()
        if let failure = sendFailure ?? failure {
            writeEvent?.remove()
            owner?.channelFailed(failure)
        } else {
            owner?.channelEnded()
        }
    }

    // MARK: Writing

    /// Bytes that were written and are not yet with the kernel.
    package var queuedBytes: Int { output.count - sent }

    /// Whether a TLS handshake still has to be completed: until then nothing is sent.
    package var isHandshaking: Bool { stream.isHandshaking }

    package var canSend: Bool { isOpen && sendFailure == nil }

    /// Appends to the queue, which is sent at the end of the current callback.
    package func write(_ append: (inout [UInt8]) -> Void) {
        guard canSend, !closesWhenDrained else { return }
        if output.isEmpty {
            sent = 0
            output = loop.borrowBuffer()
        }
        append(&output)
        if queuedBytes > lowWaterMark { wasAboveLowWaterMark = true }
        guard !flushIsDue, writeEvent?.isAdded != true else { return }
        flushIsDue = true
        loop.atEndOfTick(self)
    }

    package func tickEnded() {
        flushIsDue = false
        flush()
    }

    private func flush() {
        guard isOpen, queuedBytes > 0, !stream.isHandshaking else { return }
        let progress = output.withUnsafeBytes { stream.transmit(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        switch progress {
        case .bytes(let count):
            sent += count
            bytesSent += count
        case .wantsWrite:
            writeEvent?.add()
            return
        case .wantsRead:
            writeEvent?.remove()
            // For TLS itself, also while the owner wants no bytes: a pause does not last long enough to matter.
            readEvent?.add()
            return
        case .ended: return stopSending(.system(EPIPE))
        case .failed(let failure): return stopSending(failure)
        }
        if queuedBytes == 0 {
            dropOutput()
            if closesWhenDrained { return endOutput() }
        } else {
            writeEvent?.add()
            // A queue that stays long must not keep what was sent long ago; half of it at least goes in each move.
            if sent > 256 * 1024, sent > output.count / 2 {
                output.removeFirst(sent)
                sent = 0
            }
        }
        if queuedBytes == 0 || (wasAboveLowWaterMark && queuedBytes <= lowWaterMark) {
            wasAboveLowWaterMark = queuedBytes > lowWaterMark
            owner?.channelDrained()
        }
    }

    /// Forgets what is queued: nobody wants it any more.
    package func dropOutput() {
        if !stream.readWaitsForWrite || !isOpen { writeEvent?.remove() }
        loop.recycle(output)
        output = []
        sent = 0
    }

    /// The peer takes nothing any more. The owner hears of it when reading has come to its end, which a reset brings about at once.
    private func stopSending(_ failure: ChannelFailure) {
        sendFailure = failure
        dropOutput()
        startReading()
    }

    // MARK: Ending

    /// Sends FIN once everything written is with the kernel, and says so by `channelDrained`, at once if nothing is queued; reading
    /// goes on.
    package func endOutputWhenDrained() {
        guard isOpen else { return }
        closesWhenDrained = true
        if queuedBytes == 0 { endOutput() }
    }

    private func endOutput() {
        guard !outputHasEnded else { return }
        guard stream.endOutput() else {
            writeEvent?.add()
            return
        }
        outputHasEnded = true
        writeEvent?.remove()
        owner?.channelDrained()
    }

    /// Closes at once and for good; what is queued is lost.
    package func close() {
        guard isOpen else { return }
        let isWhole = queuedBytes == 0 && canSend
        isOpen = false
        isReading = false
        // Both events go before the descriptor: the number may be in use again in the next moment.
        readEvent?.remove()
        dropOutput()
        stream.close(saysGoodbye: isWhole)
        owner = nil
    }

    /// Closes so that the peer sees a reset.
    package func reset() {
        guard isOpen else { return }
        headgate_reset_on_close(stream.descriptor)
        sendFailure = .system(ECONNRESET)
        close()
    }
}
