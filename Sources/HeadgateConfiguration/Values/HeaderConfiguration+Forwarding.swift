extension HeaderConfiguration {
    /// Whether a client's field of this name may be passed on to an upstream.
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

    /// - Parameter name: in lower case.
    static func mayHoldCredential(ofClient name: String) -> Bool {
        credentials.contains(name) || name.hasPrefix("proxy-")
    }

    private static let credentials: Set<String> = [
        "authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "set-cookie",
    ]
}
