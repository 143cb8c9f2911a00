internal import CHeadgate

/// IP address, as numbers in the order in which they are written.
package enum IPAddress: Hashable, Sendable {
    case v4(UInt32)
    /// The first and the last 64 bits.
    case v6(UInt64, UInt64)

    /// Returns nil unless the text is an address in its usual form: no brackets, no zone, no `127.1` and no
    /// `0x7f000001`.
    package init?(_ text: String) {
        var address = headgate_address()
        guard !text.utf8.contains(0), headgate_parse_address(text, &address) else { return nil }
        self.init(address)
    }

    init(_ address: headgate_address) {
        self = address.is_v6 ? .v6(address.high, address.low) : .v4(UInt32(truncatingIfNeeded: address.low))
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        let address =
            switch self {
            case .v4(let number): headgate_address(high: 0, low: UInt64(number), is_v6: false)
            case .v6(let high, let low): headgate_address(high: high, low: low, is_v6: true)
            }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 46) { text in
            headgate_format_address(address, text.baseAddress, text.count)
            return text.baseAddress.map { String(cString: $0) } ?? ""
        }
    }
}

extension IPAddress {
    var isV6: Bool { if case .v6 = self { true } else { false } }

    /// Returns the addresses with both families in turn, beginning with the first one's family (RFC 8305 section 4).
    /// Within a family, the order stays the same. An unreachable family costs one attempt then, instead of one for each
    /// of its addresses.
    static func interleaved(_ addresses: [IPAddress]) -> [IPAddress] {
        guard let first = addresses.first else { return [] }
        let preferred = addresses.filter { $0.isV6 == first.isV6 }
        let others = addresses.filter { $0.isV6 != first.isV6 }
        return (0..<max(preferred.count, others.count)).flatMap { index in
            [preferred, others].compactMap { index < $0.count ? $0[index] : nil }
        }
    }
}
