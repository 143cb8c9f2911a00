/// QR code (ISO/IEC 18004) of a short text: byte mode, lowest error correction level, versions 1 to 15.
package struct QRCode {
    /// Number of modules on each side.
    package private(set) var size: Int
    private var isDark: [Bool]
    /// Whether a module belongs to a pattern, which contains no data and is not masked.
    private var isPattern: [Bool]

    /// Error correction bytes of each block, and the number of blocks, by version.
    private static let correction = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22]
    private static let blocks = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6]

    /// Creates a code; nil if the text is too long.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = (1...15).first(where: { QRCode.room($0) >= bytes.count }) else { return nil }
        size = 17 + 4 * version
        isDark = [Bool](repeating: false, count: size * size)
        isPattern = isDark
        drawPatterns(version)
        draw(QRCode.codewords(bytes, version))
        let unmasked = self
        let masked = (0..<8).map { mask in
            var code = unmasked
            code.apply(mask)
            return code
        }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
        self = best
    }

    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && isDark[y * size + x]
    }

    /// Lines for a terminal with two rows of modules each, including the quiet zone that scanners need.
    package var lines: [String] {
        stride(from: -4, to: size + 4, by: 2).map { y in
            String(
                (-4..<size + 4).map { x -> Character in
                    switch (isDark(x, y), isDark(x, y + 1)) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                })
        }
    }

    // MARK: Data

    /// Returns the bytes of data and error correction together.
    private static func capacity(_ version: Int) -> Int {
        var modules = (16 * version + 128) * version + 64
        if version >= 2 {
            let alignments = version / 7 + 2
            modules -= (25 * alignments - 10) * alignments - 55
        }
        if version >= 7 { modules -= 36 }
        return modules / 8
    }

    private static func dataCapacity(_ version: Int) -> Int {
        capacity(version) - correction[version - 1] * blocks[version - 1]
    }

    /// Returns the bytes of text. Mode and length take 12 or 20 bits.
    private static func room(_ version: Int) -> Int { dataCapacity(version) - (version < 10 ? 2 : 3) }

    /// Returns the bytes of all blocks, interleaved: first the data, then the error correction.
    private static func codewords(_ text: [UInt8], _ version: Int) -> [UInt8] {
        var bits = QRBits()
        bits.append(0b0100, count: 4)
        bits.append(text.count, count: version < 10 ? 8 : 16)
        for byte in text { bits.append(Int(byte), count: 8) }
        let data = bits.filled(to: dataCapacity(version))
        let (count, length) = (blocks[version - 1], correction[version - 1])
        let longer = capacity(version) % count
        let generator = QRField.generator(length)
        var parts: [(data: ArraySlice<UInt8>, correction: [UInt8])] = []
        var rest = data[...]
        for index in 0..<count {
            let part = rest.prefix(data.count / count + (index < count - longer ? 0 : longer == 0 ? 0 : 1))
            rest = rest.dropFirst(part.count)
            parts.append((part, QRField.remainder(part, generator)))
        }
        var all: [UInt8] = []
        for index in 0...(data.count / count) {
            for part in parts where index < part.data.count { all.append(part.data[part.data.startIndex + index]) }
        }
        for index in 0..<length { all += parts.map { $0.correction[index] } }
        return all
    }

    /// Fills the modules outside of patterns in columns of two, from the right, alternately up and down.
    private mutating func draw(_ codewords: [UInt8]) {
        var index = 0
        var isUpward = true
        for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !isPattern[y * size + x] && index < codewords.count * 8 {
                    isDark[y * size + x] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
                    index += 1
                }
            }
            isUpward.toggle()
        }
    }

    // MARK: Patterns

    private mutating func set(_ x: Int, _ y: Int, _ dark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        isDark[y * size + x] = dark
        isPattern[y * size + x] = true
    }

    private mutating func drawPatterns(_ version: Int) {
        for index in 0..<size {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawSquares(x, y, radius: 4, light: [2, 4]) }
        let places = alignments(version)
        for y in places {
            for x in places where ![(6, 6), (6, size - 7), (size - 7, 6)].contains(where: { $0 == (x, y) }) {
                drawSquares(x, y, radius: 2, light: [1])
            }
        }
        drawFormat(0)
        guard version >= 7 else { return }
        let bits = version << 12 | QRCode.remainder(version, generator: 0x1F25, degree: 12)
        for index in 0..<18 {
            let isSet = bits >> index & 1 == 1
            set(size - 11 + index % 3, index / 3, isSet)
            set(index / 3, size - 11 + index % 3, isSet)
        }
    }

    /// Draws squares around a center; those at the distances in `light` are light.
    private mutating func drawSquares(_ x: Int, _ y: Int, radius: Int, light: [Int]) {
        for down in -radius...radius {
            for right in -radius...radius {
                set(x + right, y + down, !light.contains(max(abs(right), abs(down))))
            }
        }
    }

    /// Positions of alignment patterns in both directions.
    private func alignments(_ version: Int) -> [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { size - 7 - $0 * step }
    }

    private mutating func drawFormat(_ mask: Int) {
        let data = 0b01 << 3 | mask
        let bits = (data << 10 | QRCode.remainder(data, generator: 0x537, degree: 10)) ^ 0x5412
        for index in 0..<15 {
            let isSet = bits >> index & 1 == 1
            switch index {
            case 0..<6: set(8, index, isSet)
            case 6, 7: set(8, index + 1, isSet)
            case 8: set(7, 8, isSet)
            default: set(14 - index, 8, isSet)
            }
            if index < 8 { set(size - 1 - index, 8, isSet) } else { set(8, size - 15 + index, isSet) }
        }
        set(8, size - 8, true)
    }

    private static func remainder(_ value: Int, generator: Int, degree: Int) -> Int {
        (0..<degree).reduce(value) { rest, _ in rest << 1 ^ (rest >> (degree - 1)) * generator }
    }

    // MARK: Masks

    private mutating func apply(_ mask: Int) {
        for y in 0..<size {
            for x in 0..<size where !isPattern[y * size + x] && QRCode.inverts(mask, x, y) {
                isDark[y * size + x].toggle()
            }
        }
        drawFormat(mask)
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y).isMultiple(of: 2)
        case 1: y.isMultiple(of: 2)
        case 2: x.isMultiple(of: 3)
        case 3: (x + y).isMultiple(of: 3)
        case 4: (x / 3 + y / 2).isMultiple(of: 2)
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3).isMultiple(of: 2)
        default: ((x + y) % 2 + x * y % 3).isMultiple(of: 2)
        }
    }

    /// Penalty for poor readability: long runs, squares of one color, and too much of one color.
    private var penalty: Int {
        var penalty = 0
        for isRow in [true, false] {
            for line in 0..<size {
                var run = 0
                for index in 0..<size {
                    let at = isRow ? line * size + index : index * size + line
                    run = index > 0 && isDark[at] == isDark[at - (isRow ? 1 : size)] ? run + 1 : 1
                    if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
                }
            }
        }
        for y in 1..<size {
            for x in 1..<size {
                let dark = [isDark(x, y), isDark(x - 1, y), isDark(x, y - 1), isDark(x - 1, y - 1)].count { $0 }
                if dark == 0 || dark == 4 { penalty += 3 }
            }
        }
        let share = isDark.count { $0 } * 100 / isDark.count
        return penalty + abs(share - 50) / 5 * 10
    }
}

/// Bits of a code's data, with the highest bit of each value first.
private struct QRBits {
    private var bits: [Bool] = []

    mutating func append(_ value: Int, count: Int) {
        for index in (0..<count).reversed() { bits.append(value >> index & 1 == 1) }
    }

    /// Returns the bits as bytes, with the end mark and padding up to a length.
    func filled(to length: Int) -> [UInt8] {
        let zeros = min(4, length * 8 - bits.count)
        var bits = bits + [Bool](repeating: false, count: zeros)
        while !bits.count.isMultiple(of: 8) { bits.append(false) }
        var bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<(length - bytes.count) { bytes.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
        return bytes
    }
}

/// Finite field of 256 elements for error correction.
private enum QRField {
    /// Coefficients of the generator polynomial, without the leading 1.
    static func generator(_ degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in result.indices {
                result[index] = product(result[index], root) ^ (index + 1 < degree ? result[index + 1] : 0)
            }
            root = product(root, 2)
        }
        return result
    }

    static func remainder(_ data: ArraySlice<UInt8>, _ generator: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in rest.indices { rest[index] ^= product(generator[index], factor) }
        }
        return rest
    }

    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var result = 0
        for index in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x11D
            result ^= Int(other >> UInt8(index) & 1) * Int(one)
        }
        return UInt8(result)
    }
}
