/// Reads decimal numbers from 0 to 1, such as `0.25`.
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
