internal import HeadgateHTTP

/// How much of the process's memory request bodies may take under this configuration.
struct BodyBudget: Sendable {
    let memory: BodyMemory
    /// Octets.
    let limit: Int

    func allowance() -> BodyAllowance { BodyAllowance(of: memory, limit: limit) }
}
