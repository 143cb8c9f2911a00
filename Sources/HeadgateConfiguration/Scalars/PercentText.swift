internal import HeadgatePrimitives

/// Reads whole percentages such as `10%`.
enum PercentText {
    static let expected = "a percentage such as 10% (from 0% to 100%)"

    static func parse(_ text: String) throws(InvalidValue) -> Int {
        guard text.hasSuffix("%"), let percent = WholeNumber.digits(text.utf8.dropLast()), percent <= 100 else {
            throw InvalidValue("expected \(expected)")
        }
        return percent
    }
}
