internal import HeadgatePrimitives

extension ChatSession {
    /// Makes one response, with as many rounds of tools as it takes. The turn ends when the reader has been given all
    /// of it.
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
            // Not seen for a cancelled turn: its stream has ended before.
            output.finish(throwing: error)
        }
    }

    /// Runs one round: requests a response, and runs the tools that it calls.
    ///
    /// - Returns: whether another round has to follow with the results.
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
