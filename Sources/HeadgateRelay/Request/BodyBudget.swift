package import HeadgateHTTP

/// Memory of the process that request bodies can take under this configuration.
package struct BodyBudget: Sendable {
    package let memory: BodyMemory
    /// Bytes of all bodies together.
    package let limit: Int

    package init(memory: BodyMemory, limit: Int) {
        self.memory = memory
        self.limit = limit
    }

    package func allowance() -> BodyAllowance { BodyAllowance(of: memory, limit: limit) }
}
