import HTTPTypes
import HeadgateConfiguration
import HeadgateDialects
import HeadgateHTTP
import HeadgateTesting
import JSONBytes
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct InstructionPresetTests {
    private static let all = InstructionRules(prepended: "P\"", appended: "A", standard: "D")

    private func applied(
        _ body: String, _ format: ClientFormat, _ rules: InstructionRules = Self.all
    ) throws -> String {
        try Array(body.utf8).withUnsafeBytes { document in
            let edits = try InstructionPreset(rules).edits(for: document, in: format)
            return String(decoding: JSONSplice.applying(edits, to: document), as: UTF8.self)
        }
    }

    @Test(arguments: [
        // Without instructions.
        (
            #"{"messages":[{"role":"user","content":"u"}], "x" : 1.0}"#,
            #"{"messages":[{"role":"system","content":"P\"\n\nD\n\nA"},{"role":"user","content":"u"}], "x" : 1.0}"#
        ),
        (#"{"messages":[]}"#, #"{"messages":[{"role":"system","content":"P\"\n\nD\n\nA"}]}"#),
        // With a text, an empty text, and parts.
        (
            #"{"messages":[{"role":"system","content":"s\n"},{"role":"user","content":"u"}]}"#,
            #"{"messages":[{"role":"system","content":"P\"\n\ns\n\n\nA"},{"role":"user","content":"u"}]}"#
        ),
        (
            #"{"messages":[{"content":"","role":"developer"}]}"#,
            #"{"messages":[{"content":"P\"\n\nD\n\nA","role":"developer"}]}"#
        ),
        (
            #"{"messages":[{"role":"system","content":[{"type":"text","text":"s"}]}]}"#,
            #"{"messages":[{"role":"system","content":[{"type":"text","text":"P\""},{"type":"text","text":"s"},{"type":"text","text":"A"}]}]}"#
        ),
        // With several messages: before the first, and after the last of those at the beginning.
        (
            #"{"messages":[{"role":"system","content":"1"},{"role":"system","content":"2"},{"role":"user","content":"u"},{"role":"system","content":"3"}]}"#,
            #"{"messages":[{"role":"system","content":"P\"\n\n1"},{"role":"system","content":"2\n\nA"},{"role":"user","content":"u"},{"role":"system","content":"3"}]}"#
        ),
    ]) func chatGetsThemInItsOwnSystemMessage(_ body: String, _ expected: String) throws {
        #expect(try applied(body, .chat) == expected)
        #expect(try applied(body, .ollamaChat) == expected)
    }

    @Test(arguments: [
        (
            #"[{"role":"system","content":null},{"role":"system","content":"x"}]"#,
            #"[{"role":"system","content":"P\""},{"role":"system","content":"x\n\nA"}]"#
        ),
        (
            #"[{"role":"system","content":[]},{"role":"system","content":"x"}]"#,
            #"[{"role":"system","content":[{"type":"text","text":"P\""}]},{"role":"system","content":"x\n\nA"}]"#
        ),
        (
            #"[{"role":"system","content":"x"},{"role":"system","content":[]}]"#,
            #"[{"role":"system","content":"P\"\n\nx"},{"role":"system","content":[{"type":"text","text":"A"}]}]"#
        ),
        (
            #"[{"role":"system","content":"x"},{"role":"system","content":null},{"role":"user","content":"u"}]"#,
            #"[{"role":"system","content":"P\"\n\nx"},{"role":"system","content":"A"},{"role":"user","content":"u"}]"#
        ),
    ]) func emptyMessageAmongOthersIsFilled(_ messages: String, _ expected: String) throws {
        #expect(try applied("{\"messages\":\(messages)}", .chat) == "{\"messages\":\(expected)}")
    }

    @Test(arguments: ["1", "true", #"{"type":"text","text":"R"}"#]) func valueOfAnotherTypeIsUnchanged(_ value: String)
        throws
    {
        let body = #"{"system":\#(value)}"#
        #expect(try applied(body, .messages) == body)
        let messages = #"{"messages":[{"role":"system","content":\#(value)}]}"#
        #expect(try applied(messages, .chat).hasSuffix(#"{"role":"system","content":\#(value)}]}"#))
    }

    @Test func repeatedMemberIsRefused() {
        #expect(throws: JSONError.self) { try applied(#"{"system":"a","system":"b"}"#, .messages) }
    }

    @Test func responsesWithInstructionsInTheirInputGetNoDefault() throws {
        let input = #""input":[{"role":"developer","content":"s"}]"#
        #expect(try applied("{\(input)}", .responses) == #"{"instructions":"P\"\n\nA",\#(input)}"#)
        let user = #""input":[{"role":"user","content":"s"}]"#
        #expect(try applied("{\(user)}", .responses) == #"{"instructions":"P\"\n\nD\n\nA",\#(user)}"#)
    }

    @Test(arguments: [(ClientFormat.messages, "system"), (.ollamaGenerate, "system"), (.responses, "instructions")])
    func otherFormatsGetThemInTheirMember(_ format: ClientFormat, _ member: String) throws {
        #expect(
            try applied(#"{"model":"m"}"#, format) == #"{"\#(member)":"P\"\n\nD\n\nA","model":"m"}"#)
        #expect(try applied(#"{"\#(member)":null}"#, format) == #"{"\#(member)":"P\"\n\nD\n\nA"}"#)
        #expect(try applied(#"{"\#(member)":"s"}"#, format) == #"{"\#(member)":"P\"\n\ns\n\nA"}"#)
        let start =
            format == .responses ? #""type":"message","role":"system","content":"# : #""type":"text","text":"#
        #expect(
            try applied(#"{"\#(member)":[{"x":"s"}]}"#, format)
                == #"{"\#(member)":[{\#(start)"P\""},{"x":"s"},{\#(start)"A"}]}"#)
    }

    @Test func defaultOnlyPresetKeepsOwnInstructions() throws {
        let rules = InstructionRules(standard: "D")
        for body in [#"{"system":"s"}"#, #"{"system":[{"type":"text","text":"s"}]}"#] {
            #expect(try applied(body, .messages, rules) == body)
        }
        #expect(try applied(#"{"system":[]}"#, .messages, rules) == #"{"system":[{"type":"text","text":"D"}]}"#)
    }

    @Test func nothingIsAddedIfNothingFits() throws {
        let body = #"{"messages":[{"role":"user","content":"u"}]}"#
        #expect(try applied(body, .chat, InstructionRules()) == body)
    }

    // MARK: Through the gateway

    private func gateway() -> InProcessGateway {
        var model = ModelConfiguration(name: "reviewer", upstream: "up", model: "inner")
        model.instructions = InstructionRules(prepended: "Review.")
        model.description = "Reviews code"
        let upstream = UpstreamDefinition(
            UpstreamConfiguration(name: "up", kind: .openai),
            baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"), credentials: []
        ) { _ in transport }
        return InProcessGateway(
            transport: transport, upstreams: [upstream],
            models: [model, ModelConfiguration(name: "plain", upstream: "up")], keys: InProcessGateway.keys)
    }
    private let transport = PlannedTransport(.json(#"{"id":"c","choices":[]}"#))

    @Test func upstreamGetsThemForTheirModelOnly() async throws {
        let gateway = gateway()
        #expect(await gateway.chat(model: "reviewer").status == 200)
        #expect(await gateway.chat(model: "plain").status == 200)
        let bodies = transport.requests.map(\.body)
        #expect(
            bodies == [
                #"{"model":"inner","stream":false,"messages":[{"role":"system","content":"Review."}]}"#,
                #"{"model":"plain","stream":false,"messages":[]}"#,
            ])
    }

    @Test func descriptionIsListed() async {
        let answer = await gateway().ask(.get, "/v1/models/reviewer")
        #expect(answer.text.hasSuffix(#","description":"Reviews code"}"#))
    }
}
