internal import CHeadgate
internal import Glibc
package import HeadgateEventLoop

/// What a channel tells its owner. All calls come on the loop, none after ``ByteChannel/close()``.
package protocol ByteChannelOwner: AnyObject {
    /// - Parameter bytes: valid during the call only.
    func channelReceived(_ bytes: UnsafeRawBufferPointer)
    /// The peer sent FIN.
    func channelEnded()
    /// The connection is dead: reset, or a write that can never succeed. `error` is an errno.
    func channelFailed(_ error: Int32)
    /// The output queue fell to the low-water mark after it had been above it, or became empty.
    func channelDrained()
}

/// A connected, non-blocking stream socket with a bounded-by-its-owner write queue.
///
/// What is written during one callback of the loop goes out in one `send` at its end: never delayed, never one call per piece. Only
/// ``receive(into:)`` and ``transmit(_:)`` touch the descriptor, so that an encrypted channel differs in these two alone.
package final class ByteChannel: TickEnd {
    package let loop: EventLoop
    /// Not kept alive: whoever owns a channel closes it before it goes itself.
    package private(set) unowned var owner: (any ByteChannelOwner)?
    /// Bytes that the kernel has taken so far.
    package private(set) var bytesSent = 0
    package private(set) var isOpen = true

    private let descriptor: Int32
    private var readEvent: SocketEvent?
    private var writeEvent: SocketEvent?
    private var output: [UInt8] = []
    private var sent = 0
    private var flushIsDue = false
    private var closesWhenDrained = false
    private var lowWaterMark = 0
    private var wasAboveLowWaterMark = false

    /// Takes over a connected socket.
    package init(loop: EventLoop, descriptor: Int32, lowWaterMark: Int) {
        self.loop = loop
        self.descriptor = descriptor
        self.lowWaterMark = lowWaterMark
        headgate_tune_stream(descriptor)
    }

    deinit { close() }

    /// Sets the owner, which is not kept alive, and begins to read.
    package func open(owner: any ByteChannelOwner) {
        self.owner = owner
        readEvent = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [unowned self] in readable() }
        writeEvent = SocketEvent(loop: loop, descriptor: descriptor, kind: .write) { [unowned self] in flush() }
        startReading()
    }

    package func startReading() { readEvent?.add() }

    /// Stops reading: the peer is slowed down by TCP, but a FIN or RST is not seen either until reading starts again.
    package func stopReading() { readEvent?.remove() }

    // MARK: Writing

    /// Bytes that were written and are not yet with the kernel.
    package var queuedBytes: Int { output.count - sent }

    /// Appends to the queue, which is sent at the end of the current callback.
    package func write(_ append: (inout [UInt8]) -> Void) {
        guard isOpen, !closesWhenDrained else { return }
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
        guard isOpen, queuedBytes > 0 else { return }
        let written = output.withUnsafeBytes { transmit(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if written < 0 {
            guard written == -EAGAIN || written == -EINTR else { return fail(Int32(-written)) }
            writeEvent?.add()
            return
        }
        sent += written
        bytesSent += written
        if queuedBytes == 0 {
            writeEvent?.remove()
            loop.recycle(output)
            output = []
            sent = 0
        } else {
            writeEvent?.add()
            // A queue that stays long must not keep what was sent long ago.
            if sent > 256 * 1024 {
                output.removeFirst(sent)
                sent = 0
            }
        }
        if queuedBytes == 0, closesWhenDrained { return endOutput() }
        if queuedBytes == 0 || (wasAboveLowWaterMark && queuedBytes <= lowWaterMark) {
            wasAboveLowWaterMark = queuedBytes > lowWaterMark
            owner?.channelDrained()
        }
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
        shutdown(descriptor, Int32(SHUT_WR))
        owner?.channelDrained()
    }

    /// Closes at once and for good; what is queued is lost.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        // Both events go before the descriptor: the number may be in use again in the next moment.
        readEvent?.remove()
        writeEvent?.remove()
        Glibc.close(descriptor)
        loop.recycle(output)
        output = []
        sent = 0
        owner = nil
    }

    /// Closes so that the peer sees a reset.
    package func reset() {
        guard isOpen else { return }
        headgate_reset_on_close(descriptor)
        close()
    }

    private func fail(_ error: Int32) {
        let owner = owner
        owner?.channelFailed(error)
    }

    // MARK: The descriptor

    private func readable() {
        let buffer = loop.readBuffer
        let count = receive(into: buffer)
        if count > 0 {
            owner?.channelReceived(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 {
            stopReading()
            owner?.channelEnded()
        } else if count != -EAGAIN, count != -EINTR {
            stopReading()
            fail(Int32(-count))
        }
    }

    /// Bytes read, 0 at the peer's FIN, or a negative errno.
    private func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return count < 0 ? -Int(errno) : count
    }

    /// Bytes taken by the kernel, or a negative errno.
    private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        return count < 0 ? -Int(errno) : count
    }
}
