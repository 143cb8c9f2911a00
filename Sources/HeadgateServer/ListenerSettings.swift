internal import CHeadgate
internal import HeadgateHTTP
internal import HeadgateLibC
package import HeadgateNetwork

/// Settings of a listener: its address, and the treatment of its connections.
package struct ListenerSettings: Sendable {
    package enum Address: Hashable, Sendable, CustomStringConvertible {
        /// A literal IP address; port 0 lets the system choose.
        case tcp(ip: String, port: UInt16)
        case unix(path: String)

        package var port: UInt16? {
            if case .tcp(_, let port) = self { port } else { nil }
        }

        package var description: String {
            switch self {
            case .tcp(let ip, let port): ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
            case .unix(let path): "unix:\(path)"
            }
        }
    }

    package enum Authentication: Sendable, Equatable {
        case key
        /// Only processes of these users.
        case peer(uids: [UInt32])
        case none
    }

    package var address: Address
    package var authentication: Authentication
    /// File mode of a Unix socket.
    package var mode: UInt32
    /// TLS settings; nil to serve plain HTTP.
    package var tls: TLSContext?
    /// Listening descriptor that is already open for this address; the listener owns it.
    package var inherited: Int32?
    /// Whether the inherited descriptor was opened by an earlier gateway and not by a service manager.
    package var isHandedOver = false
    /// Tag of the listener's connections; the server does not read it.
    package var tag: UInt8 = 0

    package init(
        address: Address, authentication: Authentication = .key, mode: UInt32 = 0o600, tls: TLSContext? = nil,
        inherited: Int32? = nil
    ) {
        self.address = address
        self.authentication = authentication
        self.mode = mode
        self.tls = tls
        self.inherited = inherited
    }

    /// Whether a service manager has opened the socket, and removes its file.
    var isManagers: Bool { inherited != nil && !isHandedOver }

    /// Opens the socket, or returns the inherited one.
    func listen(backlog: Int32) throws(ListenError) -> Int32 {
        if let inherited { return inherited }
        let descriptor =
            switch address {
            case .tcp(let ip, let port): headgate_tcp_listen(ip, port, backlog)
            case .unix(let path): headgate_unix_listen(path, mode_t(truncatingIfNeeded: mode), backlog)
            }
        guard descriptor >= 0 else { throw ListenError(address: address, error: -descriptor) }
        return descriptor
    }

    /// Returns the local end of all connections of a listening socket; nil on a wildcard address, where they differ.
    func localEnd(of listening: Int32) -> LocalEnd? {
        if case .unix = address { return LocalEnd(address: "", port: 0, carrier: .unix, tag: tag) }
        // The address is written as the system writes it, however the configuration does.
        return ListenerSettings.socketAddress(of: listening, remote: false) { ip, port in
            ip.isEmpty || ip == "0.0.0.0" || ip == "::"
                ? nil : LocalEnd(address: ip, port: port, carrier: carrier, tag: tag)
        }
    }

    /// - Parameter local: result of ``localEnd(of:)``.
    func ends(of descriptor: Int32, at local: LocalEnd?) -> ConnectionEnds {
        let local =
            local
            ?? ListenerSettings.socketAddress(of: descriptor, remote: false) { address, port in
                LocalEnd(address: address, port: port, carrier: carrier, tag: tag)
            }
        let remote =
            local.carrier == .unix
            ? "" : ListenerSettings.socketAddress(of: descriptor, remote: true) { address, _ in address }
        return ConnectionEnds(local: local, remoteAddress: remote, admission: admission(of: descriptor))
    }

    private var carrier: LocalEnd.Carrier { tls == nil ? .tcp : .tls }

    private static func socketAddress<Value>(
        of descriptor: Int32, remote: Bool, _ value: (String, UInt16) -> Value
    ) -> Value {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            text[0] = 0
            var port: UInt16 = 0
            headgate_socket_address(descriptor, remote, text.baseAddress, text.count, &port)
            return value(text.baseAddress.map { String(cString: $0) } ?? "", port)
        }
    }

    /// Returns the admission of a connection's peer.
    private func admission(of descriptor: Int32) -> ConnectionAdmission {
        switch authentication {
        case .key: return .byKey
        case .none: return .admitted(as: "anyone", isOwner: false)
        case .peer(let uids):
            guard let uid = UInt32(exactly: headgate_peer_uid(descriptor)) else {
                return .refused("This socket serves processes whose user it can tell, and yours it cannot.")
            }
            return uids.contains(uid)
                ? .admitted(as: "uid-\(uid)", isOwner: uid == getuid())
                : .refused(
                    "This socket does not serve your user (uid \(uid)). Its owner can add it to uids in the "
                        + "configuration."
                )
        }
    }
}

/// Error of an address that cannot be listened on.
package struct ListenError: Error {
    package let address: ListenerSettings.Address
    /// Error number, as in `errno`.
    package let error: Int32

    package var description: String { systemErrorText(error) }
}
