/// Percent-encoding of URLs (RFC 3986 2.1).
enum PercentEncoding {
    /// The bytes of a user or password.
    static func decoded(_ text: Substring) throws(InvalidValue) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(ASCII.hexadecimal),
                    let low = rest.popFirst().flatMap(ASCII.hexadecimal)
                else { throw InvalidValue("a '%' without two hexadecimal digits: write %25 for a '%'") }
                byte = high << 4 | low
            }
            guard byte >= 0x20, byte != 0x7F else {
                throw InvalidValue("user or password holds a control character: remove it")
            }
            result.append(byte)
        }
        return result
    }
}
