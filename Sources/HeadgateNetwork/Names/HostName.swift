/// What can be told from a host as configured, without asking anybody.
package enum HostName {
    /// `localhost`, names below it (RFC 6761), and loopback addresses.
    package static func isLoopback(_ host: String) -> Bool {
        isLocalhost(host) || IPAddress(host)?.isLoopback == true
    }

    static func isLocalhost(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// Whether it can be looked up and written into a request: nothing that would end a line, a C string or an
    /// authority early.
    static func isWellFormed(_ host: String) -> Bool {
        (1...253).contains(host.utf8.count)
            && host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !HostName.delimiters.contains($0) }
    }

    private static let delimiters = Array("/?#@\\[]\"<>%".utf8)
}
