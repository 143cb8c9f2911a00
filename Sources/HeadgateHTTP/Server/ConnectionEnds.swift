/// The two ends of a downstream connection.
package struct ConnectionEnds: Sendable {
    package let local: LocalEnd
    /// Textual IP address, without brackets; empty on a Unix socket.
    package let remoteAddress: String
    package let admission: ConnectionAdmission

    package init(local: LocalEnd, remoteAddress: String, admission: ConnectionAdmission = .byKey) {
        self.local = local
        self.remoteAddress = remoteAddress
        self.admission = admission
    }

    /// Creates the ends of a single connection.
    package init(
        localAddress: String, localPort: UInt16, remoteAddress: String, carrier: LocalEnd.Carrier = .tcp,
        admission: ConnectionAdmission = .byKey
    ) {
        self.init(
            local: LocalEnd(address: localAddress, port: localPort, carrier: carrier), remoteAddress: remoteAddress,
            admission: admission)
    }
}

/// The gateway's end of a connection. All connections of a listener on a certain address share it.
package final class LocalEnd: Sendable {
    package enum Carrier: Sendable, Equatable {
        case tcp
        case tls
        case unix
    }

    package let carrier: Carrier
    /// Textual IP address, without brackets; empty on a Unix socket.
    package let address: String
    package let port: UInt16
    /// Authority as in a `Host` header.
    package let authority: String
    /// Tag set by the owner of the listener; not read here.
    package let tag: UInt8

    package init(address: String, port: UInt16, carrier: Carrier = .tcp, tag: UInt8 = 0) {
        self.carrier = carrier
        self.tag = tag
        self.address = address
        self.port = port
        authority = address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Whether only this machine can reach the address.
    package var isLocal: Bool { carrier == .unix || IPText.isLoopback(address) }
}

/// IP addresses as text.
package enum IPText {
    package static func isLoopback(_ address: String) -> Bool {
        address.utf8.starts(with: "127.".utf8) || address == "::1"
    }
}

/// Admission of a downstream connection by its listener.
package enum ConnectionAdmission: Sendable, Equatable {
    /// Each request needs a client key.
    case byKey
    /// No key is needed; the name is for the log. The owner is the peer of a socket that runs as the gateway's user.
    case admitted(as: String, isOwner: Bool)
    /// The connection is refused, with a text for the peer.
    case refused(String)
}
