internal import CHeadgate
internal import HeadgateLibC
internal import HeadgateNetwork

/// A bound and listening descriptor, which this type does not close.
struct ListeningSocket {
    let descriptor: Int32
    /// The port; 0 for a Unix socket.
    let port: UInt16
    /// The path to remove at the end.
    let path: String?

    init(_ address: ScriptedUpstream.Address) throws {
        switch address {
        case .tcp(let ip, let port):
            descriptor = headgate_tcp_listen(ip, port, 4096)
            guard descriptor >= 0 else { throw TestFailure.listen(systemErrorText(-descriptor)) }
            var bound: UInt16 = 0
            var text = [CChar](repeating: 0, count: 64)
            headgate_socket_address(descriptor, false, &text, text.count, &bound)
            self.port = bound
            path = nil
        case .unix(let path):
            descriptor = try ListeningSocket.listen(path: path)
            port = 0
            self.path = path
        }
    }

    private static func listen(path: String) throws -> Int32 {
        let descriptor = headgate_unix_listen(path, 0o600, 1024)
        guard descriptor >= 0 else { throw TestFailure.listen(systemErrorText(-descriptor)) }
        return descriptor
    }
}
