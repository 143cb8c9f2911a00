import HeadgateTerminal

/// Returns terminal output with names instead of escape sequences: a style is written `<bold>`, and `<>` ends it.
func named(_ shown: String) -> String {
    let names: [(TextStyle, String)] = [
        (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underlined, "underlined"), (.struck, "struck"),
        (.code, "code"), (.alarming, "alarming"), (.keyword, "keyword"), (.string, "string"), (.number, "number"),
    ]
    var text = ""
    var rest = shown[...]
    while let start = rest.firstIndex(of: "\u{1B}") {
        text += rest[..<start]
        rest = rest[start...]
        let end = rest.firstIndex(of: "m").map { rest.index(after: $0) } ?? rest.endIndex
        let sequence = String(rest[..<end])
        let bits = (UInt16(0)..<1024).first { TextStyle(rawValue: $0).sequence == sequence }
        let style = bits.map { TextStyle(rawValue: $0) }
        text +=
            style.map { style in "<\(names.filter { style.contains($0.0) }.map(\.1).joined(separator: ","))>" } ?? "?"
        rest = rest[end...]
    }
    return text + rest
}

/// Returns the output of a stream for these pieces.
func shown(_ pieces: [String], columns: Int? = nil) -> String {
    var stream = MarkdownStream(columns: columns)
    return pieces.map { stream.feed($0) }.joined() + stream.finish()
}

/// A generator whose numbers are the same in every run (a linear congruence).
struct RepeatableGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
