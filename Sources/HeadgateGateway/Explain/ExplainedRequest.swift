internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Request that the gateway would send to a target, without secrets.
struct ExplainedRequest: Sendable {
    /// Longest body that is part of the `curl` line, in bytes. The kernel accepts twice as much in one argument.
    static let longestArgument = 64 << 10

    let upstream: String
    let method: String
    let url: String
    /// Headers in the order in which they are sent.
    let fields: [HTTPField]
    /// Body as JSON.
    let body: [UInt8]
    /// Shell command in one line. It reads a long body from `body.json`.
    let curl: String

    init(to upstream: Upstream, _ head: HTTPRequest, body: [UInt8], isStream: Bool, _ mask: SecretMask) {
        self.upstream = upstream.name
        method = head.method.rawValue
        url = mask.masked(upstream.baseURL.origin + (head.path ?? "/"))
        self.body = mask.masked(json: body)
        let own = head.headerFields.map { HTTPField(name: $0.name, value: mask.value(of: $0)) }
        fields =
            [HTTPField(name: .host, value: head.authority ?? "")] + own
            + [HTTPField(name: .contentLength, value: "\(body.count)")]
        var words = ["curl", isStream ? "-sN" : "-s"]
        if case .unix(let path) = upstream.baseURL.endpoint { words += ["--unix-socket", Shell.quoted(path)] }
        words.append(Shell.quoted(url))
        // curl sends an empty header only if a semicolon follows its name.
        words += own.flatMap {
            ["-H", Shell.quoted($0.value.isEmpty ? "\($0.name.rawName);" : "\($0.name.rawName): \($0.value)")]
        }
        let isLong = self.body.count > ExplainedRequest.longestArgument
        words += ["--data-binary", isLong ? "@body.json" : Shell.quoted(String(decoding: self.body, as: UTF8.self))]
        curl = words.joined(separator: " ")
    }
}

enum Shell {
    /// Returns the text as a single word that a POSIX shell does not expand.
    static func quoted(_ text: String) -> String {
        var word = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }
}

extension BaseURL {
    /// Scheme and authority of the URL.
    fileprivate var origin: String {
        switch endpoint {
        case .tls: "https://\(authority)"
        case .tcp, .unix: "http://\(authority)"
        }
    }
}
