import HTTPTypes
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Client histories with turns of another provider, sent to the provider of the client's own format.
@Suite struct ForeignHistoryTests {
    private static let own = #"{"type":"thinking","thinking":"a","signature":"abc"}"#
    private static let foreign = #"{"type":"thinking","thinking":"b","signature":"headgate:responses::abc"}"#

    private func message(_ content: String) -> String {
        #"{"model":"claude","max_tokens":5,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[\#(content)]}]}"#
    }

    @Test func foreignReasoningIsDroppedAndNamed() async throws {
        let gateway = DialectGateway(anthropic: .json("{}"))
        let text = #"{"type":"text","text":"c"}"#
        let response = await gateway.post("/v1/messages", message("\(Self.own),\(Self.foreign),\(text)"))
        let sent = try #require(gateway.anthropic.requests.first).body
        #expect(sent.contains("\(Self.own),\(text)") && !sent.contains("headgate:"))
        #expect(response.headerFields[.xHeadgateDropped] == "messages[].content[].thinking")
    }

    @Test func ownTurnsAreSentUnchanged() async throws {
        let gateway = DialectGateway(anthropic: .json("{}"))
        let response = await gateway.post("/v1/messages", message(Self.own))
        let sent = try #require(gateway.anthropic.requests.first).body
        #expect(sent == message(Self.own))
        #expect(response.headerFields[.xHeadgateDropped] == nil)
    }
}
