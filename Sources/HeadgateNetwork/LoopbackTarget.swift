internal import CHeadgate

/// Target on this machine, given by its address. Connecting needs no lookup, no choice of addresses and, nearly always,
/// no wait.
package struct LoopbackTarget: Sendable {
    private let ip: String
    private let port: UInt16

    /// - Parameter host: the configured host.
    /// - Returns: nil for a name, and for an address of another machine.
    package init?(host: String, port: UInt16) {
        // No policy forbids a host that is this machine's own address.
        guard let address = IPAddress(host), address.isOfThisMachine,
            case .allowed = AddressPolicy(allowsPrivate: false).check(address, for: host)
        else { return nil }
        ip = address.description
        self.port = port
    }

    /// - Returns: the connected descriptor; nil if connecting takes time or fails, which a ``Connector`` can explain.
    package func connectAtOnce() -> Int32? {
        let descriptor = headgate_connect_at_once(ip, port)
        return descriptor < 0 ? nil : descriptor
    }
}

extension IPAddress {
    /// Whether packets to this address never leave this machine. A loopback address that is embedded in an address of a
    /// tunnel or a translator does not count, since it is routed.
    fileprivate var isOfThisMachine: Bool {
        switch self {
        case .v4: isLoopback
        case .v6(0, 1): true
        case .v6(let high, let low): high == 0 && low >> 32 == 0xFFFF && isLoopback
        }
    }
}
