/// Whole numbers as decimal digits.
enum Decimal {
    static func append(_ number: Int, to line: inout [UInt8]) {
        if number >= 0, number < 10 { return line.append(0x30 + UInt8(truncatingIfNeeded: number)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number.magnitude
            var start = 20
            repeat {
                start -= 1
                digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                start -= 1
                digits[start] = 0x2D
            }
            line.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }
}
