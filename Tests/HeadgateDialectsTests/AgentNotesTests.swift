import Testing

@testable import HeadgateDialects

@Suite("Agent notes that differ from turn to turn")
struct AgentNotesTests {
    static let line = "x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch=36ee5;"

    private func translated(_ system: JSONValue, to upstream: WireFormat) throws -> String {
        let request: JSONValue = [
            "model": "m", "max_tokens": 9, "system": system, "messages": [["role": "user", "content": "hi"]],
        ]
        let body = try RequestTranslation.translate(
            request.bytes, from: .messages, to: upstream, for: TargetTraits()
        ).body
        return String(decoding: body, as: UTF8.self)
    }

    @Test("are not sent to upstreams of other formats", arguments: [WireFormat.chat, .responses])
    func leftOut(upstream: WireFormat) throws {
        let block: JSONValue = ["type": "text", "text": .string(Self.line)]
        let rest: JSONValue = ["type": "text", "text": "You are an agent."]
        let plain = try translated([rest], to: upstream)
        #expect(try translated([block, rest], to: upstream) == plain)
        #expect(try translated(.string("\(Self.line)\nYou are an agent."), to: upstream) == plain)
        #expect(try translated(.string("\(Self.line)\n\(Self.line)\nYou are an agent."), to: upstream) == plain)
        #expect(try translated([block], to: upstream) == translated("", to: upstream))
    }

    @Test("reach Anthropic from any client")
    func kept() throws {
        let request: JSONValue = [
            "model": "m",
            "messages": [["role": "system", "content": .string(Self.line)], ["role": "user", "content": "hi"]],
        ]
        let body = try RequestTranslation.translate(request.bytes, from: .chat, to: .messages, for: TargetTraits()).body
        #expect(String(decoding: body, as: UTF8.self).contains(Self.line))
    }

    @Test(
        "are lines at the beginning that look like an Anthropic header",
        arguments: [
            (line, ""), ("\(line)\n", ""), ("\(line)\n\nrest", "\nrest"), ("x-anthropic-new-note: 1\nrest", "rest"),
            ("Never send x-anthropic-billing-header: it", nil), ("x-anthropic-billing-header", nil),
            ("x-anthropic-billing header: x", nil), ("x-other: 1\nrest", nil), ("", nil),
            ("x-anthropic-a0-Z9: 1\nrest", "rest"), ("x-anthropic-a/b: 1", nil), ("x-anthropic-a[: 1", nil),
        ])
    func lines(text: String, rest: String?) {
        #expect(AgentNotes.removed(from: text) == rest ?? text)
        // The result is the same inside a JSON string.
        let literal = JSONValue.string(text).bytes.dropFirst().dropLast()
        let count = AgentNotes.length(in: literal, isEscaped: true)
        let expected = JSONValue.string(rest ?? text).bytes.dropFirst().dropLast()
        #expect(literal.dropFirst(count).elementsEqual(expected))
    }
}
