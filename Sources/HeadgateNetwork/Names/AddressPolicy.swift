/// Policy for the addresses of an upstream's name.
///
/// Each resolved address is checked right before the connection, so that a name that later resolves to an internal
/// address (DNS rebinding) gains nothing.
package struct AddressPolicy: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case allowed
        /// The address is refused. The text names the address, the reason and, if there is one, the key that would
        /// allow it.
        case refused(String)
    }

    /// Value of the upstream's `allow_private`.
    package let allowsPrivate: Bool

    package init(allowsPrivate: Bool) { self.allowsPrivate = allowsPrivate }

    /// - Parameter host: the configured host. A host that is this machine itself may have an address of this machine.
    package func check(_ address: IPAddress, for host: String) -> Verdict {
        let meant = address.embeddedV4 ?? address
        let shown = { meant == address ? "\(address)" : "\(address) (\(meant) inside IPv6)" }
        for (kind, ranges) in AddressPolicy.never where ranges.contains(where: { $0.contains(meant) }) {
            return .refused("\(shown()) is \(kind), to which Headgate never connects")
        }
        if allowsPrivate { return .allowed }
        if meant.isLoopback {
            if HostName.isLoopback(host) { return .allowed }
            return refusal(shown(), "a loopback address, but the configured host is not a loopback name")
        }
        for (kind, ranges) in AddressPolicy.inner where ranges.contains(where: { $0.contains(meant) }) {
            return refusal(shown(), kind)
        }
        return .allowed
    }

    private func refusal(_ address: String, _ kind: String) -> Verdict {
        .refused("\(address) is \(kind): write `allow_private: true` at this upstream if it is meant")
    }

    private static let never: [(kind: String, ranges: [AddressRange])] = [
        // The first one is link-local; the others are those of AWS, Azure, Google, Alibaba and Oracle.
        (
            "an address of a cloud's metadata service",
            [
                "169.254.169.254/32", "fd00:ec2::254/128", "168.63.129.16/32", "fd20:ce::254/128", "100.100.100.200/32",
                "192.0.0.192/32",
            ].map(AddressRange.init)
        ),
        ("a link-local address", ["169.254.0.0/16", "fe80::/10"].map(AddressRange.init)),
        ("an address of no host", ["0.0.0.0/8", "::/128"].map(AddressRange.init)),
        ("a multicast address", ["224.0.0.0/4", "ff00::/8"].map(AddressRange.init)),
        ("a reserved or broadcast address", ["240.0.0.0/4"].map(AddressRange.init)),
    ]

    private static let inner: [(kind: String, ranges: [AddressRange])] = [
        (
            "a private address",
            ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"].map(AddressRange.init)
        ),
        ("an address shared inside a provider's network", ["100.64.0.0/10"].map(AddressRange.init)),
        ("an address for use inside one network", ["192.0.0.0/24", "198.18.0.0/15"].map(AddressRange.init)),
    ]
}

extension IPAddress {
    private static let loopbackRanges = ["127.0.0.0/8", "::1/128"].map(AddressRange.init)

    /// Whether the address is this machine's, in any form.
    package var isLoopback: Bool {
        let meant = embeddedV4 ?? self
        return IPAddress.loopbackRanges.contains { $0.contains(meant) }
    }
}
