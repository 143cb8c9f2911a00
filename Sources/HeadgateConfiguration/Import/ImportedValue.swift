/// A value in another gateway's file: its text, or the name of the variable that contains it.
enum ImportedValue: Hashable {
    case literal(String)
    case variable(String)

    /// - Parameter text: A value, or `os.environ/NAME`, which is LiteLLM's syntax for a variable.
    init(liteLLM text: String) {
        let prefix = "os.environ/"
        let name = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : ""
        self = ImportedValue.isName(name) ? .variable(name) : .literal(text)
    }

    var literal: String? {
        guard case .literal(let text) = self else { return nil }
        return text
    }

    var yaml: String {
        switch self {
        case .literal(let text): YAMLText.literal(text)
        case .variable(let name): YAMLText.variable(name)
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !ASCII.isDigit(first) else { return false }
        return text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
    }
}

/// An imported upstream. Deployments with equal upstreams share it.
struct ImportedUpstream: Hashable {
    /// Beginning of the upstream's name.
    var stem: String
    var kind: UpstreamKind
    var url: ImportedValue
    /// Key of the upstream. Plain keys are never written.
    var key: ImportedValue?
    var apiVersion: ImportedValue?
    var headers: [Header] = []
    var speaks: [SpokenFormat]?

    struct Header: Hashable {
        let name: String
        let value: ImportedValue
    }

    /// Whether the URL is plain HTTP to another machine, which must be allowed explicitly.
    var isPlain: Bool {
        guard let url = url.literal, url.hasPrefix("http://") else { return false }
        return (try? UpstreamURL(parsing: url)) == nil
    }

    /// Whether the host is probably in a private network, which must be allowed explicitly.
    var isPrivate: Bool {
        guard let url = url.literal, let parsed = try? UpstreamURL(parsing: url, allowingPlainHTTP: true),
            parsed.scheme != .unix, !parsed.isLoopback
        else { return false }
        let host = parsed.host
        let numbers = host.split(separator: ".").map { Int($0) }
        if numbers.count == 4, let first = numbers[0], let second = numbers[1] {
            return first == 10 || (first == 172 && (16...31).contains(second)) || (first == 192 && second == 168)
        }
        let endings = [".local", ".lan", ".internal", ".svc", ".home.arpa"]
        return !host.contains(".") || endings.contains(where: host.hasSuffix)
    }
}
