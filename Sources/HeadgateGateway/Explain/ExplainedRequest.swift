internal import HTTPTypes
internal import HeadgateHTTP

/// The request that a target would be sent, without secrets.
struct ExplainedRequest: Sendable {
    /// Octets of a body that stands in the `curl` line: the kernel takes twice that in one argument.
    static let longestArgument = 64 << 10

    let upstream: String
    let method: String
    let url: String
    /// In the order in which they are sent.
    let fields: [HTTPField]
    /// JSON.
    let body: [UInt8]
    /// One line for a shell. A long body is to be in `body.json`.
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
        // curl writes a field without a value when a semicolon ends its name.
        words += own.flatMap {
            ["-H", Shell.quoted($0.value.isEmpty ? "\($0.name.rawName);" : "\($0.name.rawName): \($0.value)")]
        }
        let isLong = self.body.count > ExplainedRequest.longestArgument
        words += ["--data-binary", isLong ? "@body.json" : Shell.quoted(String(decoding: self.body, as: UTF8.self))]
        curl = words.joined(separator: " ")
    }
}

enum Shell {
    /// One word that no POSIX shell changes.
    static func quoted(_ text: String) -> String {
        var word = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }
}

extension BaseURL {
    /// Scheme and authority.
    fileprivate var origin: String {
        switch endpoint {
        case .tls: "https://\(authority)"
        case .tcp, .unix: "http://\(authority)"
        }
    }
}
