import HeadgateLibC

/// A TCP connection to 127.0.0.1 that sends exactly the given writes and reads whenever it can. Not thread-safe.
final class RawConnection {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    enum End {
        /// The server sent FIN.
        case finished
        /// The server sent RST, or the socket had another error.
        case reset
    }

    /// All received bytes.
    private(set) var received: [UInt8] = []
    /// End of the connection by the server; nil while it is open.
    private(set) var end: End?
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    /// Connects within 5 s, with TCP_NODELAY. No call raises SIGPIPE.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let result = withLoopbackAddress(port) { connect(descriptor, $0, $1) }
        if result != 0 {
            guard errno == EINPROGRESS, waits(for: POLLOUT, until: .now + .seconds(5)) else {
                throw Failure(call: "connect", code: errno)
            }
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
            guard code == 0 else { throw Failure(call: "connect", code: code) }
        }
    }

    deinit {
        close(descriptor)
    }

    /// Reads the next bytes or the end of the connection. Returns false if neither arrives by the deadline.
    func read(until deadline: ContinuousClock.Instant) -> Bool {
        guard end == nil else { return true }
        guard waits(for: POLLIN, until: deadline) else { return false }
        drain()
        return true
    }

    /// Writes as much of `piece` as the socket accepts, and the rest as it drains, reading meanwhile. Returns true
    /// early if the server ends the connection, and false if it read nothing for 5 s.
    func send(_ piece: ArraySlice<UInt8>) -> Bool {
        var rest = piece
        while !rest.isEmpty {
            drain()
            guard end == nil else { return true }
            let count = rest.withUnsafeBytes {
                HeadgateLibC.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard waits(for: POLLIN | POLLOUT, until: .now + .seconds(5)) else { return false }
            } else if errno != EINTR {
                // With EPIPE or ECONNRESET the server is gone, but bytes that it sent before can still be unread.
                drain()
                if end == nil { end = .reset }
            }
        }
        return true
    }

    /// Closes the sending direction: the server reads the end of the input, and can still respond.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Waits for `duration`, then reads the bytes that have arrived.
    func pause(for duration: Duration) {
        // poll() counts in milliseconds, and a pause between bytes is far shorter.
        var time = timespec(tv_sec: 0, tv_nsec: Int(duration / .nanoseconds(1)))
        nanosleep(&time, nil)
        drain()
    }

    private func drain() {
        while end == nil {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                received += buffer[..<count]
                if count < buffer.count { return }
            } else if count == 0 {
                end = .finished
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                end = .reset
            }
        }
    }

    private func waits(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            let milliseconds = Int32((left / .milliseconds(1)).rounded(.up))
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let count = poll(&entry, 1, milliseconds)
            if count > 0 { return true }
            if count == 0 || errno != EINTR { return false }
        }
    }
}

/// Calls `body` with the IPv4 loopback address and its size.
func withLoopbackAddress<Result>(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
}
