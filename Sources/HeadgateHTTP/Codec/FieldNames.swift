package import HTTPTypes

/// What reading a field involves, besides keeping it.
enum FieldRole {
    case ordinary, contentLength, transferEncoding, host, connection, expect
    /// Read as one value that decides something: a second line is refused rather than one of them ignored.
    case single(bit: UInt8)
}

/// Field names that are parsed often, so that reading one does not allocate.
enum FieldNames {
    private struct Entry {
        let lowercased: [UInt8]
        let name: HTTPField.Name
        let role: FieldRole

        func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
            for index in 0..<bytes.count where ByteClass.lowercased(bytes[index]) != lowercased[index] { return false }
            return true
        }
    }

    private static let single: [HTTPField.Name] = [
        .authorization, .contentType, .xAPIKey, .origin, .contentEncoding, .secFetchSite,
    ]

    private static let byLength: [[Entry]] = {
        let names: [HTTPField.Name] = [
            .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .connection, .contentLength, .cookie, .date,
            .expect, .priority,
            .referer, .retryAfter, .server, .setCookie, .te, .trailer, .transferEncoding, .upgrade, .userAgent, .vary,
            .xRequestID,
            .secFetchMode, .secFetchDest, .host, .keepAlive, .xShouldRetry, .retryAfterMilliseconds,
        ]
        let sentByClients = [
            "X-Stainless-Lang", "X-Stainless-Package-Version", "X-Stainless-OS", "X-Stainless-Arch",
            "X-Stainless-Runtime",
            "X-Stainless-Runtime-Version", "X-Stainless-Async", "X-Stainless-Retry-Count", "X-Stainless-Read-Timeout",
            "X-Stainless-Timeout", "OpenAI-Organization", "OpenAI-Project", "anthropic-version", "anthropic-beta",
        ].compactMap { HTTPField.Name($0) }
        var table = [[Entry]](repeating: [], count: 32)
        for name in single + names + sentByClients {
            let text = Array(name.canonicalName.utf8)
            table[text.count].append(Entry(lowercased: text, name: name, role: role(of: name)))
        }
        return table
    }()

    private static func role(of name: HTTPField.Name) -> FieldRole {
        switch name {
        case .contentLength: .contentLength
        case .transferEncoding: .transferEncoding
        case .host: .host
        case .connection: .connection
        case .expect: .expect
        default: single.firstIndex(of: name).map { .single(bit: 1 << UInt8($0)) } ?? .ordinary
        }
    }

    /// - Parameter bytes: a token.
    static func read(_ bytes: UnsafeRawBufferPointer) -> (name: HTTPField.Name, role: FieldRole)? {
        if bytes.count < byLength.count {
            let entries = byLength[bytes.count]
            // By index: a copy of each entry on the way would be counted references up and down.
            for index in entries.indices where entries[index].matches(bytes) {
                return (entries[index].name, entries[index].role)
            }
        }
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else { return nil }
        return (name, .ordinary)
    }
}

extension HTTPField.Name {
    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("not a field name") }
        return name
    }

    package static let host = known("Host")
    package static let keepAlive = known("Keep-Alive")
    package static let xAPIKey = known("x-api-key")
    package static let anthropicVersion = known("anthropic-version")
    package static let anthropicBeta = known("anthropic-beta")
    package static let requestID = known("request-id")
    package static let azureAPIKey = known("api-key")
    package static let xRequestID = known("x-request-id")
    package static let xShouldRetry = known("x-should-retry")
    package static let retryAfterMilliseconds = known("retry-after-ms")
    package static let secFetchSite = known("Sec-Fetch-Site")
    package static let secFetchMode = known("Sec-Fetch-Mode")
    package static let secFetchDest = known("Sec-Fetch-Dest")
    package static let xAccelBuffering = known("X-Accel-Buffering")
}
