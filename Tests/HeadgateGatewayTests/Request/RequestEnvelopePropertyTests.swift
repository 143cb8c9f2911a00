import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Random requests: the upstream request differs from the client's only by the edits.
@Suite struct RequestEnvelopePropertyTests {
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

        mutating func value(depth: Int) -> String {
            switch number(below: depth > 3 ? 4 : 6) {
            case 0: return pick(["0", "-1.50", "1e3", "12345678901234567890"])
            case 1: return pick(["true", "false", "null"])
            case 2, 3: return pick([#""""#, #""a\"}{][,""#, #""é😀""#, #""\ud800\u0000\/""#, #""model""#])
            case 4:
                let elements = (0..<number(below: 4)).map { _ in space() + value(depth: depth + 1) + space() }
                return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
            default:
                let members = (0..<number(below: 4)).map { _ in
                    "\(space())\(pick([#""model""#, #""stream""#, #""\u006e""#, #""x""#]))\(space()):\(space())\(value(depth: depth + 1))\(space())"
                }
                return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
            }
        }

        mutating func shuffled(_ members: [String]) -> [String] {
            var members = members
            for index in members.indices.reversed() { members.swapAt(index, number(below: index + 1)) }
            return members
        }
    }

    private struct Case {
        var sent = ""
        var expected = ""
        var isStream = false
    }

    /// Returns the same document twice: as the client sends it, and with the expected edits.
    private func randomCase(_ seed: Int) -> Case {
        var generator = Generator(seed: seed)
        var random = Case()
        random.isStream = generator.number(below: 2) == 0
        let options: (String, String)? = generator.pick([
            nil, ("{}", #"{"include_usage":true}"#), ("null", #"{"include_usage":true}"#),
            (#"{"include_usage":false,"y":[1]}"#, #"{"include_usage":true,"y":[1]}"#),
            (#"{"y":{"include_usage":false}}"#, #"{"include_usage":true,"y":{"include_usage":false}}"#),
        ])
        var members = [
            #""model":@M"#, #""messages":"# + "[\(generator.value(depth: 1))]", #""stream":\#(random.isStream)"#,
        ]
        if options != nil { members.append(#""stream_options":@O"#) }
        for index in 0..<generator.number(below: 4) { members.append("\"x\(index)\":\(generator.value(depth: 0))") }
        members = generator.shuffled(members).map { generator.space() + $0 + generator.space() }
        let body = members.joined(separator: ",") + "}" + generator.space()
        let start = generator.space()
        let addition = random.isStream && options == nil ? #""stream_options":{"include_usage":true},"# : ""
        random.sent = "\(start){" + body.replacing("@M", with: #""public""#).replacing("@O", with: options?.0 ?? "")
        random.expected =
            "\(start){\(addition)"
            + body.replacing("@M", with: #""inner""#)
            .replacing("@O", with: (random.isStream ? options?.1 : options?.0) ?? "")
        return random
    }

    @Test func everyOtherByteIsPreserved() throws {
        for seed in 1...2000 {
            let random = randomCase(seed)
            let envelope = try RequestEnvelope(Array(random.sent.utf8))
            #expect(envelope.isStream == random.isStream)
            let sent = envelope.upstreamBody(model: "inner")
            #expect(String(decoding: sent, as: UTF8.self) == random.expected, "seed \(seed): \(random.sent)")
        }
    }

    @Test func noPrefixOfARequestIsAccepted() throws {
        for seed in 1...20 {
            let whole = Array(randomCase(seed).sent.utf8)
            let end = try #require(whole.lastIndex(of: UInt8(ascii: "}")))
            for length in 0..<end {
                #expect(throws: GatewayError.self) { try RequestEnvelope(Array(whole[..<length])) }
            }
        }
    }

    @Test func damagedRequestsAreRefusedOrStayValid() {
        for seed in 1...200 {
            var bytes = Array(randomCase(seed).sent.utf8)
            var generator = Generator(seed: seed + 10_000)
            bytes[generator.number(below: bytes.count)] = UInt8(generator.number(below: 256))
            guard let envelope = try? RequestEnvelope(bytes) else { continue }
            let sent = envelope.upstreamBody(model: "inner")
            #expect((try? RequestEnvelope(sent))?.model == "inner")
        }
    }
}
