internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// The access log for people: one aligned line per request, with the most informative columns first.
///
/// ```text
/// 14:03:07 200 laptop     smart > openai      312 ms  120+45  38 tok/s  1.42 s  $0.00068  stop  3f2a9c1e
/// ```
/// The columns are: time, status, key, model > upstream (without a model, the path or the operation), time to first
/// content, prompt + completion tokens, tokens per second after the first content, duration, cost in USD, outcome, and
/// request id. A `~` marks estimated tokens and their cost.
package final class AccessLogText: Sendable {
    /// Whether lines show only the time of day, without the date.
    private let isTerminal: Bool
    private let isColored: Bool
    /// Seconds by which local time is ahead of UTC, at a time in nanoseconds since 1970.
    private let secondsFromUTC: @Sendable (Int64) -> Int64

    package init(isTerminal: Bool, isColored: Bool, secondsFromUTC: @escaping @Sendable (Int64) -> Int64) {
        (self.isTerminal, self.isColored, self.secondsFromUTC) = (isTerminal, isColored, secondsFromUTC)
    }

    /// - Parameter now: nanoseconds since 1970.
    func append(_ outcome: borrowing Outcome, at now: Int64, to line: inout [UInt8]) {
        var text = time(now)
        text += " " + colored("\(outcome.status)", by: AccessLog.Level(of: outcome))
        text += " " + padded(outcome.keyName ?? "-", to: 10)
        text += " " + padded(subject(of: outcome), to: 26)
        text += " " + aligned(outcome.timeToFirstContent.map(Self.duration), to: 8)
        text += " " + aligned(tokens(of: outcome), to: 12)
        text += " " + aligned(rate(of: outcome), to: 10)
        text += " " + aligned(Self.duration(outcome.duration), to: 8)
        text += " " + aligned(cost(of: outcome), to: 9)
        text += "  " + ending(of: outcome).joined(separator: " ")
        if !outcome.requestID.isEmpty { text += "  " + dim(outcome.requestID) }
        line.append(contentsOf: text.utf8)
    }

    private func time(_ now: Int64) -> String {
        let text = Timestamp.text(now + secondsFromUTC(now) * 1_000_000_000)
        let (date, clock) = (text.prefix(10), text.dropFirst(11).prefix(8))
        return isTerminal ? String(clock) : "\(date) \(clock)"
    }

    private func subject(of outcome: borrowing Outcome) -> String {
        guard let model = outcome.model else { return outcome.notes[.path].map(shown) ?? outcome.operation }
        return shown(outcome.upstream.map { "\(model) > \($0)" } ?? model)
    }

    private func tokens(of outcome: borrowing Outcome) -> String? {
        guard outcome.promptTokens != nil || outcome.completionTokens != nil else { return nil }
        func count(_ tokens: Int?) -> String { tokens.map(String.init) ?? "?" }
        return "\(mark(of: outcome))\(count(outcome.promptTokens))+\(count(outcome.completionTokens))"
    }

    private func cost(of outcome: borrowing Outcome) -> String? {
        outcome.notes.cost.map { $0 == .unknown ? "$?" : mark(of: outcome) + Self.dollars($0) }
    }

    /// Returns the prefix of estimated values.
    private func mark(of outcome: borrowing Outcome) -> String { outcome.notes.isEstimated ? "~" : "" }

    private func rate(of outcome: borrowing Outcome) -> String? {
        guard let tokens = outcome.completionTokens, let first = outcome.timeToFirstContent,
            outcome.duration - first > 0.001
        else { return nil }
        return "\(Int((Double(tokens) / (outcome.duration - first)).rounded())) tok/s"
    }

    private func ending(of outcome: borrowing Outcome) -> [String] {
        var words: [String] = []
        if outcome.end != .finished || outcome.finishReason == nil && outcome.errorCode == nil {
            words.append(outcome.end.rawValue)
        }
        if let reason = outcome.finishReason { words.append(shown(reason)) }
        if let error = outcome.errorCode { words.append(colored(shown(error), by: AccessLog.Level(of: outcome))) }
        words += reasons(of: outcome)
        if outcome.isExplanation { words.append("explanation") }
        if outcome.attempts.count > 1 { words.append("attempts=\(outcome.attempts.count)") }
        if let cache = outcome.notes[.cache] { words.append("cache=\(cache)") }
        if let hedge = outcome.notes[.hedge] { words.append("hedge=\(hedge)") }
        if let repairs = outcome.notes[.repairs] { words.append("repairs=\(repairs)") }
        if let disconnect = outcome.notes[.afterDisconnect] { words.append("after_leaving=\(disconnect)") }
        if let fault = outcome.notes[.injectedFault] { words.append("fault=\(shown(fault))") }
        return words
    }

    /// Returns the reason of the failure, or with several attempts the reason of each failed attempt.
    private func reasons(of outcome: borrowing Outcome) -> [String] {
        let failed = outcome.attempts.filter { $0.error != nil }
        guard failed.isEmpty || outcome.attempts.count == 1 else {
            let reasons = failed.map { "\($0.upstream): \($0.detail ?? $0.error ?? "")" }
            return ["(\(shown(reasons.joined(separator: "; "))))"]
        }
        return outcome.errorDetail.map { ["(\(shown($0)))"] } ?? []
    }

    /// Returns the duration with three significant digits.
    private static func duration(_ seconds: Double) -> String {
        if seconds < 0.9995 {
            let milliseconds = seconds * 1000
            return milliseconds < 9.995
                ? "\((milliseconds * 100).rounded() / 100) ms" : "\(Int(milliseconds.rounded())) ms"
        }
        if seconds < 99.95 { return "\((seconds * 100).rounded() / 100) s" }
        return seconds < 1e9 ? "\(Int(seconds.rounded())) s" : "- s"
    }

    /// Returns the cost with three significant digits, or `$?` if it is unknown.
    private static func dollars(_ cost: RequestCost) -> String {
        guard case .known(let picodollars) = cost else { return "$?" }
        guard picodollars > 0 else { return "$0" }
        var step = 1
        while picodollars / step >= 1000 { step *= 10 }
        let rest = picodollars % step
        let rounded = picodollars - rest + (rest >= step - rest ? step : 0)
        return "$" + DecimalText.text(rounded, digits: RequestCost.digits)
    }

    /// Replaces characters that a terminal could interpret, because callers choose model names.
    private func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: LogText.isHidden) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars { shown.unicodeScalars.append(LogText.isHidden(scalar) ? "?" : scalar) }
        return shown
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    private func aligned(_ text: String?, to width: Int) -> String {
        let text = text ?? "-"
        return String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    private func dim(_ text: String) -> String { isColored ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    private func colored(_ text: String, by level: AccessLog.Level) -> String {
        guard isColored else { return text }
        let color =
            switch level {
            case .error: "31"
            case .warn: "33"
            case .info, .debug: "32"
            }
        return "\u{1B}[\(color)m\(text)\u{1B}[0m"
    }
}
