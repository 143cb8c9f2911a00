internal import CHeadgate
internal import HeadgateLibC

/// Local TCP connection that waits for its peer, with as few instructions as possible.
final class BlockingSocket {
    private let descriptor: Int32
    // Shared by all connections, because a driver is one thread.
    private nonisolated(unsafe) static let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    private static let capacity = 64 << 10

    private init(waitingFor events: Int32, on descriptor: Int32) throws {
        guard descriptor >= 0 else { throw DriverError("no socket: error \(-descriptor)") }
        self.descriptor = descriptor
        BlockingSocket.wait(for: events, on: descriptor)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        headgate_disable_delay(descriptor)
    }

    deinit { HeadgateLibC.close(descriptor) }

    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = headgate_tcp_listen("127.0.0.1", 0, 16)
        guard descriptor >= 0 else { throw DriverError("cannot listen on 127.0.0.1: error \(-descriptor)") }
        var port: UInt16 = 0
        var text = [CChar](repeating: 0, count: 64)
        headgate_socket_address(descriptor, false, &text, text.count, &port)
        return (descriptor, port)
    }

    static func connect(port: UInt16) throws -> BlockingSocket {
        try BlockingSocket(waitingFor: POLLOUT, on: headgate_tcp_connect("127.0.0.1", port))
    }

    static func accept(on listener: Int32) throws -> BlockingSocket {
        wait(for: POLLIN, on: listener)
        return try BlockingSocket(waitingFor: POLLOUT, on: headgate_accept(listener))
    }

    private static func wait(for events: Int32, on descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        poll(&entry, 1, -1)
    }

    func send(_ bytes: [UInt8]) throws {
        let sent = bytes.withUnsafeBytes {
            HeadgateLibC.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw DriverError("a message could not be sent whole: error \(errno)") }
    }

    /// Waits for a message that ends with these bytes.
    func receive(upTo end: [UInt8]) throws {
        let buffer = BlockingSocket.buffer
        var filled = 0
        repeat {
            let count = read(descriptor, buffer + filled, BlockingSocket.capacity - filled)
            guard count > 0 else { throw DriverError("the gateway closed the connection, or sent too much") }
            filled += count
        } while filled < end.count || memcmp(buffer + filled - end.count, end, end.count) != 0
    }
}
