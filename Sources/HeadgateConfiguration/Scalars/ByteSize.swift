internal import HeadgatePrimitives

/// Reads sizes such as `4096`, `64KiB`, `32MiB` and `1GiB`: from 1 byte to 16 GiB.
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
