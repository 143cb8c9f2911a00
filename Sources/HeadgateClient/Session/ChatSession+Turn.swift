extension ChatSession {
    typealias Output = AsyncThrowingStream<ResponseUpdate, any Error>.Continuation

    /// Gives one answer, with as many rounds of tools as it takes.
    func run(_ id: Int, _ output: Output) async {
        do {
            var rounds = 0
            while try await runRound(id, output) {
                rounds += 1
                guard rounds < maximumToolRounds else {
                    throw HeadgateClientError.tooManyToolRounds(limit: maximumToolRounds)
                }
            }
            guard state.withLock({ $0.finish(id) }) != nil else { return }
            output.yield(ResponseUpdate(isEnd: true))
            output.finish()
        } catch {
            // Whoever has ended the turn before has also ended its stream.
            guard state.withLock({ $0.interrupt(id) }) != nil else { return }
            output.finish(throwing: error)
        }
    }

    /// Asks the model once, and runs the tools that it asks for.
    ///
    /// - Returns: whether the model has to be asked again, with the results.
    private func runRound(_ id: Int, _ output: Output) async throws -> Bool {
        let definitions = tools.map { $0.definition }
        guard let request = state.withLock({ $0.request(tools: definitions, for: id) }) else { return false }
        for try await chunk in client.chat.stream(request) {
            guard let update = state.withLock({ $0.take(chunk, for: id) }) else { return false }
            output.yield(update)
        }
        let calls = state.withLock { $0.calls(of: id) }
        guard !calls.isEmpty else { return false }
        output.yield(ResponseUpdate(toolCalls: calls))
        let results = try await ToolRound(tools: tools).results(of: calls)
        state.withLock { $0.endRound(results: results, for: id) }
        return true
    }
}
