import Testing

@testable import HeadgateDialects

@Suite("Reasoning of another provider")
struct ForeignReasoningTests {
    private func removed(_ request: String, _ format: WireFormat) -> String? {
        ForeignReasoning.removed(from: Array(request.utf8), in: format).map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test("is omitted from Messages: blocks, and turns with nothing else")
    func messages() {
        let own = #"{"type":"thinking","thinking":"a","signature":"abc"}"#
        let foreign = #"{"type":"thinking","thinking":"b","signature":"headgate:responses::abc"}"#
        let hidden = #"{"type":"redacted_thinking","data":"headgate:responses:redacted:abc"}"#
        let text = #"{"type":"text","text":"headgate:chat::"}"#
        let user = #"{"role":"user","content":"Hi"}"#
        func request(_ contents: [String]) -> String {
            let turns = contents.map { #"{"role":"assistant","content":[\#($0)]}"# }
            return #"{"model":"m","messages":[\#(([user] + turns).joined(separator: ","))],"x":1.50}"#
        }
        let given = request(["\(own),\(foreign),\(hidden),\(text)", "\(foreign)"])
        #expect(removed(given, .messages) == request(["\(own),\(text)"]))
        #expect(removed(request(["\(own),\(text)"]), .messages) == nil)
    }

    @Test("is omitted from chat completions, where only a gateway sends it")
    func chat() {
        let block = #"{"type":"thinking","thinking":"b","signature":"headgate:messages::abc"}"#
        func request(_ member: String) -> String {
            #"{"messages":[{"role":"assistant","content":"Hi","reasoning_content":"b"\#(member)}]}"#
        }
        #expect(removed(request(#","thinking_blocks":[\#(block)]"#), .chat) == request(""))
        #expect(removed(request(""), .chat) == nil)
    }

    @Test("is omitted from the items of Responses")
    func responses() {
        let foreign = #"{"type":"reasoning","summary":[],"encrypted_content":"headgate:messages::abc"}"#
        let unsealed = #"{"type":"reasoning","summary":[],"encrypted_content":"\#(ReasoningSeal.missing)"}"#
        let own = #"{"type":"reasoning","summary":[],"encrypted_content":"gAAAA"}"#
        let message = #"{"role":"user","content":"headgate:"}"#
        #expect(
            removed(#"{"input":[\#(foreign),\#(unsealed),\#(own),\#(message)]}"#, .responses)
                == #"{"input":[\#(own),\#(message)]}"#)
        #expect(removed(#"{"input":[\#(own),\#(message)]}"#, .responses) == nil)
        #expect(removed(#"{"input":"headgate:chat::"}"#, .responses) == nil)
    }

    @Test("is reported under the client's name")
    func names() throws {
        let request = #"{"input":[{"type":"reasoning","summary":[],"encrypted_content":"headgate:messages::a"}]}"#
        let removed = try #require(ForeignReasoning.removed(from: Array(request.utf8), in: .responses))
        #expect(removed.member == "input[].summary")
    }
}
