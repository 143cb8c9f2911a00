/// Reads plain decimal digits: no sign, no separators, no other base.
enum WholeNumber {
    static func parse(_ text: String, in range: ClosedRange<Int>) throws(InvalidValue) -> Int {
        guard let number = digits(text.utf8[...]), range.contains(number) else {
            throw InvalidValue("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The same, perhaps with `k` or `M` for thousands or millions.
    static func scaled(_ bytes: Substring.UTF8View, upTo largest: Int) -> Int? {
        let number = bytes.prefix(while: ASCII.isDigit)
        let factors = ["": 1, "k": 1000, "M": 1_000_000]
        guard let factor = factors[String(Substring(bytes.dropFirst(number.count)))], let count = digits(number) else {
            return nil
        }
        let (product, overflows) = count.multipliedReportingOverflow(by: factor)
        return overflows || product > largest ? nil : product
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
