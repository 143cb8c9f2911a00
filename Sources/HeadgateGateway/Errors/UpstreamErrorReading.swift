internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import JSONBytes

/// Reads what an upstream says went wrong, from a body or from an event, and turns it into an error that is fit for a client.
struct UpstreamErrorReading {
    let upstream: String
    /// Cut out of every text, should the upstream repeat it.
    let secret: Secret?

    /// The error for a response that is not a success.
    func error(status: Int, headerFields: HTTPFields, body: [UInt8]) -> GatewayError {
        switch status {
        case 401, 403: return .upstreamRefusedKey(upstream)
        case 400...:
            var error =
                body.withUnsafeBytes { read($0, status: status) }
                ?? GatewayError(
                    status, type: status < 500 ? "invalid_request_error" : "server_error", code: "upstream_error",
                    message: "The upstream '\(upstream)' answered with status \(status).", origin: .upstream)
            if let wait = headerFields[.retryAfter], let kept = UpstreamErrorReading.retryAfter(wait) {
                error.headerFields[.retryAfter] = kept
            }
            return error
        default:
            return .upstream(
                502, "upstream_redirect", "The upstream '\(upstream)' answered with status \(status). Redirects are not followed.")
        }
    }

    /// The error in a JSON document, if its top level has one: an object with a message, or just a text.
    ///
    /// - Parameter status: what the error becomes; an error in a success becomes a 502.
    func read(_ document: UnsafeRawBufferPointer, status: Int) -> GatewayError? {
        var error = GatewayError(
            status < 400 ? 502 : status, type: status < 500 && status >= 400 ? "invalid_request_error" : "server_error",
            code: nil, message: "", origin: .upstream)
        var cursor = JSONCursor(document)
        var isFound = false
        do {
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                guard cursor.equals(key, "error") else {
                    _ = try cursor.skipValue()
                    continue
                }
                switch try cursor.kind() {
                case .object:
                    isFound = true
                    try readMembers(&cursor, into: &error)
                case .string:
                    isFound = true
                    error.message = cursor.decoded(try cursor.string())
                default: _ = try cursor.skipValue()
                }
            }
        } catch {
            return nil
        }
        guard isFound else { return nil }
        error.message = redacted(error.message.isEmpty ? "The upstream '\(upstream)' reported an error." : error.message)
        error.code = error.code.map(redacted)
        error.type = redacted(error.type)
        error.parameter = error.parameter.map(redacted)
        return error
    }

    private func readMembers(_ cursor: inout JSONCursor, into error: inout GatewayError) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "message") {
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

    /// At most 4 KiB, without the upstream's key.
    func redacted(_ text: String) -> String {
        var bytes = Array(text.utf8.prefix(4096))
        if let key = secret.map({ Array($0.reveal().utf8) }), key.count >= 4 {
            var start = 0
            while start + key.count <= bytes.count {
                if bytes[start..<(start + key.count)].elementsEqual(key) {
                    bytes.replaceSubrange(start..<(start + key.count), with: "[redacted]".utf8)
                }
                start += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Digits, clamped to what SDKs wait for at most (120 s), or a date as it is; nil for anything else.
    static func retryAfter(_ value: String) -> String? {
        if let seconds = Int(value), seconds >= 0 { return String(min(seconds, 120)) }
        guard value.utf8.count <= 40, value.hasSuffix(" GMT"), !value.contains(where: \.isNewline) else { return nil }
        return value
    }
}
