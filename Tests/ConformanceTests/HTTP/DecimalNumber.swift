/// A natural number of any size, for lengths that are meant to overflow the server's integers.
struct DecimalNumber {
    /// Digits from 0 to 9, least significant first, without leading zeros.
    private var digits: [Int]

    init(_ value: Int) {
        digits = String(value).reversed().compactMap(\.wholeNumberValue)
    }

    /// Returns nil unless `text` consists of ASCII digits only.
    init?(_ text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        digits = text.utf8.reversed().map { Int($0) - 48 }
        trim()
    }

    static func + (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        var sum = left
        var carry = 0
        for index in 0..<(max(left.digits.count, right.digits.count) + 1) {
            if index == sum.digits.count { sum.digits.append(0) }
            let digit = sum.digits[index] + (index < right.digits.count ? right.digits[index] : 0) + carry
            sum.digits[index] = digit % 10
            carry = digit / 10
        }
        sum.trim()
        return sum
    }

    var decimal: String {
        digits.reversed().map(String.init).joined()
    }

    /// Hexadecimal digits in lower case.
    var hexadecimal: String {
        var rest = self
        var text = ""
        repeat {
            var remainder = 0
            for index in rest.digits.indices.reversed() {
                let value = remainder * 10 + rest.digits[index]
                rest.digits[index] = value / 16
                remainder = value % 16
            }
            rest.trim()
            text = String(remainder, radix: 16) + text
        } while rest.digits != [0]
        return text
    }

    private mutating func trim() {
        while digits.count > 1, digits.last == 0 { digits.removeLast() }
    }
}
