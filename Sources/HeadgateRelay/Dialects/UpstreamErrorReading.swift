internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Reads an upstream's error from a body or an event, and converts it to one that can be sent to a client.
final class UpstreamErrorReading: Sendable {
    let upstream: String
    /// Removes secrets that the upstream repeats.
    private let redaction: SecretRedaction
    /// Returns secrets that are not known in advance; nil if there are none.
    private let changingKeys: (@Sendable () -> [Secret])?
    /// Whether the upstream's message is logged. The type of its error always is.
    private let logsWords: Bool

    init(
        upstream: String, redaction: SecretRedaction, changingKeys: (@Sendable () -> [Secret])? = nil,
        logsWords: Bool = false
    ) {
        self.upstream = upstream
        self.redaction = redaction
        self.changingKeys = changingKeys
        self.logsWords = logsWords
    }

    /// Returns the error for a response that is not a success.
    func error(status: Int, headerFields: HTTPFields, body: [UInt8]) -> GatewayError {
        switch status {
        case 401: return .upstreamRefusedKey(upstream)
        case 400...:
            var error = body.withUnsafeBytes { explained($0, status: status) } ?? unexplained(status)
            if error.cause == .contextOverflow { return error }
            error.headerFields[.retryAfter] = UpstreamErrorReading.retryAfter(headerFields)
            error.headerFields[.retryAfterMilliseconds] = UpstreamErrorReading.retryAfterMilliseconds(headerFields)
            if let word = headerFields[.xShouldRetry], word == "true" || word == "false" {
                error.headerFields[.xShouldRetry] = word
            }
            // Retrying does not fill an empty account.
            if error.cause == .quotaExhausted { error.headerFields[.xShouldRetry] = "false" }
            return error
        default:
            return .upstream(
                502, "upstream_redirect",
                "The upstream '\(upstream)' answered with status \(status). Redirects are not followed.",
                cause: .upstreamStatus(status))
        }
    }

    /// Returns the error for a failure that the upstream does not explain.
    func unexplained(_ status: Int) -> GatewayError {
        guard status >= 400 else {
            return .upstream(
                502, "upstream_error", "The upstream '\(upstream)' reported an error.", cause: .errorInSuccess)
        }
        return GatewayError(
            status, type: UpstreamErrorReading.type(of: status), code: "upstream_error",
            message: "The upstream '\(upstream)' answered with status \(status).",
            cause: .upstreamStatus(status))
    }

    private static func type(of status: Int) -> String {
        switch status {
        case 403: "permission_error"
        case 429: "rate_limit_error"
        case 400..<500: "invalid_request_error"
        default: "server_error"
        }
    }

    /// Returns the error that a document reports instead of a response or an event of one; nil for anything else. Its
    /// status is 502, or 400 if the prompt is too long.
    ///
    /// - Parameter byWordsAlone: whether a document with only a text is an error.
    func read(_ document: UnsafeRawBufferPointer, byWordsAlone: Bool = true) -> GatewayError? {
        ErrorReport(in: document, byWordsAlone: byWordsAlone).map { error($0, status: 200) }
    }

    /// Returns the error in a document or an event that is known to be one: JSON in any shape, or a text.
    func readFailure(_ document: UnsafeRawBufferPointer) -> GatewayError {
        explained(document, status: 200) ?? unexplained(200)
    }

    /// Returns the error that a body explains; nil for a body without words.
    private func explained(_ body: UnsafeRawBufferPointer, status: Int) -> GatewayError? {
        guard body.count <= ErrorReport.longestDocument else { return nil }
        if let document = try? JSONValue(body) {
            let report = ErrorReport(of: document)
            // An empty document explains no more than an empty body.
            if status >= 400, report == ErrorReport(), document["error"]?.isNull ?? true { return nil }
            return error(report, status: status)
        }
        guard let words = ErrorText.words(body) else { return nil }
        var report = ErrorReport()
        report.message = words
        var error = error(report, status: status)
        guard error.cause != .contextOverflow else { return error }
        let plain = unexplained(status)
        error.code = plain.code
        error.detail = detail(of: report)
        // The text alone does not name the upstream.
        error.message = redacted("\(plain.message.dropLast()): \(words)")
        return error
    }

    private func error(_ report: ErrorReport, status: Int) -> GatewayError {
        var error = unexplained(status)
        if ContextOverflow.isReported(by: report, status: status) {
            error = .promptTooLong(tokens: report.promptTokens, context: report.context)
            error.parameter = report.parameter.map(redacted)
            // The sizes are more useful than llama.cpp's message.
            if report.message.isEmpty || report.context != nil { return error }
            if let type = report.type, status < 500 { error.type = redacted(type) }
        } else {
            error.code = report.code.map(redacted)
            error.type = report.type.map(redacted) ?? error.type
            error.parameter = report.parameter.map(redacted)
            // The only code that has priority over the status.
            if error.code == "insufficient_quota" { error.cause = .quotaExhausted }
        }
        if !report.message.isEmpty { error.message = redacted(report.message) }
        error.detail = detail(of: report)
        return error
    }

    /// Returns the detail for the log: the type, if it is one word, and the upstream's message, if the configuration
    /// logs it.
    private func detail(of report: ErrorReport) -> String? {
        let type = report.type.map(redacted).flatMap { GatewayError.isWord($0) ? $0 : nil }
        let words = logsWords && !report.message.isEmpty ? redacted(report.message) : nil
        let parts = [type, words].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    private static let mostCharacters = 2000

    /// Returns at most 2,000 characters, without the upstream's secrets.
    func redacted(_ text: String) -> String {
        let limit = 4 * Self.mostCharacters
        guard let changingKeys else {
            return String(redaction.redacted(text, limit: limit).prefix(Self.mostCharacters))
        }
        let known = SecretRedaction(keys: changingKeys()).redacted(text, limit: limit)
        return String(redaction.redacted(known, limit: limit).prefix(Self.mostCharacters))
    }

    /// Returns the seconds of `retry-after`, at most 120 because SDKs wait no longer; nil if there are none. A date is
    /// measured from the response's own `Date`, so that the upstream's clock does not matter.
    static func retryAfter(_ fields: HTTPFields) -> String? {
        guard let value = fields[.retryAfter], !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return String(min(Int(value) ?? .max, 120)) }
        guard let then = HTTPDate.seconds(value), let now = fields[.date].flatMap(HTTPDate.seconds) else { return nil }
        return String(min(max(then - now, 0), 120))
    }

    /// Returns the milliseconds of `retry-after-ms`, limited in the same way.
    static func retryAfterMilliseconds(_ fields: HTTPFields) -> String? {
        guard let value = fields[.retryAfterMilliseconds], !value.isEmpty,
            value.utf8.allSatisfy({ $0 &- 0x30 < 10 })
        else { return nil }
        return String(min(Int(value) ?? .max, 120_000))
    }
}
