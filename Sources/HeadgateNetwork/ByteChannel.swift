internal import CHeadgate
package import HeadgateEventLoop
internal import HeadgateLibC

/// Owner of a channel. All calls come on the loop, none after ``ByteChannel/close()``, which an owner must call before
/// it is released.
package protocol ByteChannelOwner: AnyObject {
    /// The TLS handshake is complete. Not called on a plain channel.
    func channelSecured()
    /// - Parameter bytes: valid during the call only.
    func channelReceived(_ bytes: UnsafeRawBufferPointer)
    /// The peer sent FIN, after its close_notify if there is TLS.
    func channelEnded()
    /// Nothing more will come, and the end was not a clean one.
    func channelFailed(_ failure: ChannelFailure)
    /// The output queue fell to the low-water mark after it had been above it, or became empty.
    func channelDrained()
    /// The deadline that the owner has set on the channel has passed.
    func channelDeadlinePassed()
}

extension ByteChannelOwner {
    package func channelSecured() {}
    package func channelDeadlinePassed() {}
}

/// Why a connection is dead.
package enum ChannelFailure: Error {
    /// The connection was reset, or a write could not succeed; an errno.
    case system(Int32)
    /// The peer ended the connection without the close_notify that TLS requires.
    case cut
    indirect case tls(TLSError)

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
/// Bytes written during one callback of the loop are sent with one `send` at its end: never delayed, never one call per
/// piece. Its deadline is its owner's.
package final class ByteChannel: SocketWatch, TickEnd, SocketEventTarget {
    // Package properties are computed from private state, about which the compiler can prove more, and checks less at
    // run time.
    /// Bytes of the owner accepted by the kernel, or TLS, so far.
    package var bytesSent: Int { taken }
    package var isOpen: Bool { isUsable }
    /// A count that changes when the peer takes something: the kernel may hold much of a slow reader's for long. A
    /// system call.
    package var bytesTaken: Int { taken - Int(headgate_unacknowledged(stream.descriptor)) }
    /// Whether its bytes can still be sent to the peer: false once a route or its own address is gone. Six system
    /// calls.
    package var hasRoute: Bool { headgate_has_route(stream.descriptor) }

    /// How much at most can still be read of a peer that sends no more, which is not heard of while nothing is read;
    /// nil while it may send. Two system calls.
    package var unreadOfDeparted: Int? {
        switch headgate_unread_of_departed(stream.descriptor) {
        case -1: nil
        case let unread where unread >= 0: stream.holdsBytes ? .max : Int(unread)
        default: 0
        }
    }

    /// Neither retained nor counted: an owner closes its channel before it is released, in its `deinit` at the latest.
    private unowned(unsafe) var owner: (any ByteChannelOwner)?
    private let stream: SocketStream
    private var writeEvent: SocketEvent?
    /// Reads again what TLS holds already: no event will come for it.
    private var rereading: LoopTimer?
    private var isUsable = true
    @exclusivity(unchecked) package private(set) var isReading = false
    private var taken = 0
    @exclusivity(unchecked) private var queue = WriteQueue()
    /// Bytes in the queue.
    private var queued = 0
    private var flushIsDue = false
    private var closesWhenDrained = false
    private var outputHasEnded = false
    private let lowWaterMark: Int
    private var wasAboveLowWaterMark = false
    /// Reason why nothing more can be sent. Bytes that the peer sent before are still read, since they can explain it.
    private var sendFailure: ChannelFailure?

    /// Takes over a connected socket.
    ///
    /// - Parameters:
    ///   - tls: a session on that socket whose handshake has not begun; nothing is sent or received before it is
    ///     complete.
    ///   - isTuned: whether the socket has inherited its options from its listener.
    package init(
        loop: EventLoop, descriptor: Int32, tls: TLSSession? = nil, lowWaterMark: Int, isTuned: Bool = false
    ) {
        self.lowWaterMark = lowWaterMark
        stream = SocketStream(descriptor: descriptor, tls: tls)
        super.init(loop: loop, descriptor: descriptor)
        if !isTuned { headgate_disable_delay(descriptor) }
    }

    deinit { close() }

    /// Sets the owner, which is not retained, and begins to read.
    package func open(owner: any ByteChannelOwner) {
        guard isUsable else { return }
        self.owner = owner
        startReading()
        if stream.isHandshaking { handshake() }
    }

    package func startReading() {
        // The number of a closed descriptor may be another connection's by now.
        guard isUsable else { return }
        if !isReading {
            isReading = true
            watch()
        }
        if stream.holdsBytes { readAgain() }
    }

    /// Stops reading: the peer is slowed down by TCP, but a FIN or RST is not seen either until reading starts again;
    /// see ``unreadOfDeparted``.
    package func stopReading() {
        isReading = false
        unwatch()
    }

    private func readAgain() {
        let timer = rereading ?? LoopTimer(loop: loop) { [unowned self] in if isReading { readable() } }
        rereading = timer
        timer.schedule(after: .zero)
    }

    /// Most channels never have to wait for this.
    private func awaitWritable() {
        let event =
            writeEvent
            ?? SocketEvent(loop: loop, descriptor: stream.descriptor, kind: .write, target: self)
        writeEvent = event
        event.add()
    }

    package func socketEventFired(_: SocketEvent) { writable() }

    override package func socketReadable() { readable() }

    override package func deadlinePassed() { owner?.channelDeadlinePassed() }

    private func readable() {
        if stream.isHandshaking { return handshake() }
        if stream.writeWaitsForRead {
            flush()
            if isUsable, !isReading, !stream.writeWaitsForRead { unwatch() }
        }
        receive()
    }

    private func writable() {
        if stream.isHandshaking { return handshake() }
        if stream.readWaitsForWrite { receive() }
        if isUsable, closesWhenDrained, queued == 0 { return endOutput() }
        // Only TLS waits here with nothing to send, and only for as long as it says so.
        if queued > 0 { flush() } else { stopWaitingToWrite() }
    }

    private func handshake() {
        switch stream.handshake() {
        case .bytes:
            writeEvent?.remove()
            owner?.channelSecured()
            guard isUsable else { return }
            flush()
            if isUsable, isReading, stream.holdsBytes { receive() }
        case .wantsRead: writeEvent?.remove()
        case .wantsWrite: awaitWritable()
        case .ended: end(.cut)
        case .failed(let failure): end(failure)
        }
    }

    // MARK: Reading

    /// Reads what is there, as much as the loop's buffer takes.
    private func receive() {
        guard isUsable, isReading else { return }
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
                awaitWritable()
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
        if isUsable, isReading, stream.holdsBytes { readAgain() }
    }

    private func deliver(_ count: Int) {
        guard isUsable, count > 0 else { return }
        owner?.channelReceived(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
    }

    private func end(_ failure: ChannelFailure?) {
        guard isUsable else { return }
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
    package var queuedBytes: Int { queued }

    /// Whether a TLS handshake still has to be completed: until then nothing is sent.
    package var isHandshaking: Bool { stream.isHandshaking }

    package var canSend: Bool { isUsable && sendFailure == nil }

    /// Appends to the queue, which is sent at the end of the current callback.
    package func write(_ append: (inout [UInt8]) -> Void) {
        guard canSend, !closesWhenDrained else { return }
        queue.append(on: loop, append)
        queued = queue.count
        noteQueued()
    }

    /// Appends to the queue; what is large is shared, not copied.
    package func write(whole bytes: [UInt8]) {
        guard canSend, !closesWhenDrained else { return }
        queue.append(whole: bytes, on: loop)
        queued = queue.count
        noteQueued()
    }

    private func noteQueued() {
        guard queued > 0 else { return }
        if queued > lowWaterMark { wasAboveLowWaterMark = true }
        guard !flushIsDue, writeEvent?.isAdded != true else { return }
        flushIsDue = true
        loop.atEndOfTick(self)
    }

    package func tickEnded() {
        flushIsDue = false
        flush()
    }

    private func flush() {
        guard isUsable, queued > 0, !stream.isHandshaking else { return }
        repeat {
            switch queue.transmit(on: stream, loop) {
            case .bytes(let count):
                taken += count
                queued -= count
            case .wantsWrite:
                awaitWritable()
                return
            case .wantsRead:
                writeEvent?.remove()
                // For TLS itself, also while the owner wants no bytes: a pause does not last long enough to matter.
                watch()
                return
            case .ended: return stopSending(.system(EPIPE))
            case .failed(let failure): return stopSending(failure)
            }
        } while queue.isBetweenBuffers
        let left = queued
        if left == 0 {
            stopWaitingToWrite()
            if closesWhenDrained { return endOutput() }
        } else {
            awaitWritable()
        }
        if left == 0 || (wasAboveLowWaterMark && left <= lowWaterMark) {
            wasAboveLowWaterMark = left > lowWaterMark
            owner?.channelDrained()
        }
    }

    /// Drops queued bytes that are no longer needed.
    package func dropOutput() {
        stopWaitingToWrite()
        queue.clear(loop)
        queued = 0
    }

    private func stopWaitingToWrite() {
        if !stream.readWaitsForWrite || !isUsable { writeEvent?.remove() }
    }

    /// Stops sending, because the peer accepts no more bytes. The owner is notified when reading ends, which a reset
    /// causes at once.
    private func stopSending(_ failure: ChannelFailure) {
        sendFailure = failure
        dropOutput()
        startReading()
    }

    // MARK: Ending

    /// Sends FIN once the kernel has everything written, and reports it by `channelDrained`, at once if nothing is
    /// queued. Reading continues.
    package func endOutputWhenDrained() {
        guard isUsable else { return }
        closesWhenDrained = true
        if queued == 0 { endOutput() }
    }

    private func endOutput() {
        guard !outputHasEnded else { return }
        guard stream.endOutput() else {
            awaitWritable()
            return
        }
        outputHasEnded = true
        writeEvent?.remove()
        owner?.channelDrained()
    }

    /// Closes at once and for good; what is queued is lost.
    package func close() {
        guard isUsable else { return }
        let isWhole = queued == 0 && canSend
        isUsable = false
        isReading = false
        cancelDeadline()
        // Both events go before the descriptor: the number may be in use again in the next moment.
        unwatch()
        dropOutput()
        stream.close(saysGoodbye: isWhole)
        owner = nil
    }

    /// Closes so that the peer sees a reset.
    package func reset() {
        guard isUsable else { return }
        headgate_reset_on_close(stream.descriptor)
        sendFailure = .system(ECONNRESET)
        close()
    }
}
