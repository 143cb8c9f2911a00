import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct SideEffectsTests {
    private func effects(_ members: String) throws -> SideEffects {
        try SideEffects(Array("{\"model\":\"m\",\(members)}".utf8))
    }

    @Test(arguments: [
        #""previous_response_id":"resp_1""#, #""conversation":{"id":"c"}"#, #""background":true"#,
        #""mcp_servers":[]"#, #""container":"c""#, #""thread":{"type":"create"}"#,
        #""compaction":{"type":"summarize"}"#,
        #""fallback_credit_token":"t""#, #""tools":[{"name":"f"},{"type":"code_execution_20250825"}]"#,
        #""tools":[{"type":"\u006dcp"}]"#,
    ])
    func upstreamSideEffectsAreDetected(_ members: String) throws { #expect(try effects(members).acts) }

    @Test(arguments: [
        #""messages":[]"#, #""previous_response_id":null"#, #""background":false"#, #""tools":null"#,
        #""tools":[{"name":"f","input_schema":{"type":"object"}}]"#,
        #""tools":[{"type":"custom"},{"type":"function"}]"#,
        #""tools":["mcp"]"#,
    ])
    func upstreamHasNoSideEffects(_ members: String) throws { #expect(try !effects(members).acts) }

    @Test func responsesAreStoredOnlyIfTheUpstreamStoresThem() throws {
        let routing = ManualRouting(targets: 2) { _, upstream in
            upstream.speaks = upstream.name == "a" ? [.chat, .responses] : [.chat]
        }
        let targets = try #require(routing.snapshot.relay.models.route(of: "m")).targets
        func areNone(_ members: String, _ operation: RelayOperation) throws -> [Bool] {
            let body = Array("{\"model\":\"m\",\(members)}".utf8)
            return SideEffects.areNone(
                of: try RequestEnvelope(body, shape: operation.shape), operation, at: targets)
        }
        #expect(try areNone(#""input":"Hi""#, .createResponse) == [false, true])
        #expect(try areNone(#""input":"Hi","store":true"#, .createResponse) == [false, true])
        #expect(try areNone(#""input":"Hi","store":false"#, .createResponse) == [true, true])
        #expect(try areNone(#""input":"Hi""#, .countResponseTokens) == [true, true])
        #expect(try areNone(#""messages":[]"#, .createChatCompletion) == [true, true])
        #expect(try areNone(#""messages":[],"store":true"#, .createChatCompletion) == [false, false])
    }
}
