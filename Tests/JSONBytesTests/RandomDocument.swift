import HeadgateTesting

/// A valid random document whose top level is an object, with the known positions of its members.
struct RandomDocument {
    private(set) var bytes: [UInt8] = []
    /// Ranges of the values of the top-level members, in order.
    private(set) var members: [Range<Int>] = []
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
        space()
        append("{")
        let count = Int.random(in: 0...4, using: &generator)
        for index in 0..<count {
            space()
            string()
            space()
            append(":")
            space()
            let start = bytes.count
            value(depth: 1)
            members.append(start..<bytes.count)
            space()
            if index < count - 1 { append(",") }
        }
        space()
        append("}")
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func space() {
        guard Int.random(in: 0..<4, using: &generator) == 0 else { return }
        append([" ", "\n", "\t", "\r\n", "    "].randomElement(using: &generator) ?? "")
    }

    private mutating func string() {
        let pieces = [
            "a", "model", "0123456789abcdef", "é", "\u{800}", "語", "\u{1F600}", "\u{10FFFF}", "\u{7F}", "\\n", "\\\"",
            "\\\\", "\\/", "\\u0041", "\\ud83d\\ude00", "\\ud800", "{", "]", ",", ":", "'",
        ]
        append("\"")
        for _ in 0..<Int.random(in: 0...5, using: &generator) { append(pieces.randomElement(using: &generator) ?? "") }
        append("\"")
    }

    private mutating func value(depth: Int) {
        switch Int.random(in: 0..<(depth < 5 ? 7 : 5), using: &generator) {
        case 0: string()
        case 1: append(["null", "true", "false"].randomElement(using: &generator) ?? "")
        case 2: append(["0", "-0", "7", "-12345678901234567890", "1741569952"].randomElement(using: &generator) ?? "")
        case 3: append(["0.5", "-1.25e-3", "1E+9", "1e999", "0e0"].randomElement(using: &generator) ?? "")
        case 4: append(["{}", "[]", "\"\"", "{ }", "[\n]"].randomElement(using: &generator) ?? "")
        case 5: container("[", "]", depth: depth, named: false)
        default: container("{", "}", depth: depth, named: true)
        }
    }

    private mutating func container(_ opening: String, _ closing: String, depth: Int, named: Bool) {
        append(opening)
        let count = Int.random(in: 1...3, using: &generator)
        for index in 0..<count {
            space()
            if named {
                string()
                space()
                append(":")
                space()
            }
            value(depth: depth + 1)
            space()
            if index < count - 1 { append(",") }
        }
        append(closing)
    }
}
