import HTTPTypes
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Random JSON on every route: unknown members arrive unchanged in both directions.
@Suite struct RelayedBytesPropertyTests {
    private struct Generator {
        private var state: UInt64

        init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

        mutating func number(below bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }

        mutating func pick(_ elements: [String]) -> String { elements[number(below: elements.count)] }

        mutating func value(depth: Int = 0) -> String {
            switch number(below: depth > 3 ? 3 : 5) {
            case 0: return pick(["0", "-0.0", "1.50", "1E+3", "123456789012345678901234567890", "5e-324"])
            case 1: return pick(["true", "false", "null"])
            case 2: return pick([#""""#, #""a\"}{][,""#, #""é😀\/""#, #""\ud83d\ude00\u0000""#, #""data: x\n\n""#])
            case 3:
                return "[" + (0..<number(below: 4)).map { _ in value(depth: depth + 1) }.joined(separator: " , ") + "]"
            default: return "{" + members(depth: depth + 1) + "}"
            }
        }

        /// Returns members, some with names that have a meaning elsewhere.
        mutating func members(depth: Int) -> String {
            (0..<number(below: 4)).map { index in
                let name = pick(["model", "usage", "x", "\\u0065rror", "é", "", "type", "id"])
                return #""\#(name)\#(depth == 0 ? "_\(index)" : "")"\#(pick([":", " : "]))\#(value(depth: depth))"#
            }.joined(separator: pick([",", " ,\\t"]).replacing("\\t", with: "\t"))
        }

        /// Returns unknown members preceded by a comma, or an empty string.
        mutating func rest() -> String {
            let members = members(depth: 0)
            return members.isEmpty ? "" : "," + members
        }
    }

    @Test(arguments: RelayRoute.all) func unknownMembersOfRequestsPassUnchanged(_ route: RelayRoute) async {
        let gateway = DialectGateway(.json("{}", headerFields: [.contentType: "audio/mpeg"]))
        var expected: [String] = []
        for seed in 1...150 {
            var generator = Generator(seed: seed)
            let members = #"\#(generator.rest())\#(route.rest)\#(generator.rest())"#
            // Each top-level name ends with a number, so it never equals a name that the gateway reads.
            let body = "{\"model\" : \"org/\(route.isAnthropic ? "claude" : "renamed")\"\(members) }"
            let answer = await gateway.post("/v1" + route.path, body)
            #expect(answer.status == 200, "\(body)")
            expected.append("{\"model\" : \"inner\"\(members) }")
        }
        #expect(gateway.sent.map(\.body) == expected)
    }

    @Test(arguments: RelayRoute.all.filter { $0.path != "/audio/speech" })
    func unknownMembersOfResponsesPassUnchanged(_ route: RelayRoute) async {
        for seed in 1...150 {
            var generator = Generator(seed: seed)
            let before = generator.members(depth: 0)
            let document = "{\(before)\(before.isEmpty ? "" : ",")\"model\":@M\(generator.rest())}"
            let gateway = DialectGateway(.json(document.replacing("@M", with: #""up/stream""#)))
            let name = route.isAnthropic ? "org/claude" : "org/renamed"
            let answer = await gateway.post("/v1" + route.path, #"{"model":"\#(name)"\#(route.rest)}"#)
            #expect(answer.status == 200 && answer.text == document.replacing("@M", with: "\"\(name)\""), "\(document)")
        }
    }

    @Test func unknownMembersOfEventsPassUnchanged() async {
        for seed in 1...150 {
            var generator = Generator(seed: seed)
            let typed = (0..<4).map { _ in #"{"type":"content_block_delta"\#(generator.rest())}"# }
            let stream = Typed.events(typed + [Typed.messageStop])
            let message = await DialectGateway(.init(chunks: [stream])).message(model: "org/claude", stream: true)
            #expect(message.text == stream)
            let chunks = (0..<3).map { _ in
                #"{"choices":[{"index":0,"delta":{"content":"a"\#(generator.rest())}\#(generator.rest())}]\#(generator.rest())}"#
            }
            let chat = Chunk.events(chunks[0], chunks[1], chunks[2], Chunk.stop) + Chunk.done
            let answer = await DialectGateway(.init(chunks: [chat])).running.chat(stream: true)
            #expect(answer.text == chat)
        }
    }
}
