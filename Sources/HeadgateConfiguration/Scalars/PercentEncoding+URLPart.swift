internal import HeadgatePrimitives

extension PercentEncoding {
    /// The octets of a part of a URL without control characters.
    ///
    /// - Parameter name: the part's, for the error.
    static func octets(of part: Substring, in name: String = "user or password") throws(InvalidValue) -> [UInt8] {
        guard let octets = octets(part.utf8) else {
            throw InvalidValue("a '%' without two hexadecimal digits: write %25 for a '%'")
        }
        guard octets.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw InvalidValue("\(name) holds a control character: remove it")
        }
        return octets
    }
}
