import HeadgateTesting

@testable import HeadgateDialects

/// Random conversations of every shape that all formats support; equal seeds give equal conversations.
struct RandomConversation {
    private var random: SeededGenerator
    private var callCount = 0

    init(seed: UInt64) { random = SeededGenerator(state: seed) }

    static func request(seed: UInt64) -> ModelRequest {
        var conversation = RandomConversation(seed: seed)
        return conversation.request()
    }

    private mutating func request() -> ModelRequest {
        var request = ModelRequest()
        request.model = "m"
        request.maximumTokens = 100
        request.tools = ["find", "read_file"].map { name in
            .function(Tool.Function(name: name, parameters: ["type": "object", "properties": [:]]))
        }
        if chance(2) { request.messages.append(Message(.system, texts(1...2))) }
        request.messages.append(Message(.user, userParts()))
        for _ in 0..<Int.random(in: 0...4, using: &random) { addTurns(to: &request) }
        return request
    }

    /// Adds the model's turn, the tools' results, and the user's reply.
    private mutating func addTurns(to request: inout ModelRequest) {
        var parts = chance(4) ? [] : texts(1...2)
        var calls: [String] = []
        for _ in 0..<(parts.isEmpty ? 1 : 0) + Int.random(in: 0...2, using: &random) {
            let id = "call_\(callCount)"
            callCount += 1
            calls.append(id)
            parts.append(.call(id, chance(2) ? "find" : "read_file", value(depth: 3, isObject: true).text))
        }
        request.messages.append(Message(.assistant, parts))
        if !calls.isEmpty {
            request.messages.append(Message(.tool, calls.map { .result($0, texts(1...2)) }))
        }
        if calls.isEmpty || chance(2) { request.messages.append(Message(.user, userParts())) }
    }

    private mutating func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }

    private mutating func userParts() -> [Part] {
        var parts = texts(1...2)
        if chance(3) {
            parts.append(Part(.image(.data(mediaType: "image/png", base64: "QUJD"), detail: nil)))
        }
        if chance(4) { parts.append(Part(.image(.url("https://images.example/\(callCount)"), detail: nil))) }
        if chance(4) {
            parts.append(Part(.document(.data(mediaType: "application/pdf", base64: "QUJD"), name: "a.pdf")))
        }
        parts.shuffle(using: &random)
        return parts
    }

    private mutating func texts(_ range: ClosedRange<Int>) -> [Part] {
        (0..<Int.random(in: range, using: &random)).map { _ in Part(.text(text())) }
    }

    /// Returns text that is hard to translate: escapes, control characters, scalars beyond the first plane, and joined
    /// scalars.
    mutating func text() -> String {
        let pieces = [
            "word", " ", "\"", "\\", "\n", "\t", "\u{1}", "\u{7F}", "\u{2028}", "é", "e\u{301}", "日本", "שלום", "😀",
            "👩‍👩‍👧", "\u{FEFF}", "\\u0041", "</s>", "data: ", "{", "]",
        ]
        let count = Int.random(in: 0...6, using: &random)
        // The text has a visible character, because formats refuse texts of white space only.
        return "x" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    mutating func value(depth: Int, isObject: Bool = false) -> JSONValue {
        let kind = isObject ? 5 : Int.random(in: 0...(depth > 0 ? 5 : 3), using: &random)
        switch kind {
        case 0: return nil
        case 1: return .bool(chance(2))
        case 2: return .number(["0", "-1.50", "1e400", "12345678901234567890"].randomElement(using: &random) ?? "")
        case 3: return .string(text())
        case 4: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1) })
        default:
            var object = JSONObject()
            for number in 0..<Int.random(in: 0...3, using: &random) {
                object["\(number)\(text())"] = value(depth: depth - 1)
            }
            return .object(object)
        }
    }
}
