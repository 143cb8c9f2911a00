/// Reads plain decimal digits: no sign, no separators, no other base.
enum WholeNumber {
    static func parse(_ text: String, in range: ClosedRange<Int>) throws(InvalidValue) -> Int {
        guard let number = digits(text.utf8[...]), range.contains(number) else {
            throw InvalidValue("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// At most 15 digits, so that the product with any unit fits an `Int`.
    static func digits(_ bytes: Substring.UTF8View) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 15 else { return nil }
        var number = 0
        for byte in bytes {
            guard ASCII.isDigit(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
