internal import HeadgatePrimitives

extension WholeNumber {
    static func parse(_ text: String, in range: ClosedRange<Int>) throws(InvalidValue) -> Int {
        guard let number = digits(text.utf8[...]), range.contains(number) else {
            throw InvalidValue("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads a number that can end in `k` or `M`, for thousands or millions.
    static func scaled(_ bytes: Substring.UTF8View, upTo largest: Int) -> Int? {
        let number = bytes.prefix(while: ASCII.isDigit)
        let factors = ["": 1, "k": 1000, "M": 1_000_000]
        guard let factor = factors[String(Substring(bytes.dropFirst(number.count)))], let count = digits(number) else {
            return nil
        }
        let (product, overflows) = count.multipliedReportingOverflow(by: factor)
        return overflows || product > largest ? nil : product
    }
}
