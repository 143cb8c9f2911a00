/// Numbers with a fixed number of decimal places, stored as integers in units of the last place.
package enum DecimalText {
    /// Parses a number such as `1.25`, without sign and exponent; returns nil for anything else, and on overflow.
    package static func number(_ text: String, digits: Int) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = WholeNumber.digits(parts[0]) else { return nil }
        let fraction = parts.count == 2 ? parts[1] : "".utf8[...]
        guard parts.count == 1 || !fraction.isEmpty, fraction.count <= digits else { return nil }
        var (sum, overflows) = whole.multipliedReportingOverflow(by: power(digits))
        guard !overflows else { return nil }
        if !fraction.isEmpty {
            guard let part = WholeNumber.digits(fraction) else { return nil }
            (sum, overflows) = sum.addingReportingOverflow(part * power(digits - fraction.count))
        }
        return overflows ? nil : sum
    }

    /// Returns a text such as `1.25`, without zeros at the end of the fraction.
    package static func text(_ number: Int, digits: Int) -> String {
        String(unsafeUninitializedCapacity: room(digits)) { write(number, digits: digits, to: $0) }
    }

    /// Returns the maximum number of bytes of a number: digits, sign, point, and a zero before the point.
    package static func room(_ digits: Int) -> Int { max(digits, 19) + 3 }

    /// Writes the text that ``text(_:digits:)`` returns, and returns its length.
    ///
    /// - Parameter output: A buffer of at least ``room(_:)`` bytes.
    package static func write(_ number: Int, digits: Int, to output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var size = number.magnitude
        var decimals = digits
        while decimals > 0, size % 10 == 0 {
            size /= 10
            decimals -= 1
        }
        let sign = number < 0 ? 1 : 0
        if sign == 1 { output[0] = UInt8(ascii: "-") }
        // There is at least one digit before the point.
        let count = max(digitCount(size), decimals + 1)
        let end = sign + count + (decimals > 0 ? 1 : 0)
        var position = end
        for place in 0..<count {
            if place == decimals, place > 0 {
                position -= 1
                output[position] = UInt8(ascii: ".")
            }
            position -= 1
            output[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: size % 10)
            size /= 10
        }
        return end
    }

    private static func digitCount(_ number: UInt) -> Int {
        var (rest, count) = (number / 10, 1)
        while rest > 0 {
            rest /= 10
            count += 1
        }
        return count
    }

    private static func power(_ digits: Int) -> Int { (0..<digits).reduce(1) { power, _ in power * 10 } }
}
