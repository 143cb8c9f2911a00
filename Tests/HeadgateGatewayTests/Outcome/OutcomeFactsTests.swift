import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Use of a model, as an outcome records it.
@Suite struct OutcomeFactsTests {
    private func outcome(_ operation: String = "createChatCompletion", _ change: (inout Outcome) -> Void) -> Outcome {
        var outcome = Outcome(startedAt: 0)
        outcome.operation = operation
        change(&outcome)
        return outcome
    }

    @Test(arguments: [
        (RequestEnd.finished, false), (.clientGone, true), (.upstreamFailed, false), (.timedOut, true),
        (.refused, false), (.drained, true),
    ])
    func upstreamMayHaveAnsweredUnseen(_ end: RequestEnd, _ mayHave: Bool) {
        for upstream in ["up", nil] {
            let outcome = outcome {
                $0.end = end
                $0.upstream = upstream
            }
            #expect(outcome.mayBeAnsweredUnseen == (mayHave && upstream != nil))
        }
    }

    @Test func usageIsCompleteWithBothCounts() {
        #expect(!outcome { $0.completionTokens = 1 }.isUsageComplete)
        #expect(!outcome { $0.promptTokens = 1 }.isUsageComplete)
        #expect(outcome { ($0.promptTokens, $0.completionTokens) = (1, 0) }.isUsageComplete)
        #expect(outcome("createEmbedding") { $0.promptTokens = 1 }.isUsageComplete)
        #expect(!outcome("createEmbedding") { $0.completionTokens = 1 }.isUsageComplete)
    }

    @Test(
        arguments: [
            (RequestEnd.finished, true, nil, false, true), (.clientGone, true, nil, false, false),
            (.clientGone, true, "stop", false, true), (.clientGone, false, nil, false, true),
            (.finished, true, "stop", true, false), (.finished, false, nil, true, false),
        ] as [(RequestEnd, Bool, String?, Bool, Bool)])
    func usageOfAStreamIsCompleteAtItsEnd(
        _ end: RequestEnd, _ isStream: Bool, _ reason: String?, _ isUnclean: Bool, _ isComplete: Bool
    ) {
        let outcome = outcome {
            ($0.promptTokens, $0.completionTokens) = (1, 1)
            ($0.end, $0.isStream, $0.finishReason, $0.isUncleanEnd) = (end, isStream, reason, isUnclean)
        }
        #expect(outcome.isUsageComplete == isComplete)
    }

    @Test func countsAndExplanationsUseNoTokens() {
        #expect(outcome { _ in }.usesTokens && outcome("createEmbedding") { _ in }.usesTokens)
        #expect(!outcome("countMessageTokens") { _ in }.usesTokens)
        #expect(!outcome { $0.isExplanation = true }.usesTokens)
    }
}
