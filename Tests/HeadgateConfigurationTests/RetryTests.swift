import HeadgateConfiguration
import Testing

/// Configuration of retries.
@Suite struct RetryTests {
    private func retry(_ fields: String) throws -> RetryConfiguration {
        try parse("models: {m: {upstream: on-device, retry: {\(fields)}}}").models[0].retry
    }

    @Test func everyKeyArrives() throws {
        #expect(
            try retry("attempts: 3, backoff: 1ms, max_backoff: 2m, budget: 0%, on: [connect, 429, 529, '408']")
                == RetryConfiguration(
                    attempts: 3, backoff: .milliseconds(1), maximumBackoff: .seconds(120), budgetPercent: 0,
                    faults: [.connect, .status(429), .status(529), .status(408)]))
        #expect(try retry("on: [timeout, stream, 5xx]").faults == [.timeout, .stream, .serverErrors])
        #expect(try retry("budget: 100%").budgetPercent == 100)
        #expect(try retry("attempts: 1").attempts == 1 && retry("attempts: 10").attempts == 10)
    }

    @Test func omittedValuesHaveDefaults() throws {
        let retry = try retry("")
        #expect(retry == RetryConfiguration())
        #expect(retry.attempts == nil && retry.budgetPercent == 10)
        #expect(retry.backoff == .milliseconds(200) && retry.maximumBackoff == .seconds(5))
        #expect(
            retry.faults == [
                .connect, .timeout, .status(408), .status(409), .status(425), .status(429), .serverErrors, .stream,
            ])
    }

    @Test func longerBackoffRaisesItsDefaultMaximum() throws {
        let retry = try retry("backoff: 10s")
        #expect(retry.backoff == .seconds(10) && retry.maximumBackoff == .seconds(10))
        #expect(try self.retry("backoff: 1s, max_backoff: 1s").maximumBackoff == .seconds(1))
    }

    @Test(arguments: [
        ("attempts: 0", "12: error: attempts: found \"0\", expected a whole number from 1 to 10"),
        ("attempts: 11", "12: error: attempts: found \"11\", expected a whole number from 1 to 10"),
        ("budget: 10", "10: error: budget: found \"10\", expected a percentage such as 10% (from 0% to 100%)"),
        ("budget: 101%", "10: error: budget: found \"101%\", expected a percentage such as 10% (from 0% to 100%)"),
        ("budget: '%'", "10: error: budget: found \"%\", expected a percentage such as 10% (from 0% to 100%)"),
        ("budget: 1.5%", "10: error: budget: found \"1.5%\", expected a percentage such as 10% (from 0% to 100%)"),
        ("budget: -1%", "10: error: budget: found \"-1%\", expected a percentage such as 10% (from 0% to 100%)"),
        (
            "backoff: 1s, max_backoff: 10ms",
            "28: error: max_backoff: less than backoff, which is 1.0 seconds: make it larger, or make that smaller"
        ),
        (
            "max_backoff: 10ms",
            "15: error: max_backoff: less than backoff, which is 0.2 seconds: make it larger, or write a smaller one"
        ),
        (
            "backoff: 0s",
            "11: error: backoff: found \"0s\", expected a duration such as 250ms, 5s, 2m or 1h (above zero, at most 24h)"
        ),
        ("on: []", "6: error: on: the list is empty: name what is followed by another send, or write attempts: 1"),
        ("on: connect", "6: error: on: found text, expected a list of faults, such as [connect, 429, 5xx]"),
        (
            "on: [conect]",
            "7: error: on: found \"conect\", expected connect, timeout, stream or 5xx, or a status from 400 to 599; did you mean \"connect\"?"
        ),
        (
            "on: [4xx]",
            "7: error: on: found \"4xx\", expected connect, timeout, stream or 5xx, or a status from 400 to 599; did you mean \"5xx\"?"
        ),
        (
            "on: [200]",
            "7: error: on: found \"200\", expected connect, timeout, stream or 5xx, or a status from 400 to 599"
        ),
        (
            "on: [600]",
            "7: error: on: found \"600\", expected connect, timeout, stream or 5xx, or a status from 400 to 599"
        ),
    ])
    func retryMistakes(_ fields: String, _ issue: String) {
        #expect(issues("models: {m: {upstream: on-device, retry: {\n \(fields)}}}") == ["t.yaml:2:\(issue)"])
    }
}
