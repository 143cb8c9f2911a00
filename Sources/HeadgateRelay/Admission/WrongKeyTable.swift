internal import HeadgateLibC
internal import HeadgatePrimitives

/// Table of the recent wrong keys of each address. Its size is fixed: if a set is full, its entry with the oldest
/// window is replaced. An attacker with many addresses gets more guesses, but cannot make the table grow.
package struct WrongKeyTable: Sendable {
    /// Wrong keys that an address may send in one window.
    static let allowance = 10
    /// Length of a window in seconds.
    static let window: Int64 = 60

    private static let sets = 256
    /// Entries in one set of this set-associative table.
    private static let ways = 4

    private struct Entry: Sendable {
        var address = RemoteNetwork()
        /// Start of the window in seconds; far in the past for a free entry.
        var begin = Int64.min / 2
        var count = 0
    }

    private var entries = [Entry](repeating: Entry(), count: sets * ways)

    package init() {}

    /// Counts one more wrong key.
    ///
    /// - Parameters:
    ///   - address: the address as text.
    ///   - now: seconds of any clock.
    /// - Returns: the seconds until the window ends, if the address has sent too many wrong keys in it; nil otherwise,
    ///   and for this machine.
    mutating func note(_ address: String, at now: Int64) -> Int64? {
        guard let network = RemoteNetwork(address) else { return nil }
        let first = network.place(in: WrongKeyTable.sets) * WrongKeyTable.ways
        let places = first..<(first + WrongKeyTable.ways)
        let index =
            places.first { entries[$0].address == network }
            ?? places.min { entries[$0].begin < entries[$1].begin } ?? first
        // A clock that was set back begins a new window, too.
        let age = now &- entries[index].begin
        if entries[index].address != network || age < 0 || age >= WrongKeyTable.window {
            entries[index] = Entry(address: network, begin: now)
        }
        entries[index].count = min(entries[index].count + 1, WrongKeyTable.allowance + 1)
        guard entries[index].count > WrongKeyTable.allowance else { return nil }
        return entries[index].begin + WrongKeyTable.window - now
    }
}

/// Network that one attacker controls: an IPv4 address, or a /64 network of IPv6.
private struct RemoteNetwork: Hashable {
    private let bits: UInt64
    private let isV6: Bool

    /// Creates the value of a free entry.
    init() {
        bits = 0
        isV6 = false
    }

    /// - Returns: nil for loopback, and for anything but an IP address, such as the peer of a Unix socket.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bits = UInt64(UInt32(bigEndian: four.s_addr))
            isV6 = false
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let (high, low) = withUnsafeBytes(of: six) {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
            // An IPv4-mapped address of a dual-stack socket.
            let isMapped = high == 0 && low >> 32 == 0xFFFF
            bits = isMapped ? low & 0xFFFF_FFFF : high
            isV6 = !isMapped
            if high == 0, low == 1 { return nil }
        } else {
            return nil
        }
        if !isV6, bits >> 24 == 127 { return nil }
    }

    /// Returns the set of an address. The hash is seeded, so that collisions cannot be chosen.
    func place(in count: Int) -> Int { Int(UInt(bitPattern: hashValue) % UInt(count)) }
}

/// Rate-limits wrong keys: after ``WrongKeyTable/allowance`` of them in a minute, an address gets status 429 with
/// `Retry-After` for further ones until the minute is over.
/// A valid key is always served. Behind a NAT, a proxy or a container's bridge, many clients share one address, and a
/// client with an old key must not lock out the others. Keys that the gateway creates have 256 random bits and cannot
/// be guessed; the limit is for clients that keep using a revoked key.
package final class WrongKeys: Sendable {
    private let table = Locked(WrongKeyTable())

    package init() {}

    /// Counts a wrong key, and returns the error for it.
    ///
    /// - Parameters:
    ///   - address: the address of the client.
    ///   - now: seconds since 1970.
    func refusal(from address: String, at now: Int64) -> GatewayError {
        table.withLock { $0.note(address, at: now) }.map(GatewayError.tooManyWrongKeys) ?? .invalidKey
    }
}
