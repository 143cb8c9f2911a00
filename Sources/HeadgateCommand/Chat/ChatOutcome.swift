import HeadgateClient
import HeadgateEventLoop
import HeadgatePrimitives

/// Outcome of one request to a model.
struct ChatOutcome: Sendable {
    let model: String
    var response = ChatResponse()
    /// Time from the request to the first content; nil without content.
    var firstAfter: Duration?
    var total: Duration = .zero
    /// Error that made the reply incomplete; nil if it is complete or was stopped.
    var failure: String?
    var isStopped = false
    /// Whether the model requires another route.
    var isMisdirected = false
    /// Whether the reader of standard output has closed it.
    var isUnread = false

    /// Message about a reply that a token limit or a filter cut off; nil for other ends.
    var cut: String? {
        switch response.finishReason {
        case .length?: "cut off at the limit of tokens"
        case .contentFilter?: "cut off by the provider's filter"
        // Anthropic's finish reason.
        case let reason? where reason.rawValue == "refusal": "cut off: the model refused to go on"
        // The reason is one of the known words, so it can be shown unchanged.
        case let reason? where reason.isCut: "cut off: \(reason.rawValue)"
        default: nil
        }
    }

    /// Whether the reply can be continued.
    var mayGoOn: Bool {
        guard !response.content.isEmpty else { return false }
        if failure != nil || isStopped { return true }
        guard let reason = response.finishReason, reason.isCut else { return false }
        // A reply that was filtered or refused is not continued.
        return reason != .contentFilter && reason.rawValue != "refusal"
    }

    /// Tokens per second after the first content; nil if it is unknown.
    var speed: Double? {
        guard let tokens = response.usage?.completionTokens, tokens > 1, let firstAfter else { return nil }
        let seconds = (total - firstAfter).seconds
        // A reply that arrives at once says nothing about the speed.
        return seconds > 0.05 ? Double(tokens) / seconds : nil
    }
}

extension ChatService {
    /// Sends a request to the model, and shows the reply as it arrives. A signal stops the reply, which stays in the
    /// session.
    ///
    /// - Parameter earlier: the beginning of the reply, if it was shown before.
    func ask(
        _ session: ChatSession, _ prompt: MessageContent, form: ResponseForm, behind earlier: String = ""
    ) -> ChatOutcome {
        let outcome = askOnce(session, prompt, form: form, behind: earlier)
        // The model's route might have changed, or was unknown.
        guard outcome.isMisdirected, let route = try? route(of: session.model), route != session.route else {
            return outcome
        }
        session.route = route
        return askOnce(session, prompt, form: form, behind: earlier)
    }

    private func askOnce(
        _ session: ChatSession, _ prompt: MessageContent, form: ResponseForm, behind earlier: String
    ) -> ChatOutcome {
        relay.forget()
        let done = Latch()
        let result = Locked(ChatOutcome(model: session.model))
        let stream = session.streamResponse(to: prompt)
        let before = relay.set { _ in session.cancel() }
        defer { relay.set(before) }
        // The signal can come before there is a request to cancel.
        if relay.last != nil { session.cancel() }
        Task {
            var outcome = ChatOutcome(model: session.model)
            var display = ResponseDisplay(form, behind: earlier)
            let start = ContinuousClock.now
            do {
                for try await response in stream {
                    let isFirst = outcome.response.content.isEmpty && outcome.response.reasoning.isEmpty
                    if isFirst, !response.content.isEmpty || !response.reasoning.isEmpty {
                        outcome.firstAfter = start.duration(to: .now)
                    }
                    outcome.response = response
                    if !display.show(response) {
                        outcome.isUnread = true
                        session.cancel()
                    }
                }
            } catch {
                outcome.failure = ChatService.explain(error)
                outcome.isMisdirected = (error as? HeadgateClientError)?.apiError?.code == "dialect_not_spoken"
            }
            display.end()
            outcome.total = start.duration(to: .now)
            outcome.isStopped = outcome.failure == nil && !outcome.response.isComplete
            result.withLock { [outcome] in $0 = outcome }
            done.open()
        }
        done.wait()
        return result.withLock { $0 }
    }
}

extension Duration {
    var seconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }
}
