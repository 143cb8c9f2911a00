internal import HeadgatePrimitives

/// `host`, `host:port`, `[ipv6]` or `[ipv6]:port`, as in a URL or a listen address.
struct Authority {
    let host: Host
    /// Port; nil if no colon follows the host. Can be 0.
    let port: UInt16?

    init(parsing text: Substring) throws(InvalidValue) {
        let portText: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw InvalidValue("a '[' without its ']': write an IPv6 address such as [::1]")
            }
            host = try Host(parsingIPv6: text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else {
                throw InvalidValue("only a port such as :8080 may follow the ']'")
            }
            portText = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count <= 2 else {
                throw InvalidValue("more than one ':' in the host: write an IPv6 address in brackets, such as [::1]")
            }
            host = try Host(parsing: parts[0])
            portText = parts.count == 2 ? parts[1] : nil
        }
        port = try portText.map { (text) throws(InvalidValue) in try Self.port(text) }
    }

    static func port(_ text: Substring) throws(InvalidValue) -> UInt16 {
        guard let number = WholeNumber.digits(text.utf8), let port = UInt16(exactly: number), String(port) == text
        else {
            throw InvalidValue("the port is not a number from 1 to 65535")
        }
        return port
    }
}
