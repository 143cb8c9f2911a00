import HeadgateConfiguration
import JSONBytes
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Random bodies under random rules: the output has the same bytes, except for the rules' edits.
@Suite struct ParameterRewritingPropertyTests {
    private struct Generator {
        private var state: UInt64

        init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

        mutating func number(below bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }
        mutating func space() -> String { pick(["", "", "", " ", "\n", "\t ", "\r\n"]) }

        mutating func value(depth: Int = 0) -> String {
            switch number(below: depth > 3 ? 4 : 6) {
            case 0: return pick(["0", "-1.50", "1e3", "12345678901234567890"])
            case 1: return pick(["true", "false", "null"])
            case 2, 3: return pick([#""""#, #""a\"}{][,""#, #""é😀""#, #""\ud800\u0000\/""#, #""n1""#])
            case 4:
                let elements = (0..<number(below: 4)).map { _ in space() + value(depth: depth + 1) + space() }
                return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
            default:
                let members = (0..<number(below: 4)).map { _ in
                    "\(space())\(pick([#""n1""#, #""n2""#, #""x""#]))\(space()):\(space())\(value(depth: depth + 1))\(space())"
                }
                return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
            }
        }
    }

    private static let names = (0..<9).map { "n\($0)" }

    private struct Case {
        var body = ""
        /// Names and values as in the body, without the space around them.
        var members: [(name: String, value: String)] = []
        var rules = ParameterRules()
    }

    private func randomCase(_ seed: Int) -> Case {
        var generator = Generator(seed: seed)
        var random = Case()
        var written: [String] = []
        for name in ParameterRewritingPropertyTests.names where generator.number(below: 2) == 0 {
            let value = generator.value()
            random.members.append((name, value))
            let literal = generator.number(below: 4) == 0 ? "\"\\u006e\(name.dropFirst())\"" : "\"\(name)\""
            written.append(
                generator.space() + literal + generator.space() + ":" + generator.space() + value + generator.space())
        }
        for index in written.indices.reversed() {
            let other = generator.number(below: index + 1)
            written.swapAt(index, other)
            random.members.swapAt(index, other)
        }
        random.body =
            generator.space() + "{" + (written.isEmpty ? generator.space() : written.joined(separator: ",")) + "}"
            + generator.space()
        for name in ParameterRewritingPropertyTests.names {
            let json = Array(generator.value().utf8)
            switch generator.number(below: 6) {
            case 0: random.rules.defaults.append(ParameterRules.Parameter(name: name, json: json))
            case 1: random.rules.overrides.append(ParameterRules.Parameter(name: name, json: json))
            case 2: random.rules.strip.append(name)
            default: break
            }
        }
        return random
    }

    /// Returns the expected members, computed on values.
    private func expected(_ random: Case) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        for member in random.members where !random.rules.strip.contains(member.name) {
            let override = random.rules.overrides.first { $0.name == member.name }
            members.append((member.name, override.map { String(decoding: $0.json, as: UTF8.self) } ?? member.value))
        }
        for parameter in random.rules.defaults + random.rules.overrides
        where !members.contains(where: { $0.name == parameter.name }) {
            members.append((parameter.name, String(decoding: parameter.json, as: UTF8.self)))
        }
        return members
    }

    /// Returns the members of a valid document, in order.
    private func members(of body: [UInt8]) throws -> [(name: String, value: String)] {
        try body.withUnsafeBytes { document in
            var cursor = JSONCursor(document)
            var members: [(name: String, value: String)] = []
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                let value = try cursor.skipValue()
                members.append((cursor.decoded(key), String(decoding: document[value], as: UTF8.self)))
            }
            try cursor.finish()
            return members
        }
    }

    @Test func resultIsValidInOrderWithoutRepetitionAndOtherwiseUntouched() throws {
        for seed in 1...3000 {
            let random = randomCase(seed)
            guard let rewriting = ParameterRewriting(random.rules) else { continue }
            let result = try rewriting.rewritten(Array(random.body.utf8))
            let (found, expected) = (try members(of: result), expected(random))
            let text = String(decoding: result, as: UTF8.self)
            #expect(found.map(\.name) == expected.map(\.name), "seed \(seed): \(random.body) became \(text)")
            #expect(found.map(\.value) == expected.map(\.value), "seed \(seed): \(random.body) became \(text)")
            #expect(Set(found.map(\.name)).count == found.count, "seed \(seed)")
        }
    }

    /// Every remaining byte is a byte of the body, in order: edits only remove values, or whole members with a comma.
    @Test func editsAreInOrderAndWithinTheBody() throws {
        for seed in 1...1000 {
            let random = randomCase(seed)
            guard let rewriting = ParameterRewriting(random.rules) else { continue }
            let body = Array(random.body.utf8)
            let edits = try body.withUnsafeBytes { try rewriting.edits(for: $0) }
            var position = 0
            for edit in edits {
                #expect(position <= edit.range.lowerBound && edit.range.upperBound <= body.count, "seed \(seed)")
                position = edit.range.upperBound
            }
            let touched = random.rules.overrides.map(\.name) + random.rules.strip
            let isTouched = random.members.contains { touched.contains($0.name) }
            let isAddedTo = expected(random).count > random.members.count
            if !isTouched, !isAddedTo { #expect(edits.isEmpty, "seed \(seed)") }
        }
    }

    @Test func secondRewritingOfAnAnswerOfTheFirstChangesNothing() throws {
        for seed in 1...500 {
            let random = randomCase(seed)
            guard let rewriting = ParameterRewriting(random.rules) else { continue }
            let once = try rewriting.rewritten(Array(random.body.utf8))
            #expect(try rewriting.rewritten(once) == once, "seed \(seed)")
        }
    }
}
