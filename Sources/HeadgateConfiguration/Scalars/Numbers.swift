internal import HeadgatePrimitives

extension WholeNumber {
    static func parse(_ text: String, in range: ClosedRange<Int>) throws(InvalidValue) -> Int {
        guard let number = digits(text.utf8[...]), range.contains(number) else {
            throw InvalidValue("expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Parses a number that can end in `k` or `M`, for thousands or millions.
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

/// Parses decimal numbers from 0 to 1, such as `0.25`.
enum Fraction {
    static let expected = "a number from 0 to 1, such as 0.25"

    static func parse(_ text: String) throws(InvalidValue) -> Double {
        let isDecimal = text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard isDecimal, (1...20).contains(text.utf8.count), let number = Double(text), number <= 1 else {
            throw InvalidValue("expected \(expected)")
        }
        return number
    }
}

/// Parses the mode of a file: three octal digits, with or without a leading zero.
enum FileMode {
    static let expected = "a mode in octal digits, such as 0600"

    static func parse(_ text: String) throws(InvalidValue) -> UInt32 {
        guard [3, 4].contains(text.utf8.count), text.utf8.count == 3 || text.hasPrefix("0"),
            let mode = UInt32(text, radix: 8), text.utf8.allSatisfy(ASCII.isDigit)
        else { throw InvalidValue("expected \(expected)") }
        return mode
    }
}

/// Parses sizes such as `4096`, `64KiB`, `32MiB` and `1GiB`: from 1 byte to 16 GiB.
enum ByteSize {
    static let expected = "a size such as 4096, 64KiB, 32MiB or 1GiB (from 1 byte to 16GiB)"

    static func parse(_ text: String) throws(InvalidValue) -> Int {
        let bytes = text.utf8[...]
        let digits = bytes.prefix(while: ASCII.isDigit)
        let unit = String(bytes.dropFirst(digits.count)) ?? ""
        let factor = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30][unit]
        guard let factor, let count = WholeNumber.digits(digits) else {
            throw InvalidValue("expected \(expected)")
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        guard !overflow, (1...16 << 30).contains(product) else { throw InvalidValue("expected \(expected)") }
        return product
    }
}
