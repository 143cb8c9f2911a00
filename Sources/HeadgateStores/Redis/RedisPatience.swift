/// How long a server is waited for, in nanoseconds.
package struct RedisPatience: Sendable {
    /// For the greeting, from the connection on.
    package var greeting: UInt64 = 2_000_000_000
    /// For each reply: requests wait for it.
    package var reply: UInt64 = 250_000_000
    /// The first pause after a failure.
    package var shortest: UInt64 = 100_000_000
    package var longest: UInt64 = 5_000_000_000

    package init() {}
}
