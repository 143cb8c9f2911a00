/// Numbers with a fixed number of decimal places, stored as integers of the last place.
package enum DecimalText {
    /// Parses a number such as `1.25`, without sign and exponent; nil for anything else, and on overflow.
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

    /// `1.25`, without zeros at its end.
    package static func text(_ number: Int, digits: Int) -> String {
        let (scale, size, sign) = (UInt(power(digits)), number.magnitude, number < 0 ? "-" : "")
        let fraction = size % scale
        guard fraction != 0 else { return "\(sign)\(size / scale)" }
        let tail = String(fraction)
        let padded = String(repeating: "0", count: digits - tail.utf8.count) + tail
        let zeros = padded.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        return "\(sign)\(size / scale).\(padded.dropLast(zeros))"
    }

    private static func power(_ digits: Int) -> Int { (0..<digits).reduce(1) { power, _ in power * 10 } }
}
