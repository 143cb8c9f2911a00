internal import CHeadgate
package import HeadgateEventLoop
internal import HeadgateLibC

/// Owner of a channel. All methods are called on the loop, and none after ``ByteChannel/close()``, which an owner must
/// call before it is released.
package protocol ByteChannelOwner: AnyObject {
    /// The TLS handshake is complete. Not called on a plain channel.
    func channelSecured()
    /// - Parameter bytes: bytes that are valid only during the call.
    func channelReceived(_ bytes: UnsafeRawBufferPointer)
    /// The peer sent FIN, after its close_notify if there is TLS.
    func channelEnded()
    /// Nothing more will arrive, and the end was not clean.
    func channelFailed(_ failure: ChannelFailure)
    /// The output queue became empty, or fell to the low-water mark after it had been above it.
    func channelDrained()
    /// The deadline that the owner set on the channel has passed.
    func channelDeadlinePassed()
}

extension ByteChannelOwner {
    package func channelSecured() {}
    package func channelDeadlinePassed() {}
}

/// Reason why a connection is dead.
package enum ChannelFailure: Error {
    /// The connection was reset, or a write failed; an errno.
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

/// Connected, non-blocking stream socket, plain or inside TLS, with a write queue that its owner bounds.
///
/// Bytes written during one callback of the loop are sent with one `send` at its end. They are not delayed further, and
/// need no call per piece. The channel's deadline belongs to its owner.
package final class ByteChannel: SocketWatch, TickEnd, SocketEventTarget {
    // Package properties are computed from private state, since the compiler can prove more about private state, and
    // checks it less at run time.
    /// Number of the owner's bytes that the kernel, or TLS, has accepted so far.
    package var bytesSent: Int { taken }
    package var isOpen: Bool { isUsable }
    /// Count that changes when the peer takes bytes. The kernel can hold many bytes of a slow reader for a long time.
    /// Costs a system call.
    package var bytesTaken: Int { taken - Int(headgate_unacknowledged(stream.descriptor)) }
    /// Whether bytes can still be sent to the peer; false once the route or the local address is gone. Costs six system
    /// calls.
    package var hasRoute: Bool { headgate_has_route(stream.descriptor) }

    /// Maximum number of bytes that can still be read from a peer that sends no more; nil while it might send. While
    /// reading is stopped, nothing else reports the peer's end. Costs two system calls.
    package var unreadOfDeparted: Int? {
        switch headgate_unread_of_departed(stream.descriptor) {
        case -1: nil
        case let unread where unread >= 0: stream.holdsBytes ? .max : Int(unread)
        default: 0
        }
    }

    /// Owner, which is neither retained nor counted. It closes its channel before it is released, in its `deinit` at
    /// the latest.
    private unowned(unsafe) var owner: (any ByteChannelOwner)?
    private let stream: SocketStream
    private var writeEvent: SocketEvent?
    /// Timer that reads bytes which TLS already holds, since no event will report them.
    private var rereading: LoopTimer?
    private var isUsable = true
    @exclusivity(unchecked) package private(set) var isReading = false
    private var taken = 0
    @exclusivity(unchecked) private var queue = WriteQueue()
    /// Number of bytes in the queue.
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
    ///   - tls: a session on that socket whose handshake has not begun. Nothing is sent or received before the
    ///     handshake is complete.
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
        // The number of a closed descriptor can belong to another connection by now.
        guard isUsable else { return }
        if !isReading {
            isReading = true
            watch()
        }
        if stream.holdsBytes { readAgain() }
    }

    /// Stops reading. TCP slows the peer down, but a FIN or RST is not noticed either until reading starts again; see
    /// ``unreadOfDeparted``.
    package func stopReading() {
        isReading = false
        unwatch()
    }

    private func readAgain() {
        let timer = rereading ?? LoopTimer(loop: loop) { [unowned self] in if isReading { readable() } }
        rereading = timer
        timer.schedule(after: .zero)
    }

    /// Waits until the socket is writable, which most channels never need.
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
        // Without bytes to send, only TLS waits here, and only while it needs to.
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

    /// Reads the available bytes, at most as many as the loop's buffer holds.
    private func receive() {
        guard isUsable, isReading else { return }
        let buffer = loop.readBuffer
        var filled = 0
        reading: while filled < buffer.count {
            switch stream.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])) {
            case .bytes(let count):
                filled += count
                // Only TLS can hold more than one read returns.
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

    /// Number of written bytes that are not with the kernel yet.
    package var queuedBytes: Int { queued }

    /// Whether a TLS handshake is incomplete. Nothing is sent before it is complete.
    package var isHandshaking: Bool { stream.isHandshaking }

    package var canSend: Bool { isUsable && sendFailure == nil }

    /// Appends to the queue, which is sent at the end of the current callback.
    package func write(_ append: (inout [UInt8]) -> Void) {
        guard canSend, !closesWhenDrained else { return }
        queue.append(on: loop, append)
        queued = queue.count
        noteQueued()
    }

    /// Appends to the queue. Large bytes are shared, not copied.
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
                // TLS needs bytes of the peer, even while the owner wants none. A pause is too short for this to
                // matter.
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

    /// Closes the channel at once and permanently. Queued bytes are lost.
    package func close() {
        guard isUsable else { return }
        let isWhole = queued == 0 && canSend
        isUsable = false
        isReading = false
        cancelDeadline()
        // Both events are removed before the descriptor is closed, since its number can be reused immediately.
        unwatch()
        dropOutput()
        stream.close(saysGoodbye: isWhole)
        owner = nil
    }

    /// Closes the channel so that the peer sees a reset.
    package func reset() {
        guard isUsable else { return }
        headgate_reset_on_close(stream.descriptor)
        sendFailure = .system(ECONNRESET)
        close()
    }
}
