/// Slows whoever tries keys: after some wrong ones, an address gets 429 with `Retry-After` for its wrong keys until a
/// minute is over.
///
/// A right key is served all the while. Behind a NAT, a proxy or a container's bridge many clients have one address,
/// and a single one with an old key must not shut out the rest. Nor would that keep a key safe: those that the gateway
/// makes have 256 random bits, and no rate of guessing finds one. What is slowed is the client that goes on with a key
/// that was taken away, and its noise.
package struct WrongKeys: Sendable {
    /// Runs one change at a time.
    package typealias Guarded = @Sendable (_ body: (inout WrongKeyTable) -> Void) -> Void

    private let guarded: Guarded

    /// - Parameter guarded: keeps the table behind the lock of whoever composes the gateway.
    package init(guarded: @escaping Guarded) { self.guarded = guarded }

    /// What refuses a wrong key.
    ///
    /// - Parameters:
    ///   - address: where it came from.
    ///   - now: seconds since 1970.
    func refusal(from address: String, at now: Int64) -> GatewayError {
        var wait: Int64?
        guarded { wait = $0.note(address, at: now) }
        return wait.map(GatewayError.tooManyWrongKeys) ?? .invalidKey
    }

    /// Nobody is slowed.
    static let unlimited = WrongKeys { _ in }
}
