import CHeadgate
import HeadgateDiagnosis

/// Finds a model that responds, in the dialect that it speaks.
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

    /// Maximum time for a model's start, in nanoseconds.
    private static let longestWait: UInt64 = 60_000_000_000

    let client: DoctorClient
    /// Called once before waiting for models, with the finding about the first of them.
    let sayWaiting: (Finding) -> Void

    /// Tries the models in order. Waits for models that are still starting.
    ///
    /// - Returns: The model, and the finding about its whole response. If no model responds, the finding is about the
    ///   first.
    func firstThatAnswers(of names: [String]) async -> (Choice?, Finding) {
        let start = headgate_monotonic_nanoseconds()
        var findings: [String: Finding] = [:]
        var waiting = names
        var hasSaid = false
        while true {
            var starting: [(name: String, seconds: Int)] = []
            for name in waiting {
                let (choice, answer) = await ask(name)
                let finding = ExchangeDiagnosis.answer(answer, model: name)
                if finding.verdict == .ok { return (choice, finding) }
                if case .success(let answer) = answer, let seconds = answer.retryAfterSeconds {
                    starting.append((name, seconds))
                }
                findings[name] = finding
            }
            let waited = headgate_monotonic_nanoseconds() - start
            guard let pause = starting.map(\.seconds).min(), waited < ModelSearch.longestWait else { break }
            if !hasSaid, let finding = findings[starting[0].name] { sayWaiting(finding) }
            hasSaid = true
            waiting = starting.map(\.name)
            try? await Task.sleep(for: .seconds(min(max(pause, 1), 5)))
        }
        let first = names.first.flatMap { findings[$0] }
        return (nil, first ?? .skipped(.answer, "no model is listed: name one with --model"))
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
