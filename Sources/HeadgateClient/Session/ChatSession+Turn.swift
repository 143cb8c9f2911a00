internal import HeadgatePrimitives

extension ChatSession {
    /// Runs one turn, with as many rounds of tool calls as it needs. The turn ends when the reader has received all of
    /// it.
    func run(_ id: Int, _ output: UpdateQueue) async {
        do {
            var rounds = 0
            while try await runRound(id, output) {
                rounds += 1
                guard rounds < maximumToolRounds else {
                    throw HeadgateClientError.tooManyToolRounds(limit: maximumToolRounds)
                }
            }
            await output.put(ResponseUpdate(isEnd: true))
            output.finish()
        } catch {
            // For a canceled turn this has no effect, because its stream has already ended.
            output.finish(throwing: error)
        }
    }

    /// Runs one round: requests a response, and runs the tools that it calls.
    ///
    /// - Returns: Whether another round must follow with the results.
    private func runRound(_ id: Int, _ output: UpdateQueue) async throws -> Bool {
        let definitions = tools.map { $0.definition }
        guard let request = state.withLock({ $0.request(tools: definitions, for: id) }) else { return false }
        for try await chunk in client.chat.stream(request) {
            guard let update = state.withLock({ $0.take(chunk, for: id) }) else { return false }
            await output.put(update)
        }
        guard let update = try state.withLock({ try $0.calls(of: id) }), !update.toolCalls.isEmpty else { return false }
        await output.put(update)
        let results = try await ToolRound(tools: tools).results(of: update.toolCalls)
        state.withLock { $0.endRound(results: results, for: id) }
        return true
    }
}
