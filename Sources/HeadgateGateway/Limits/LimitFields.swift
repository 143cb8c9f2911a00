internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Rate limit headers of responses, with the names of the dialect's own API.
///
/// They are written as header lines without a value object each: every response of a limited request has about six.
enum LimitFields {
    /// Percentage of a budget from which responses report its use.
    static let warningFrom = 80
    /// Maximum size of all lines in bytes.
    private static let room = 1024
    private static let roomOfDuration = 64

    /// Writes the header lines into temporary memory and passes them to a closure.
    ///
    /// - Parameters:
    ///   - realtime: nanoseconds since 1970.
    ///   - hasOwn: whether to write the gateway's own headers.
    ///   - body: receives the lines, each with its line break before it.
    static func withLines<Result>(
        of levels: LimitLevels, in dialect: Dialect?, realtime: Int64, hasOwn: Bool = true,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
            var lines = LineWriter(memory)
            let isAnthropic = if case .anthropic = dialect { true } else { false }
            for measure in LimitMeasure.allCases {
                guard let level = levels[measure] else { continue }
                let starts = isAnthropic ? measure.anthropicLines : measure.openAILines
                lines.append(starts.limit)
                lines.append(level.limit)
                lines.append(starts.remaining)
                lines.append(level.remaining)
                lines.append(starts.reset)
                if isAnthropic {
                    let (instant, overflows) = realtime.addingReportingOverflow(Int64(clamping: level.reset))
                    lines.append(time: overflows ? .max : instant)
                } else {
                    lines.append(duration: level.reset)
                }
            }
            if levels.isWarning, hasOwn {
                lines.append("\r\n")
                lines.append(plain: HTTPField.Name.xHeadgateBudgetUsed.rawName)
                lines.append(": ")
                lines.append(levels.budgetUsed, decimals: 2)
            }
            return body(UnsafeBufferPointer(rebasing: memory[..<lines.count]))
        }
    }

    /// Returns a duration as text for error messages.
    static func duration(_ nanoseconds: UInt64) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: roomOfDuration) { memory in
            var text = LineWriter(memory)
            text.append(duration: nanoseconds)
            return String(decoding: memory[..<text.count], as: UTF8.self)
        }
    }
}

/// Beginnings of a measure's header lines, up to their values.
private typealias LineStarts = (limit: StaticString, remaining: StaticString, reset: StaticString)

extension LimitMeasure {
    fileprivate var openAILines: LineStarts {
        switch self {
        case .requests:
            (
                "\r\nx-ratelimit-limit-requests: ", "\r\nx-ratelimit-remaining-requests: ",
                "\r\nx-ratelimit-reset-requests: "
            )
        case .tokens:
            (
                "\r\nx-ratelimit-limit-tokens: ", "\r\nx-ratelimit-remaining-tokens: ",
                "\r\nx-ratelimit-reset-tokens: "
            )
        case .inputTokens:
            (
                "\r\nx-ratelimit-limit-input-tokens: ", "\r\nx-ratelimit-remaining-input-tokens: ",
                "\r\nx-ratelimit-reset-input-tokens: "
            )
        case .outputTokens:
            (
                "\r\nx-ratelimit-limit-output-tokens: ", "\r\nx-ratelimit-remaining-output-tokens: ",
                "\r\nx-ratelimit-reset-output-tokens: "
            )
        }
    }

    fileprivate var anthropicLines: LineStarts {
        switch self {
        case .requests:
            (
                "\r\nanthropic-ratelimit-requests-limit: ", "\r\nanthropic-ratelimit-requests-remaining: ",
                "\r\nanthropic-ratelimit-requests-reset: "
            )
        case .tokens:
            (
                "\r\nanthropic-ratelimit-tokens-limit: ", "\r\nanthropic-ratelimit-tokens-remaining: ",
                "\r\nanthropic-ratelimit-tokens-reset: "
            )
        case .inputTokens:
            (
                "\r\nanthropic-ratelimit-input-tokens-limit: ", "\r\nanthropic-ratelimit-input-tokens-remaining: ",
                "\r\nanthropic-ratelimit-input-tokens-reset: "
            )
        case .outputTokens:
            (
                "\r\nanthropic-ratelimit-output-tokens-limit: ",
                "\r\nanthropic-ratelimit-output-tokens-remaining: ",
                "\r\nanthropic-ratelimit-output-tokens-reset: "
            )
        }
    }
}

extension LineWriter {
    /// Appends a duration as OpenAI writes it, rounded up: `120ms`, `1s`, `6m0s`, `23h59m1s`.
    fileprivate mutating func append(duration nanoseconds: UInt64) {
        let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
        guard milliseconds >= 1000 else {
            append(Int(milliseconds))
            return append("ms")
        }
        let seconds = Int(milliseconds / 1000) + (milliseconds % 1000 == 0 ? 0 : 1)
        if seconds >= 3600 {
            append(seconds / 3600)
            append("h")
        }
        if seconds >= 60 {
            append(seconds / 60 % 60)
            append("m")
        }
        append(seconds % 60)
        append("s")
    }
}
