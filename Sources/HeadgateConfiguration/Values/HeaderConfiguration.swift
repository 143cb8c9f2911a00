internal import HeadgatePrimitives

/// A header that is added to an upstream's requests. Its value can be a credential, so it is never printed.
package struct HeaderConfiguration: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Name, a token of RFC 9110 5.6.2, in its original case.
    package let name: String
    /// Value without control characters and outer spaces; never empty.
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the header can contain a secret, by its name. Only headers that just identify the client cannot.
    package var mayBeCredential: Bool {
        ![
            "app-os", "client-id", "user-agent", "openai-organization", "openai-project", "openai-beta",
            "anthropic-beta",
            "anthropic-version", "http-referer", "x-title", "accept-language",
        ].contains(name.lowercased())
    }

    /// Compares bytes, because bytes are sent.
    package static func == (left: HeaderConfiguration, right: HeaderConfiguration) -> Bool {
        left.name.isExactly(right.name) && left.value.isExactly(right.value)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(name)) }

    package var description: String { "\(name): <redacted>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["name": name, "value": "<redacted>"]) }

    static func checkName(_ name: String) throws(InvalidValue) {
        guard isName(name) else {
            throw InvalidValue("not a header name: write letters, digits and '-', such as Client-Id")
        }
        if let reason = reserved[name.lowercased()] { throw InvalidValue(reason) }
    }

    /// Checks the name of a header for a collector, for which `Authorization` is allowed.
    static func checkExportName(_ name: String) throws(InvalidValue) {
        guard name.lowercased() != "authorization" else { return }
        try checkName(name)
    }

    static func isName(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy(isTokenByte)
    }

    static func checkValue(_ value: String) throws(InvalidValue) -> String {
        guard !value.isEmpty else { throw InvalidValue("the value is empty: set it, or remove the header") }
        guard value.utf8.count <= 8 << 10 else { throw InvalidValue("the value is above 8 KiB: shorten it") }
        guard !containsControl(value) else {
            throw InvalidValue("the value holds a line break or another control character: remove it")
        }
        guard value.utf8.first != UInt8(ascii: " "), value.utf8.last != UInt8(ascii: " ") else {
            throw InvalidValue("the value begins or ends with a space: remove it")
        }
        return value
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Reasons why a header cannot be set, by its name in lower case.
    private static let reserved: [String: String] = {
        var reasons = ["authorization": "the gateway sets it from api_key: put the key there"]
        for name in ["content-length", "transfer-encoding", "trailer", "content-type", "content-encoding", "expect"] {
            reasons[name] = "it describes the request body, which the gateway frames itself: remove it"
        }
        for name in ["connection", "keep-alive", "proxy-connection", "te", "upgrade", "http2-settings"] {
            reasons[name] = "it belongs to one connection, which the gateway manages itself: remove it"
        }
        for name in ["proxy-authenticate", "proxy-authorization"] {
            reasons[name] = "it is for a proxy and not for the upstream: remove it"
        }
        reasons["host"] = "the gateway takes it from base_url: set the host there"
        reasons["accept-encoding"] = "the gateway asks for the encodings that it can decode: remove it"
        return reasons
    }()
}

extension HeaderConfiguration {
    /// Checks that a client's header of this name can be forwarded to an upstream.
    static func checkForwarded(_ name: String) throws(InvalidValue) {
        let lowercase = name.lowercased()
        guard !mayHoldCredential(ofClient: lowercase) else {
            throw InvalidValue("it may hold the client's credential, which no upstream is sent: remove it")
        }
        guard !lowercase.hasPrefix("content-") else {
            throw InvalidValue("it describes the request body, which the gateway frames itself: remove it")
        }
        try checkName(name)
    }

    /// - Parameter name: Name in lower case.
    static func mayHoldCredential(ofClient name: String) -> Bool {
        credentials.contains(name) || name.hasPrefix("proxy-")
    }

    private static let credentials: Set<String> = [
        "authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "set-cookie",
    ]
}
