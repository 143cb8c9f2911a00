internal import HeadgateEventLoop

/// Bytes to send to a socket. Small pieces are gathered in one buffer of the loop; large ones are shared with their
/// writer.
struct WriteQueue {
    private var output: [UInt8] = []
    private var sent = 0
    /// Large bytes of the owner, which are sent after ``output`` and not copied.
    private var following: [UInt8] = []
    /// Whether ``output`` is such bytes. Moving their rest would be the copy that sharing saves.
    private var isShared = false
    private static let sharedAbove = 64 * 1024

    /// Number of bytes not yet sent.
    private(set) var count = 0

    mutating func append(on loop: EventLoop, _ write: (inout [UInt8]) -> Void) {
        if output.isEmpty { output = loop.borrowBuffer() }
        if !following.isEmpty {
            output.append(contentsOf: following)
            following = []
        }
        write(&output)
        count = output.count - sent
        if output.isEmpty { recycle(on: loop) }
    }

    mutating func append(whole bytes: [UInt8], on loop: EventLoop) {
        guard bytes.count > WriteQueue.sharedAbove, following.isEmpty else {
            return append(on: loop) { $0.append(contentsOf: bytes) }
        }
        following = bytes
        count += bytes.count
    }

    /// Sends as many contiguous bytes as the socket takes.
    mutating func transmit(on stream: SocketStream, _ loop: EventLoop) -> StreamProgress {
        if sent == output.count {
            recycle(on: loop)
            swap(&output, &following)
            isShared = true
            sent = 0
        }
        let sent = sent
        let progress = output.withUnsafeBytes { stream.transmit(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if case .bytes(let moved) = progress { advance(moved, loop) }
        return progress
    }

    /// Whether more bytes can be tried at once, because the previous buffer was sent completely.
    var isBetweenBuffers: Bool { sent == output.count && !following.isEmpty }

    private mutating func advance(_ moved: Int, _ loop: EventLoop) {
        sent += moved
        count -= moved
        if count == 0 { return clear(loop) }
        // A long queue must not keep bytes that were sent long ago. At least half of it is removed in each move.
        guard sent > 256 * 1024, sent > output.count / 2, sent < output.count, !isShared else { return }
        output.removeFirst(sent)
        sent = 0
    }

    private mutating func recycle(on loop: EventLoop) {
        // The buffer is moved, since the memory of a shared buffer cannot be reused.
        let used = output
        output = []
        loop.recycle(used)
    }

    /// Drops the bytes that have not been sent.
    mutating func clear(_ loop: EventLoop) {
        recycle(on: loop)
        following = []
        isShared = false
        sent = 0
        count = 0
    }
}
