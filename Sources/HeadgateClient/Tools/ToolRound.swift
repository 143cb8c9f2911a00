/// Runs the tools that a model calls in one round.
struct ToolRound {
    let tools: [any Tool]

    /// Runs the calls concurrently, and returns the results in the order of the calls.
    ///
    /// - Throws: The error of the first tool that fails; the others are canceled.
    func results(of calls: [ToolCall]) async throws -> [ChatMessage] {
        try await withThrowingTaskGroup(of: (Int, ChatMessage).self) { group in
            for (index, call) in calls.enumerated() {
                let tool = tools.first { $0.name == call.name }
                group.addTask {
                    guard let tool else {
                        return (index, .toolResult("There is no tool '\(call.name)'.", of: call))
                    }
                    return (index, .toolResult(try await tool.result(of: call), of: call))
                }
            }
            var results: [Int: ChatMessage] = [:]
            for try await (index, message) in group { results[index] = message }
            return calls.indices.compactMap { results[$0] }
        }
    }
}
