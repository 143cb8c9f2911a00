import Testing

@testable import HeadgateDialects

/// Requests that continue a stored response or conversation.
@Suite struct ResponsesTurnTests {
    private func turn(_ request: String) throws -> ResponsesTurn { try ResponsesTurn(Array(request.utf8)) }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: [
        (#"{"input":[ {"a":1} , 2 ]}"#, #"{"a":1} , 2"#), (#"{"input":[]}"#, ""), (#"{"input":[ ]}"#, ""), ("{}", ""),
        (#"{"input":"H\u0069"}"#, #"{"type":"message","role":"user","content":"H\u0069"}"#), (#"{"input":7}"#, ""),
    ])
    func ownItemsAreTheSentOnes(request: String, items: String) throws {
        #expect(text(try turn(request).items) == items)
    }

    @Test(arguments: [
        ("{}", true), (#"{"store":null}"#, true), (#"{"store":true}"#, true), (#"{"store":false}"#, false),
    ])
    func itIsStoredUnlessTheClientDeclines(request: String, isKept: Bool) throws {
        #expect(try turn(request).wishesKeeping == isKept)
    }

    @Test func historyPrecedesTheUnchangedRest() throws {
        let request = try turn(#"{"x" : 1.50,"previous_response_id":"resp_1","input":"New","y":[]}"#)
        let history = [Array("1,2".utf8), [], Array("3".utf8)]
        #expect(
            text(request.request(after: history))
                == #"{"x" : 1.50,"previous_response_id":null,"input":[1,2,3,{"type":"message","role":"user","content":"New"}],"y":[]}"#
        )
    }

    @Test func requestWithoutInputContainsTheConversation() throws {
        let request = try turn(#" {"previous_response_id":"resp_1","prompt":{"id":"p"}}"#)
        #expect(
            text(request.request(after: [Array("1".utf8)]))
                == #" {"input":[1],"previous_response_id":null,"prompt":{"id":"p"}}"#)
    }

    @Test func anEmptyTurnAddsNothing() throws {
        let request = try turn(#"{"input":[],"previous_response_id":"resp_1"}"#)
        #expect(text(request.request(after: [Array("1".utf8)])) == #"{"input":[1],"previous_response_id":null}"#)
        #expect(text(request.request(after: [])) == #"{"input":[],"previous_response_id":null}"#)
    }

    @Test(arguments: [
        (#"{"id":"r","output":[ {"type":"message"},{}],"z":1}"#, #"{"type":"message"},{}"#), (#"{"output":[]}"#, ""),
        (#"{"output":null}"#, ""), ("{}", ""), ("garbage", ""),
    ])
    func theOutputOfAResponseIsFound(response: String, items: String) {
        #expect(text(ResponsesTurn.output(of: Array(response.utf8))) == items)
    }
}
