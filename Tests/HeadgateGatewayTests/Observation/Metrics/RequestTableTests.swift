import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RequestTableTests {
    private let labels = RequestTable.Labels()

    private func outcome(_ change: (inout Outcome) -> Void = { _ in }) -> Outcome {
        var outcome = Outcome(startedAt: 1_000_000_000)
        outcome.endedAt = 1_500_000_000
        outcome.operation = "createChatCompletion"
        outcome.upstream = "up"
        outcome.upstreamStatus = 200
        change(&outcome)
        return outcome
    }

    private func table(_ outcomes: [Outcome], model: String = "m", loops: Int = 1) -> RequestTable {
        var table = RequestTable(loops: loops)
        for var outcome in outcomes { table.add(&outcome, model: model, by: labels) }
        return table
    }

    private func attempt(_ upstream: String, error: String?, result: String?) -> AttemptSummary {
        AttemptSummary(upstream: upstream, model: nil, key: nil, error: error, result: result, duration: 1)
    }

    @Test func requestsOfTheSameNamesAreOneSeries() {
        let failed = outcome {
            $0.end = .upstreamFailed
            $0.errorCode = "upstream_connect"
        }
        let table = table([outcome(), failed, outcome()])
        #expect(table.series.map(\.requests) == [2, 1] && table.series.map(\.name.cause) == ["", "upstream_connect"])
    }

    /// Swift regards the two names as equal.
    @Test func canonicallyEquivalentModelsStayTwo() {
        var table = RequestTable(loops: 1)
        for model in ["K", "\u{212A}"] {
            var outcome = outcome()
            table.add(&outcome, model: model, by: labels)
        }
        #expect(table.series.count == 2)
    }

    /// The label of the previous request is reused, so every other name must still count.
    @Test func requestsAfterOneOfTheSameModelKeepTheirNames() {
        var table = RequestTable(loops: 1)
        let changes: [@Sendable (inout Outcome) -> Void] = [
            { _ in }, { $0.operation = "createMessage" }, { $0.upstream = "Up" }, { $0.upstream = nil },
            // Too long to be in the string itself, so each request has it elsewhere in memory.
            { $0.upstream = String(repeating: "up", count: 20) },
            { $0.end = .clientGone }, { $0.errorCode = "stall" }, { $0.errorCode = "ending" },
            {
                $0.errorCode = "ending"
                $0.errorLabel = "other"
            },
            { $0.model = "\u{212A}" }, { $0.model = nil },
        ]
        for change in changes {
            for change in [{ _ in }, change, change] {
                var outcome = outcome {
                    $0.model = "K"
                    change(&$0)
                }
                let isLikeLatest = table.isLikeLatest(&outcome, by: labels)
                table.add(&outcome, model: isLikeLatest ? nil : outcome.model ?? "", by: labels)
            }
        }
        #expect(table.series.map(\.requests) == [changes.count + 2] + Array(repeating: 2, count: changes.count - 1))
    }

    @Test func otherConfigurationsHaveTheirOwnLabels() {
        var table = RequestTable(loops: 1)
        for (labels, label) in [(labels, "m"), (RequestTable.Labels(), "*"), (labels, "m")] {
            var outcome = outcome { $0.model = "m" }
            #expect(!table.isLikeLatest(&outcome, by: labels))
            table.add(&outcome, model: label, by: labels)
        }
        #expect(table.series.map(\.name.model.text) == ["m", "*"] && table.series.map(\.requests) == [2, 1])
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

    @Test func unservedRequestHasNoMeasures() {
        let untranslatable = outcome {
            $0.upstreamStatus = nil
            $0.end = .refused
            $0.errorCode = "unsupported_value"
        }
        let skipped = outcome {
            $0.upstreamStatus = nil
            $0.attempts = [attempt("up", error: "unsupported_value", result: nil)]
        }
        let table = table([
            outcome { $0.upstream = nil }, outcome { $0.isExplanation = true }, untranslatable, skipped,
        ])
        #expect(table.series.allSatisfy { $0.measures == nil && $0.singleAttempts == 0 })
        #expect(table.attempts.isEmpty && table.retries == 0)
    }

    @Test func attemptWithoutAResponseCountsAsSent() {
        let unreachable = outcome {
            $0.upstreamStatus = nil
            $0.isUpstreamsFault = true
            $0.errorCode = "upstream_connect"
        }
        let table = table([unreachable])
        #expect(table.series.map(\.singleAttempts) == [1] && table.series[0].measures?.duration.count == 1)
    }

    @Test func departuresBeforeAResponseAreNotSuccesses() {
        let left = outcome {
            $0.upstreamStatus = nil
            $0.end = .clientGone
        }
        let table = table([left, outcome { $0.end = .clientGone }])
        #expect(table.series.map(\.singleAttempts) == [1] && table.series[0].measures?.duration.count == 1)
        #expect(table.attempts == [.init(upstream: ExactText("up"), result: "client_gone"): 1])
    }

    @Test func countedOnlyTokensAreNotUsage() {
        let table = table([
            outcome {
                $0.operation = "countMessageTokens"
                $0.promptTokens = 5
            }
        ])
        #expect(table.series.first?.measures?.promptTokens.count == 0)
        #expect(table.series.first?.measures?.duration.count == 1)
    }

    @Test func absurdUpstreamCountsAreIgnored() {
        let table = table([outcome { $0.promptTokens = -1 }])
        #expect(table.series.first?.measures?.promptTokens.count == 0)
    }

    @Test func attemptsAreCountedForEveryUpstream() {
        let routed = outcome {
            $0.attempts = [
                attempt("a", error: "its_own", result: "status_500"), attempt("up", error: nil, result: "ok"),
            ]
        }
        let table = table([routed, outcome()])
        #expect(table.retries == 1 && table.series.map(\.singleAttempts) == [1])
        let families = RequestFamilies(table: table, providers: [("up", "openai"), ("quiet", "quiet")]).all
        let text = String(decoding: MetricText.bytes(of: families, as: .prometheus), as: UTF8.self)
        #expect(text.contains("headgate_attempts_total{upstream=\"a\",result=\"status_500\"} 1\n"))
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

    /// Returns a table with one request for each model, as if configuration changes kept adding names.
    private func crowd(_ models: Range<Int>, loops: Int) -> RequestTable {
        var table = RequestTable(loops: loops)
        for number in models {
            var outcome = outcome()
            table.add(&outcome, model: "m\(number)", by: labels)
        }
        return table
    }

    @Test func namesAreBounded() {
        var table = crowd(0..<6000, loops: 1)
        for number in 0..<2000 {
            var routed = outcome { $0.attempts = [attempt("up", error: "e", result: "result_\(number)")] }
            table.add(&routed, model: "m0", by: labels)
        }
        #expect(table.series.count == 4097 && table.attempts.count == 1025)
        #expect(table.series.reduce(0) { $0 + $1.requests } == 8000)
        #expect(table.attempts.values.reduce(0, +) == 2000)
        let last = table.series.last?.name
        #expect(last?.model.text == RequestTable.other && last?.upstream.text == "up" && last?.cause == "")
    }

    @Test func successesAboveTheBoundAreStillSuccesses() {
        let families = RequestFamilies(table: crowd(0..<5000, loops: 1), providers: []).all
        let text = String(decoding: MetricText.bytes(of: families, as: .prometheus), as: UTF8.self)
        #expect(text.contains("headgate_attempts_total{upstream=\"up\",result=\"ok\"} 5000\n"))
        #expect(!text.contains("upstream=\"other\""))
    }

    @Test func seriesThatWereShownStay() {
        var sum = RequestTable(loops: 2)
        for table in [crowd(0..<5000, loops: 2), crowd(5000..<10000, loops: 2)] { sum.add(table) }
        // Each table has its named series, and both share the "other" series.
        #expect(sum.series.count == 2 * 2048 + 1)
        #expect(
            sum.series.contains { $0.name.model.text == "m0" } && sum.series.contains { $0.name.model.text == "m5000" })
        #expect(sum.series.reduce(0) { $0 + $1.requests } == 10000)
    }
}
