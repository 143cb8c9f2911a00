import HeadgateDiagnosis

/// Looks for a model that answers, in the dialect that it speaks.
struct ModelSearch {
    struct Choice: Sendable {
        let model: String
        let dialect: StreamDialect
        fileprivate let namesCompletionTokens: Bool

        func probe(_ question: ProbeRequest.Question) -> ProbeRequest {
            ProbeRequest(
                dialect, model: model, question: question, isStream: true,
                namesCompletionTokens: namesCompletionTokens)
        }
    }

    let client: DoctorClient

    /// - Returns: the model, and the finding about its whole answer; of several that give none, about the first.
    func firstThatAnswers(of names: [String]) async -> (Choice?, Finding) {
        var firstFailure: Finding?
        for name in names {
            let (choice, answer) = await ask(name)
            let finding = ExchangeDiagnosis.answer(answer, model: name)
            if finding.verdict == .ok { return (choice, finding) }
            firstFailure = firstFailure ?? finding
        }
        return (nil, firstFailure ?? .skipped(.answer, "no model is listed: name one with --model"))
    }

    private func ask(_ name: String) async -> (Choice, Result<WholeObservation, ExchangeFailure>) {
        var choice = Choice(model: name, dialect: .chat, namesCompletionTokens: false)
        var answer = await send(choice)
        guard case .success(let refusal) = answer, refusal.status == 400 else { return (choice, answer) }
        if refusal.mentions("dialect_not_spoken") {
            choice = Choice(model: name, dialect: .messages, namesCompletionTokens: false)
        } else if refusal.mentions("max_completion_tokens") {
            choice = Choice(model: name, dialect: .chat, namesCompletionTokens: true)
        } else {
            return (choice, answer)
        }
        answer = await send(choice)
        return (choice, answer)
    }

    private func send(_ choice: Choice) async -> Result<WholeObservation, ExchangeFailure> {
        let probe = ProbeRequest(
            choice.dialect, model: choice.model, isStream: false, namesCompletionTokens: choice.namesCompletionTokens)
        return await client.ask(probe.path, body: probe.body)
    }
}
