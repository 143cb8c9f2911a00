/// Origin of a web page (RFC 6454 6.2): a scheme and an authority only.
struct Origin {
    static let expected = "an origin such as https://chat.example.com or http://localhost:3000"

    /// Scheme in lower case.
    let scheme: String
    /// Host in lower case, with an IPv6 address in brackets. It includes the port only if that is not the scheme's
    /// default.
    let authority: String

    var text: String { "\(scheme)://\(authority)" }

    /// Parses an origin. Any scheme is accepted, because desktop apps have their own.
    init(parsing text: String) throws(InvalidValue) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"), Self.isScheme(text[..<colon])
        else { throw InvalidValue("expected \(Self.expected)") }
        scheme = text[..<colon].lowercased()
        let rest = text[colon...].dropFirst(3)
        guard !rest.contains("/") else { throw InvalidValue("an origin has no path: remove what follows the host") }
        guard !rest.contains("*") else { throw InvalidValue("'*' is refused: name each origin") }
        guard !rest.contains("@") else { throw InvalidValue("an origin has no user: remove what precedes the host") }
        let parsed = try Authority(parsing: rest)
        guard parsed.port != 0 else { throw InvalidValue("the port is not a number from 1 to 65535") }
        let standardPort: UInt16? = ["http": 80, "https": 443][scheme]
        let port = parsed.port == standardPort ? nil : parsed.port
        authority = parsed.host.bracketed + (port.map { ":\($0)" } ?? "")
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) else { return false }
        return text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
    }
}
