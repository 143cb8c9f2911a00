/// A host and a port as they stand in a `Host` field or an absolute-form target, checked for form only.
package struct Authority: Equatable, Sendable {
    /// Lower case; an IPv6 address keeps its brackets.
    package let host: String
    package let port: UInt16?

    /// Nil for anything but `host[:port]`: names of letters, digits, `-`, `.`, `_`, IPv4 addresses and bracketed IPv6 addresses.
    /// Stricter than RFC 3986, which lets a registered name hold percent escapes and sub-delimiters.
    package init?(_ text: some StringProtocol) {
        var rest = Substring(text)
        let host: Substring
        if rest.first == "[" {
            guard let bracket = rest.firstIndex(of: "]") else { return nil }
            let address = rest[rest.index(after: rest.startIndex)..<bracket]
            guard address.utf8.allSatisfy({ ByteClass.hexValue($0) != nil || $0 == 0x3A || $0 == 0x2E }),
                address.utf8.count(where: { $0 == 0x3A }) >= 2
            else { return nil }
            host = rest[...bracket]
            rest = rest[rest.index(after: bracket)...]
        } else {
            host = rest.prefix { $0 != ":" }
            guard !host.isEmpty, host.utf8.allSatisfy(Authority.isNameByte) else { return nil }
            rest = rest[host.endIndex...]
        }
        self.host = host.lowercased()
        if rest.isEmpty {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard rest.first == ":", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(ByteClass.isDigit),
            let number = Int(digits)
        else { return nil }
        // A number that no port has is well-formed; it just matches none of ours.
        port = UInt16(exactly: number) ?? 0
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ByteClass.isDigit(byte) || ByteClass.lowercased(byte) &- 0x61 < 26 || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
}
