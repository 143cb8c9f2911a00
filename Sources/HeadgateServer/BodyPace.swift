/// Whether a request's body comes fast enough. Pure; instants are monotonic nanoseconds.
struct BodyPace {
    private let startedAt: UInt64

    /// Slower than this is a crawl, which would hold a connection for as long as the whole deadline.
    static let octetsPerSecond = 1024

    init(startingAt now: UInt64) { startedAt = now }

    /// - Parameters:
    ///   - received: octets of the body so far.
    ///   - timeout: for the whole body, in nanoseconds.
    func isTooSlow(received: Int, at now: UInt64, timeout: UInt64) -> Bool {
        let elapsed = now - startedAt
        return elapsed >= timeout || received < Int(elapsed / 1_000_000_000) * BodyPace.octetsPerSecond
    }
}
