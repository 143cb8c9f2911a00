internal import CHeadgate
internal import HeadgateLibC

/// A listening socket that the service manager opened before it started this process (socket activation).
package struct InheritedSocket: Sendable, Equatable {
    package enum Address: Sendable, Equatable {
        /// A literal address and its port.
        case tcp(ip: String, port: UInt16)
        /// A path, or `@` and an abstract name.
        case unix(path: String)
    }

    /// Descriptor of the socket, non-blocking and close-on-exec.
    package let descriptor: Int32
    /// Name of the socket in its unit.
    package let name: String
    package let address: Address

    /// Takes over the descriptor if it is a listening stream socket.
    ///
    /// - Throws: ``InheritedSocketError``; the descriptor is left as it was.
    package init(_ passed: ServiceEnvironment.Descriptor) throws(InheritedSocketError) {
        let status = headgate_adopt_listener(passed.number)
        guard status == 0 else { throw InheritedSocketError(passed: passed, error: -status) }
        descriptor = passed.number
        name = passed.name
        address = try Self.address(of: passed)
    }

    private static func address(of passed: ServiceEnvironment.Descriptor) throws(InheritedSocketError) -> Address {
        var text = [CChar](repeating: 0, count: 128)
        var port: UInt16 = 0
        var status = headgate_socket_address(passed.number, false, &text, text.count, &port)
        if status == 0 { return .tcp(ip: string(text), port: port) }
        status = headgate_unix_address(passed.number, &text, text.count)
        guard status == 0 else { throw InheritedSocketError(passed: passed, error: -status) }
        return .unix(path: string(text))
    }

    private static func string(_ text: [CChar]) -> String {
        text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}

/// Error for a passed descriptor on which the gateway cannot listen.
package struct InheritedSocketError: Error, Equatable, CustomStringConvertible {
    package let passed: ServiceEnvironment.Descriptor
    /// An errno.
    package let error: Int32

    package var description: String {
        let problem =
            switch error {
            case EBADF: "is not open"
            case ENOTSOCK: "is not a socket"
            case EAFNOSUPPORT: "is neither an IP nor a Unix socket"
            case EPROTOTYPE: "is not a stream socket: use ListenStream= in its unit"
            case EINVAL: "does not listen: use Accept=no in its unit"
            default: "cannot be used: \(systemErrorText(error))"
            }
        return "descriptor \(passed.number) (\(passed.name)) of the service manager \(problem)"
    }
}
