import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway

@Suite struct RequestTableTests {
    private func outcome(_ change: (inout Outcome) -> Void = { _ in }) -> Outcome {
        var outcome = Outcome(startedAt: 1_000_000_000)
        outcome.endedAt = 1_500_000_000
        outcome.operation = "createChatCompletion"
        outcome.upstream = "up"
        change(&outcome)
        return outcome
    }

    private func table(_ outcomes: [Outcome], model: String = "m") -> RequestTable {
        var table = RequestTable()
        for var outcome in outcomes { table.add(&outcome, model: model) }
        return table
    }

    @Test func requestsOfTheSameNamesAreOneSeries() {
        let failed = outcome {
            $0.end = .upstreamFailed
            $0.errorCode = "upstream_connect"
        }
        let table = table([outcome(), failed, outcome()])
        #expect(table.series.map(\.requests) == [2, 1] && table.series.map(\.name.cause) == ["", "upstream_connect"])
    }

    /// To Swift they are equal texts.
    @Test func canonicallyEquivalentModelsStayTwo() {
        var table = RequestTable()
        for model in ["K", "\u{212A}"] {
            var outcome = outcome()
            table.add(&outcome, model: model)
        }
        #expect(table.series.count == 2)
    }

    @Test func measuresOfAStream() throws {
        let stream = outcome {
            $0.isStream = true
            $0.firstContentAt = 1_100_000_000
            $0.promptTokens = 7
            $0.completionTokens = 5
        }
        let measures = try #require(table([stream, stream]).series.first?.measures)
        #expect(measures.duration.count == 2 && measures.duration.sum == 1_000_000_000)
        #expect(measures.firstToken.count == 2 && measures.firstToken.sum == 200_000_000)
        // 400 ms for the four tokens after the first.
        #expect(measures.furtherTokens.sum == 200_000_000)
        #expect(measures.promptTokens.sum == 14 && measures.completionTokens.sum == 10)
    }

    @Test func whatNoUpstreamAnsweredHasNoMeasures() {
        let table = table([outcome { $0.upstream = nil }, outcome { $0.isExplanation = true }])
        #expect(table.series.allSatisfy { $0.measures == nil && $0.singleAttempts == 0 })
    }

    @Test func tokensThatWereOnlyCountedAreNoUsage() {
        let table = table([
            outcome {
                $0.operation = "countMessageTokens"
                $0.promptTokens = 5
            }
        ])
        #expect(table.series.first?.measures?.promptTokens.count == 0)
        #expect(table.series.first?.measures?.duration.count == 1)
    }

    @Test func absurdCountsOfAnUpstreamAreNoMeasures() {
        let table = table([outcome { $0.promptTokens = -1 }])
        #expect(table.series.first?.measures?.promptTokens.count == 0)
    }

    @Test func attemptsAreCountedWhereverTheyWere() {
        let routed = outcome {
            $0.attempts = [
                AttemptSummary(upstream: "a", model: nil, key: nil, error: "stall", duration: 1),
                AttemptSummary(upstream: "up", model: nil, key: nil, error: nil, duration: 1),
            ]
        }
        let table = table([routed, outcome()])
        #expect(table.retries == 1 && table.series.map(\.singleAttempts) == [1])
        let families = RequestFamilies(table: table, providers: [("up", "openai"), ("quiet", "quiet")]).all
        let text = String(decoding: MetricText.bytes(of: families, as: .prometheus), as: UTF8.self)
        #expect(text.contains("headgate_attempts_total{upstream=\"a\",result=\"stall\"} 1\n"))
        #expect(text.contains("headgate_attempts_total{upstream=\"up\",result=\"ok\"} 2\n"))
        #expect(text.contains("headgate_attempts_total{upstream=\"quiet\",result=\"ok\"} 0\n"))
        #expect(text.contains("headgate_retries_total 1\n"))
        #expect(text.contains("gen_ai_provider_name=\"openai\""))
    }

    @Test func tablesOfLoopsAddUp() throws {
        let both = outcome {
            $0.bytesReceived = 10
            $0.bytesSent = 20
            $0.promptTokens = 3
            $0.notes[.cache] = "miss"
        }
        var sum = table([both, outcome()])
        sum.add(table([both]))
        sum.add(table([both], model: "n"))
        #expect(sum.series.map(\.requests) == [3, 1] && sum.bytesReceived == 30 && sum.bytesSent == 60)
        #expect(sum.cache == ["miss": 3])
        #expect(sum.series.first?.measures?.promptTokens.sum == 6)
    }

    /// An upstream chooses the codes of its errors.
    @Test func namesAreBounded() {
        let outcomes = (0..<6000).map { number in
            outcome {
                $0.errorCode = "code_\(number)"
                $0.attempts = [
                    AttemptSummary(upstream: "up", model: nil, key: nil, error: "code_\(number)", duration: 1)
                ]
            }
        }
        let table = table(outcomes)
        #expect(table.series.count <= 4097 && table.attempts.count <= 1025)
        #expect(table.series.reduce(0) { $0 + $1.requests } == 6000)
        #expect(table.attempts.values.reduce(0, +) == 6000)
        #expect(table.series.last?.name.cause == RequestTable.other)
    }
}
