internal import HeadgateLibC

/// Result of one attempt to move bytes.
enum StreamProgress {
    /// Bytes moved, at least one; 0 for a handshake that is complete.
    case bytes(Int)
    /// Try again when the socket is readable.
    case wantsRead
    /// Try again when the socket is writable.
    case wantsWrite
    /// The peer has ended its side.
    case ended
    case failed(ChannelFailure)
}

/// Bytes of a connected socket, plain or through a TLS session. This is the only place where the two differ.
struct SocketStream {
    let descriptor: Int32
    private let tls: TLSSession?

    init(descriptor: Int32, tls: TLSSession?) {
        self.descriptor = descriptor
        self.tls = tls
    }

    var isHandshaking: Bool { tls.map { !$0.isEstablished } ?? false }
    /// Whether TLS cannot continue to read until the socket is writable.
    var readWaitsForWrite: Bool { tls?.readWaitsForWrite ?? false }
    /// Whether TLS cannot continue to write until the socket is readable.
    var writeWaitsForRead: Bool { tls?.writeWaitsForRead ?? false }

    /// Whether there are bytes to read that no event of the socket will announce.
    var holdsBytes: Bool { tls?.hasPending ?? false }

    func handshake() -> StreamProgress {
        guard let tls else { return .bytes(0) }
        return StreamProgress(tls.handshake())
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> StreamProgress {
        guard let tls else {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            return count == 0 ? .ended : StreamProgress(errno: errno, again: .wantsRead)
        }
        let progress = StreamProgress(tls.read(into: buffer))
        tls.readWaitsForWrite = if case .wantsWrite = progress { true } else { false }
        return progress
    }

    func transmit(_ bytes: UnsafeRawBufferPointer) -> StreamProgress {
        guard let tls else {
            let count = send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
            return count < 0 ? StreamProgress(errno: errno, again: .wantsWrite) : .bytes(count)
        }
        let progress = StreamProgress(tls.write(bytes))
        tls.writeWaitsForRead = if case .wantsRead = progress { true } else { false }
        return progress
    }

    /// Ends the output.
    ///
    /// - Returns: false if the socket has no room now for the last bytes of TLS; then this must be called again when it
    ///   is writable.
    func endOutput() -> Bool {
        guard tls?.shutdown() ?? true else { return false }
        shutdown(descriptor, Int32(SHUT_WR))
        return true
    }

    /// - Parameter saysGoodbye: whether all bytes were sent, so that the end is clean.
    func close(saysGoodbye: Bool) {
        if saysGoodbye, !isHandshaking { tls?.shutdown() }
        HeadgateLibC.close(descriptor)
    }
}

extension StreamProgress {
    fileprivate init(errno error: Int32, again: StreamProgress) {
        self = error == EAGAIN || error == EINTR ? again : .failed(.system(error))
    }

    fileprivate init(_ progress: TLSProgress) {
        switch progress {
        case .bytes(let count): self = .bytes(count)
        case .wantsRead: self = .wantsRead
        case .wantsWrite: self = .wantsWrite
        case .closed: self = .ended
        case .cut: self = .failed(.cut)
        case .failed(let error): self = .failed(.tls(error))
        }
    }
}
