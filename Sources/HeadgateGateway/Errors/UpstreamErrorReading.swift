internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import JSONBytes

/// Reads an upstream's error from a body or an event, and makes it one that can be sent to a client.
final class UpstreamErrorReading: Sendable {
    let upstream: String
    /// Removes secrets that the upstream repeats.
    private let redaction: SecretRedaction

    init(upstream: String, redaction: SecretRedaction) {
        self.upstream = upstream
        self.redaction = redaction
    }

    /// The error for a response that is not a success.
    func error(status: Int, headerFields: HTTPFields, body: [UInt8]) -> GatewayError {
        switch status {
        case 401: return .upstreamRefusedKey(upstream)
        case 400...:
            var error =
                body.withUnsafeBytes { read($0, status: status) ?? readBare($0, status: status) } ?? unexplained(status)
            if error.type == ContextOverflow.type {
                let overflow = body.withUnsafeBytes(ContextOverflow.init)
                return .promptTooLong(tokens: overflow.promptTokens, context: overflow.context)
            }
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

    /// Octets. Longer bodies are of no use, and reading them would block the loop.
    private static let longestDocument = 256 << 10

    /// The error for a failure that the upstream does not explain.
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

    /// The error in a JSON document, if its top level has one: an object with a message, or anything else that is not
    /// empty. The document may stand in an array.
    ///
    /// - Parameter status: what the error becomes; an error in a success becomes a 502.
    func read(_ document: UnsafeRawBufferPointer, status: Int) -> GatewayError? {
        guard document.count <= UpstreamErrorReading.longestDocument else { return nil }
        var error = unexplained(status)
        error.code = nil
        var cursor = JSONCursor(document)
        var isFound = false
        do {
            if case .array = try cursor.kind() {
                try cursor.beginArray()
                guard try cursor.nextElement() else { return nil }
            }
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                guard cursor.equals(key, "error") else {
                    try cursor.skipValue()
                    continue
                }
                switch try cursor.kind() {
                case .null, .false:
                    try cursor.skipValue()
                    continue
                case .object: try readMembers(&cursor, into: &error)
                default: error.message = try text(&cursor, joining: "; ") ?? error.message
                }
                isFound = true
            }
        } catch {
            return nil
        }
        guard isFound else { return nil }
        return redacted(error)
    }

    /// The error in an event that is one by its type: in its `error` member, or in its own members.
    func readTyped(_ document: UnsafeRawBufferPointer) -> GatewayError? {
        if let error = read(document, status: 200) { return error }
        guard document.count <= UpstreamErrorReading.longestDocument else { return nil }
        var error = unexplained(200)
        error.code = nil
        var cursor = JSONCursor(document)
        guard (try? readMembers(&cursor, into: &error)) != nil else { return nil }
        // `type` is the type of the event here.
        error.type = unexplained(200).type
        return redacted(error)
    }

    /// The error in a body without an `error`: some servers put its members, or a `detail`, at the top.
    private func readBare(_ document: UnsafeRawBufferPointer, status: Int) -> GatewayError? {
        let plain = unexplained(status)
        var error = plain
        error.code = nil
        error.message = ""
        var cursor = JSONCursor(document)
        guard (try? readMembers(&cursor, into: &error)) != nil, !error.message.isEmpty else { return nil }
        if error.type == "error" { error.type = plain.type }
        return redacted(error)
    }

    private func redacted(_ error: GatewayError) -> GatewayError {
        var error = error
        error.message = redacted(error.message.isEmpty ? unexplained(error.status).message : error.message)
        error.code = error.code.map(redacted)
        error.type = redacted(error.type)
        error.parameter = error.parameter.map(redacted)
        // The one code that matters more than the status.
        if error.code == "insufficient_quota" { error.cause = .quotaExhausted }
        return error
    }

    private func readMembers(_ cursor: inout JSONCursor, into error: inout GatewayError) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "message") || cursor.equals(key, "detail") {
                error.message = try text(&cursor, joining: "; ") ?? error.message
            } else if cursor.equals(key, "type") {
                error.type = try text(&cursor, joining: ",") ?? error.type
            } else if cursor.equals(key, "code") {
                error.code = try text(&cursor, joining: ",")
            } else if cursor.equals(key, "param") {
                error.parameter = try text(&cursor, joining: ",")
            } else {
                _ = try cursor.skipValue()
            }
        }
    }

    /// A string, an array of strings joined, or a number's digits.
    private func text(_ cursor: inout JSONCursor, joining separator: String) throws(JSONError) -> String? {
        switch try cursor.kind() {
        case .string: return cursor.decoded(try cursor.string())
        case .number:
            let range = try cursor.skipValue()
            return String(decoding: cursor.bytes(in: range), as: UTF8.self)
        case .array:
            var parts: [String] = []
            try cursor.beginArray()
            while try cursor.nextElement() {
                if try cursor.kind() == .string {
                    parts.append(cursor.decoded(try cursor.string()))
                } else {
                    _ = try cursor.skipValue()
                }
            }
            return parts.joined(separator: separator)
        default:
            _ = try cursor.skipValue()
            return nil
        }
    }

    /// At most 4 KiB, without the upstream's secrets.
    func redacted(_ text: String) -> String { redaction.redacted(text, limit: 4096) }

    /// Seconds, clamped to what SDKs wait for at most (120); nil without any. A date counts from the response's own
    /// `Date`, so that the upstream's clock does not matter.
    static func retryAfter(_ fields: HTTPFields) -> String? {
        guard let value = fields[.retryAfter], !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return String(min(Int(value) ?? .max, 120)) }
        guard let then = HTTPDate.seconds(value), let now = fields[.date].flatMap(HTTPDate.seconds) else { return nil }
        return String(min(max(then - now, 0), 120))
    }

    /// From `retry-after-ms`, clamped alike.
    static func retryAfterMilliseconds(_ fields: HTTPFields) -> String? {
        guard let value = fields[.retryAfterMilliseconds], !value.isEmpty,
            value.utf8.allSatisfy({ $0 &- 0x30 < 10 })
        else { return nil }
        return String(min(Int(value) ?? .max, 120_000))
    }
}
