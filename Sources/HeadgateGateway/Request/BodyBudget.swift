internal import HeadgateHTTP

/// Memory of the process that request bodies can take under this configuration.
struct BodyBudget: Sendable {
    let memory: BodyMemory
    /// Bytes of all bodies together.
    let limit: Int

    func allowance() -> BodyAllowance { BodyAllowance(of: memory, limit: limit) }
}
