internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// What the collected bodies of all requests may hold together.
final class BodyBudget: Sendable {
    private let memory = BodyMemory()
    private let limit: Int

    /// - Parameter limit: in octets.
    init(limit: Int) { self.limit = limit }

    /// The share of one body, given back when it goes.
    func share() -> Locked<BodyAllowance> { Locked(BodyAllowance(of: memory, limit: limit)) }
}
