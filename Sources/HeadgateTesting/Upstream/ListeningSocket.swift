internal import CHeadgate
internal import Glibc
internal import HeadgateNetwork

/// A bound and listening descriptor, not owned.
struct ListeningSocket {
    let descriptor: Int32
    /// 0 for a Unix socket.
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
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw TestFailure.listen(systemErrorText(ENAMETOOLONG))
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw TestFailure.listen(systemErrorText(errno)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, Glibc.listen(descriptor, 1024) == 0 else {
            let error = errno
            Glibc.close(descriptor)
            throw TestFailure.listen(systemErrorText(error))
        }
        return descriptor
    }
}
