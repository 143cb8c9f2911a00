internal import HeadgatePrimitives

/// Rate-limits wrong keys: after some of them, an address gets 429 with `Retry-After` for further ones until a minute
/// is over.
///
/// A valid key is always served: behind a NAT, a proxy or a container's bridge many clients share one address, and
/// one with an old key must not lock out the rest. Keys that the gateway makes have 256 random bits and cannot be
/// guessed; the limit is for clients that keep using a revoked key.
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
