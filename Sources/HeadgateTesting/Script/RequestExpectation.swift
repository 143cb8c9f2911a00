/// The conditions under which a request matches an exchange. Members that are not set match everything.
package struct RequestExpectation: Sendable {
    package var method: String?
    /// The path. The request's query is ignored, unless this path has one.
    package var path: String?
    /// The headers that must be present with exactly these values.
    package var headers: HeaderLines
    package var absentHeaders: [String]
    package var bodyContains: [String]
    /// The body's top-level `stream` member; an absent member counts as false.
    package var isStream: Bool?

    package init(
        method: String? = nil, path: String? = nil, headers: HeaderLines = [:], absentHeaders: [String] = [],
        bodyContains: [String] = [], isStream: Bool? = nil
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.absentHeaders = absentHeaders
        self.bodyContains = bodyContains
        self.isStream = isStream
    }

    /// Returns why the request does not match, in one clause; nil if it does. The text quotes no header value of the
    /// request.
    func mismatch(_ request: ReceivedRequest) -> String? {
        if let method, method != request.method { return "method is \(request.method), not \(method)" }
        if let path {
            let actual = path.contains("?") ? request.path : String(request.path.prefix { $0 != "?" })
            if actual != path { return "path is \(actual), not \(path)" }
        }
        for (name, value) in headers.lines where request.headers[name] != value {
            return request.headers.contains(name) ? "header \(name) has another value" : "header \(name) is missing"
        }
        for name in absentHeaders where request.headers.contains(name) { return "header \(name) is present" }
        for text in bodyContains where !contains(request.body, text) { return "body does not contain \"\(text)\"" }
        if let isStream, isStream != RequestWishes(request.body).isStream {
            return isStream ? "body does not ask for a stream" : "body asks for a stream"
        }
        return nil
    }

    private func contains(_ body: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        guard body.count >= wanted.count else { return false }
        return (0...body.count - wanted.count).contains { start in
            body[start] == first && body[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}
