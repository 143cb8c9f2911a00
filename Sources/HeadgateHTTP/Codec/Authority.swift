/// Host and port as in a `Host` header or an absolute-form target, checked only syntactically.
package struct Authority: Equatable, Sendable {
    /// Host in lower case; an IPv6 address keeps its brackets.
    package let host: String
    package let port: UInt16?

    /// Returns nil for anything but `host[:port]`. The host is a name of letters, digits, `-`, `.` and `_`, an IPv4
    /// address, or a bracketed IPv6 address. RFC 3986 also allows percent escapes and sub-delimiters in a registered
    /// name.
    package init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let (hostEnd, port) = text.withUTF8({ Authority.read(UnsafeRawBufferPointer($0)) }) else { return nil }
        host = text[..<text.utf8.index(text.startIndex, offsetBy: hostEnd)].lowercased()
        self.port = port
    }

    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool { read(bytes) != nil }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> (hostEnd: Int, port: UInt16?)? {
        let hostEnd: Int
        if bytes.first == 0x5B {
            guard let bracket = bytes.firstIndex(of: 0x5D, from: 1) else { return nil }
            var colons = 0
            for byte in bytes.slice(1..<bracket) {
                if byte == 0x3A { colons += 1 } else if byte != 0x2E, ByteClass.hexValue(byte) == nil { return nil }
            }
            guard colons >= 2 else { return nil }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: 0x3A, from: 0) ?? bytes.count
            guard hostEnd > 0 else { return nil }
            for byte in bytes.slice(0..<hostEnd) where !isNameByte(byte) { return nil }
        }
        if hostEnd == bytes.count { return (hostEnd, nil) }
        let digits = bytes.slice((hostEnd + 1)..<bytes.count)
        guard bytes[hostEnd] == 0x3A, (1...5).contains(digits.count), digits.allSatisfy(ByteClass.isDigit) else {
            return nil
        }
        // A port above 65535 is well-formed, but matches no listener.
        return (hostEnd, UInt16(exactly: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }) ?? 0)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ByteClass.isDigit(byte) || ByteClass.lowercased(byte) &- 0x61 < 26 || byte == 0x2D || byte == 0x2E
            || byte == 0x5F
    }
}
