/// Reads the mode of a file in three octal digits, with or without a zero in front.
enum FileMode {
    static let expected = "a mode in octal digits, such as 0600"

    static func parse(_ text: String) throws(InvalidValue) -> UInt32 {
        guard [3, 4].contains(text.utf8.count), text.utf8.count == 3 || text.hasPrefix("0"),
            let mode = UInt32(text, radix: 8), text.utf8.allSatisfy(ASCII.isDigit)
        else { throw InvalidValue("expected \(expected)") }
        return mode
    }
}
