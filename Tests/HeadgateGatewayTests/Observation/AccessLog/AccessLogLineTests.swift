import Foundation
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct AccessLogLineTests {
    private func outcome(_ change: (inout Outcome) -> Void = { _ in }) -> Outcome {
        var outcome = Outcome(startedAt: 1_000_000_000)
        outcome.endedAt = 1_002_345_678
        change(&outcome)
        return outcome
    }

    private func json(_ outcome: Outcome) throws -> [String: Any] {
        var (line, shared): ([UInt8], SharedLogParts) = ([], .init())
        var outcome = outcome
        AccessLogLine.append(&outcome, at: 0, &shared, to: &line)
        #expect(line.allSatisfy { $0 >= 0x20 })
        return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }

    private func full(_ outcome: inout Outcome) {
        outcome.firstContentAt = 1_000_500_000
        outcome.requestID = "id-1"
        outcome.method = "POST"
        outcome.operation = "createChatCompletion"
        outcome.remoteAddress = "::1"
        outcome.status = 200
        outcome.keyName = "k"
        outcome.model = "m"
        outcome.upstream = "up"
        outcome.upstreamStatus = 201
        outcome.isStream = true
        outcome.bytesReceived = 5
        outcome.bytesSent = 6
        outcome.events = 7
        outcome.promptTokens = 8
        outcome.completionTokens = 9
        outcome.finishReason = "stop"
        outcome.errorCode = "e"
        outcome.isUncleanEnd = true
        outcome.end = .upstreamFailed
    }

    /// The size of a line is computed before it is written.
    @Test func longestFactsHaveRoom() {
        let long = String(repeating: "\u{1}", count: 1000)
        var outcome = outcome(full)
        outcome.requestID = long
        outcome.method = long
        outcome.operation = long
        outcome.remoteAddress = long
        outcome.keyName = long
        outcome.model = long
        outcome.upstream = long
        outcome.finishReason = long
        outcome.errorCode = long
        outcome.errorDetail = long
        outcome.firstContentAt = .max
        outcome.endedAt = .max
        outcome.status = .min
        outcome.upstreamStatus = .min
        outcome.bytesReceived = .min
        outcome.bytesSent = .min
        outcome.maximumQueuedBytes = .max
        outcome.events = .min
        outcome.promptTokens = .min
        outcome.completionTokens = .min
        var (line, shared): ([UInt8], SharedLogParts) = ([], .init())
        AccessLogLine.append(&outcome, at: .max, &shared, to: &line)
        // Six texts can contain anything and are escaped; the names are not.
        #expect(line.count > 6 * 6000 + 4 * 1000 && line.last == UInt8(ascii: "}"))
    }

    @Test func everyFactHasItsMember() throws {
        let line = try json(outcome(full))
        let expected: [String: Any] = [
            "time": "1970-01-01T00:00:00.000Z", "request_id": "id-1", "remote": "::1", "method": "POST",
            "operation": "createChatCompletion", "status": 200, "outcome": "upstream_failed", "key": "k", "model": "m",
            "upstream": "up", "upstream_status": 201, "stream": true, "ttft_ms": 0.5, "duration_ms": 2.35,
            "bytes_in": 5,
            "bytes_out": 6, "events": 7, "prompt_tokens": 8, "completion_tokens": 9, "finish_reason": "stop",
            "error": "e",
            "unclean_end": true,
        ]
        #expect(line as NSDictionary == expected as NSDictionary)
    }

    @Test func unknownFactsAreLeftOut() throws {
        let line = try json(outcome())
        #expect(
            line.keys.sorted() == ["bytes_in", "bytes_out", "duration_ms", "operation", "outcome", "status", "time"])
    }

    @Test func textsOfCallersAndUpstreamsCannotBreakTheLine() throws {
        let nasty = "a\"b\\c\nd\u{0}\u{1B}[31m\u{7F}\u{9B}é\u{2028}"
        let line = try json(
            outcome {
                $0.model = nasty
                $0.finishReason = nasty
                $0.method = nasty
                $0.keyName = nasty
                $0.errorDetail = nasty
            })
        #expect(line["key"] as? String == nasty)
        #expect(line["detail"] as? String == nasty)
        #expect(line["model"] as? String == nasty)
        #expect(line["finish_reason"] as? String == nasty)
        #expect(line["method"] as? String == nasty)
    }

    /// Lines of one loop copy what they have in common with earlier ones.
    @Test func lineDoesNotDependOnTheLinesBefore() throws {
        let changes: [(inout Outcome) -> Void] = [
            { _ in }, { $0.remoteAddress = "::2" }, { $0.method = "GET" }, { $0.operation = "listModels" },
            { $0.status = 500 }, { $0.end = .finished }, { $0.keyName = nil }, { $0.model = "n\"\u{1}" },
            { $0.upstream = "" }, { $0.upstreamStatus = nil }, { $0.model = String(repeating: "m", count: 5000) },
            // Swift regards each pair as equal.
            { $0.model = "K" }, { $0.model = "\u{212A}" }, { $0.keyName = "\u{E9}" }, { $0.keyName = "e\u{301}" },
            { $0.upstream = "K" }, { $0.upstream = "\u{212A}" },
        ]
        let second: Int64 = 1_000_000_000
        // The clock advances, and is set back twice.
        let times = [0, 1, 999_999_999, second, second + 20_000_000, 86_400 * second, second - 1, 3]
        var shared = SharedLogParts()
        for round in 0..<4 * changes.count {
            for (number, now) in times.enumerated() {
                var outcome = outcome(full)
                // Some lines are like the one before, some like an earlier one, and some like none.
                changes[(round * (number / 2 + 1)) % changes.count](&outcome)
                outcome.requestID = "id-\(round)-\(number)"
                var (line, alone): ([UInt8], [UInt8]) = ([], [])
                AccessLogLine.append(&outcome, at: now, &shared, to: &line)
                var fresh = SharedLogParts()
                AccessLogLine.append(&outcome, at: now, &fresh, to: &alone)
                #expect(line == alone, "\(String(decoding: line, as: UTF8.self))")
            }
        }
    }
}
