import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct LimitFieldsTests {
    private func level(_ limit: Int, remaining: Int, reset: UInt64) -> LimitLevel {
        LimitLevel(limit: limit, burst: limit, remaining: remaining, reset: reset)
    }

    @Test(
        arguments: [
            (0, "0ms"), (1, "1ms"), (120_000_000, "120ms"), (999_000_001, "1s"), (1_000_000_000, "1s"),
            (1_000_000_001, "2s"), (59_500_000_000, "1m0s"), (360_000_000_000, "6m0s"),
            (86_341_000_000_000, "23h59m1s"), (59_000_000_000, "59s"), (60_000_000_000, "1m0s"),
            (3_599_000_000_000, "59m59s"), (3_600_000_000_000, "1h0m0s"),
        ] as [(UInt64, String)])
    func timesAreWrittenAsOpenAIWritesThem(_ nanoseconds: UInt64, _ text: String) {
        #expect(LimitFields.duration(nanoseconds) == text)
    }

    @Test func tightestLimitOfEachKindIsReported() {
        var levels = LimitLevels()
        levels.add(level(60, remaining: 30, reset: 30_000_000_000), of: .requests)
        levels.add(level(1000, remaining: 100, reset: 77_760_000_000_000), of: .requests)
        levels.add(level(90, remaining: 80, reset: 1), of: .requests)
        levels.add(level(200_000, remaining: 199_000, reset: 300_000_000), of: .tokens)
        #expect(
            lines(levels, in: .openAI) == [
                "x-ratelimit-limit-requests: 1000", "x-ratelimit-remaining-requests: 100",
                "x-ratelimit-reset-requests: 21h36m0s", "x-ratelimit-limit-tokens: 200000",
                "x-ratelimit-remaining-tokens: 199000", "x-ratelimit-reset-tokens: 300ms",
            ])
    }

    /// All headers have the longest possible numbers.
    @Test(arguments: [Dialect.openAI, .anthropic])
    func longestLinesHaveRoom(_ dialect: Dialect) {
        var levels = LimitLevels()
        for measure in LimitMeasure.allCases { levels.add(level(.max, remaining: .max, reset: .max), of: measure) }
        levels.add(budgetUsed: 1e6)
        let lines = lines(levels, in: dialect)
        #expect(lines.count == 13 && lines.last == "x-headgate-budget-used: 1000000")
        #expect(lines.allSatisfy { $0.contains("ratelimit-") || $0.contains("budget") })
    }

    /// Returns the header lines, and checks them against the parsed headers.
    private func lines(_ levels: LimitLevels, in dialect: Dialect) -> [String] {
        LimitFields.withLines(of: levels, in: dialect, realtime: InProcessGateway.now) { lines in
            let text = String(decoding: lines, as: UTF8.self)
            #expect(text.utf8.starts(with: "\r\n".utf8))
            let fields = HTTPFields(lines: lines).map { "\($0.name): \($0.value)" }
            #expect(text == fields.map { "\r\n" + $0 }.joined())
            return fields
        }
    }

    @Test func messagesHaveTheNamesOfAnthropic() {
        var levels = LimitLevels()
        levels.add(level(1000, remaining: 7, reset: 1_000_000_000), of: .inputTokens)
        #expect(
            lines(levels, in: .anthropic) == [
                "anthropic-ratelimit-input-tokens-limit: 1000", "anthropic-ratelimit-input-tokens-remaining: 7",
                "anthropic-ratelimit-input-tokens-reset: 2027-01-15T08:00:01.123Z",
            ])
    }
}
