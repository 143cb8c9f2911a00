/// Block of addresses that share their first bits.
struct AddressRange {
    private let first: IPAddress
    private let prefix: Int

    /// - Parameter text: a constant of this module, such as `10.0.0.0/8` or `fe80::/10`. An invalid one traps.
    init(_ text: String) {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let first = IPAddress(String(parts[0])), let prefix = Int(parts[1]) else {
            preconditionFailure("not an address range: \(text)")
        }
        self.first = first
        self.prefix = prefix
    }

    func contains(_ address: IPAddress) -> Bool {
        switch (first, address) {
        case (.v4(let first), .v4(let other)): (first ^ other) & ~(UInt32.max >> UInt32(prefix)) == 0
        case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
            (high ^ otherHigh) & ~(UInt64.max >> UInt64(min(prefix, 64))) == 0
                && (low ^ otherLow) & ~(UInt64.max >> UInt64(max(prefix - 64, 0))) == 0
        case (.v4, .v6), (.v6, .v4): false
        }
    }
}

extension IPAddress {
    /// IPv4 address to which a translator or tunnel would forward this IPv6 address; nil if there is none.
    ///
    /// All forms of embedding count. Otherwise a policy could be evaded with another form.
    var embeddedV4: IPAddress? {
        guard case .v6(let high, let low) = self else { return nil }
        let lowest = IPAddress.v4(UInt32(truncatingIfNeeded: low))
        // 6to4 has the IPv4 address right after its first 16 bits; Teredo has it inverted at the end.
        if high >> 48 == 0x2002 { return .v4(UInt32(truncatingIfNeeded: high >> 16)) }
        if high >> 32 == 0x2001_0000 { return .v4(~UInt32(truncatingIfNeeded: low)) }
        // NAT64: the well-known prefix, and the one for local use.
        if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return lowest }
        if high >> 16 == 0x0064_FF9B_0001 { return lowest }
        // ::ffff:a.b.c.d (mapped), ::ffff:0:a.b.c.d (translated), ::a.b.c.d (compatible; ::1 and :: are addresses of
        // their own).
        if high == 0, low >> 32 == 0xFFFF { return lowest }
        if high == 0, low >> 48 == 0xFFFF, low >> 32 == 0xFFFF_0000 { return lowest }
        if high == 0, low >> 32 == 0, low > 1 { return lowest }
        return nil
    }
}
