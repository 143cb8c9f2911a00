import CHeadgate
import HeadgateLibC
import HeadgateNetwork

/// A TCP socket that listens without accepting, and is closed on deinit.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: UInt16

    /// - Parameter port: port to bind; 0 for any free one.
    init(_ ip: String, port: UInt16 = 0, backlog: Int32 = 16) throws {
        descriptor = headgate_tcp_listen(ip, port, backlog)
        guard descriptor >= 0 else { throw NameError("\(ip):\(port): \(systemErrorText(-descriptor))") }
        var text = [CChar](repeating: 0, count: 46)
        var bound: UInt16 = 0
        guard headgate_socket_address(descriptor, false, &text, text.count, &bound) == 0 else {
            throw NameError("no local address")
        }
        self.port = bound
    }

    deinit { HeadgateLibC.close(descriptor) }

    /// Returns a listener on ::1, and a descriptor that reserves its port on 127.0.0.1; the caller closes the
    /// descriptor.
    static func onlyIPv6() throws -> (ListeningSocket, reserved: Int32) {
        while true {
            let listener = try ListeningSocket("::1")
            let reserved = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = listener.port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(reserved, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if status == 0 { return (listener, reserved) }
            HeadgateLibC.close(reserved)
        }
    }

    /// Returns listeners on the same port at two addresses of this machine.
    static func pair(backlog: Int32) throws -> (ListeningSocket, ListeningSocket) {
        while true {
            let first = try ListeningSocket("127.0.0.1")
            if let second = try? ListeningSocket("127.0.0.2", port: first.port, backlog: backlog) {
                return (first, second)
            }
        }
    }
}

/// An address that neither accepts nor refuses connections: its listener has a full queue and drops them.
final class BlackHole: Sendable {
    let listener: ListeningSocket
    private let fillers: [Int32]

    init(_ listener: ListeningSocket, ip: String) {
        self.listener = listener
        fillers = (0..<3).map { _ in headgate_tcp_connect(ip, listener.port) }
    }

    deinit { for filler in fillers where filler >= 0 { HeadgateLibC.close(filler) } }
}

/// A connected socket that a test owns.
final class ConnectedSocket: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { HeadgateLibC.close(descriptor) }

    /// IP address of the other side.
    var remoteIP: String {
        var text = [CChar](repeating: 0, count: 46)
        var port: UInt16 = 0
        guard headgate_socket_address(descriptor, true, &text, text.count, &port) == 0 else { return "" }
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    /// Returns all bytes until the other side's FIN, waiting at most 10 s for each piece.
    func readToEnd() -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&interest, 1, 10_000) > 0 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { break }
            all += buffer[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }
}
