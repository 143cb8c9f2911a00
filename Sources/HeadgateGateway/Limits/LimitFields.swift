internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// What responses say of the limits of their requests, in the words of the dialect's own API.
///
/// Written as lines, without a value for each field: every response of a limited request has six or so.
enum LimitFields {
    /// Percent of a budget from which on responses tell it.
    static let warningFrom = 80
    /// Octets that all lines take at most.
    private static let room = 1024
    private static let roomOfDuration = 64

    /// - Parameters:
    ///   - realtime: nanoseconds since 1970.
    ///   - hasOwn: whether there are fields of the gateway's own.
    ///   - body: given the lines, each with the line end before it.
    static func withLines<Result>(
        of levels: LimitLevels, in dialect: Dialect?, realtime: Int64, hasOwn: Bool = true,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
            var lines = LineWriter(memory)
            let isAnthropic = if case .anthropic = dialect { true } else { false }
            func tell(_ measure: LimitMeasure, _ word: StaticString) {
                guard let level = levels[measure] else { return }
                lines.begin("limit", of: word, isAnthropic: isAnthropic)
                lines.append(level.limit)
                lines.begin("remaining", of: word, isAnthropic: isAnthropic)
                lines.append(level.remaining)
                lines.begin("reset", of: word, isAnthropic: isAnthropic)
                if isAnthropic {
                    let (instant, overflows) = realtime.addingReportingOverflow(Int64(clamping: level.reset))
                    lines.append(time: overflows ? .max : instant)
                } else {
                    lines.append(duration: level.reset)
                }
            }
            tell(.requests, "requests")
            tell(.tokens, "tokens")
            tell(.inputTokens, "input-tokens")
            tell(.outputTokens, "output-tokens")
            if levels.isWarning, hasOwn {
                lines.append("\r\n")
                lines.append(plain: HTTPField.Name.xHeadgateBudgetUsed.rawName)
                lines.append(": ")
                lines.append(plain: DecimalText.text(levels.budgetUsed, digits: 2))
            }
            return body(UnsafeBufferPointer(rebasing: memory[..<lines.count]))
        }
    }

    /// For people.
    static func duration(_ nanoseconds: UInt64) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: roomOfDuration) { memory in
            var text = LineWriter(memory)
            text.append(duration: nanoseconds)
            return String(decoding: memory[..<text.count], as: UTF8.self)
        }
    }
}

extension LineWriter {
    /// The start of a line, up to its value.
    @inline(__always)
    fileprivate mutating func begin(_ what: StaticString, of measure: StaticString, isAnthropic: Bool) {
        append(isAnthropic ? "\r\nanthropic-ratelimit-" : "\r\nx-ratelimit-")
        append(isAnthropic ? measure : what)
        append("-")
        append(isAnthropic ? what : measure)
        append(": ")
    }

    /// As OpenAI writes it: `120ms`, `1s`, `6m0s`, `23h59m1s`. Rounded up.
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
