import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ResponseIdentityTests {
    /// Returns the identities found in every split of the text into two.
    private func identities(_ text: String) -> Set<[String?]> {
        let bytes = Array(text.utf8)
        return Set(
            (0...bytes.count).map { cut in
                var identity = ResponseIdentity()
                bytes[..<cut].withUnsafeBytes { identity.read($0) }
                bytes[cut...].withUnsafeBytes { identity.read($0) }
                return [identity.id, identity.model]
            })
    }

    @Test(arguments: [
        #"{"id":"r1","object":"chat.completion","model":"m-2","choices":[{"id":"no","model":"no"}]}"#,
        "data: {\"id\":\"r1\",\"model\":\"m-2\",\"choices\":[]}\n\ndata: {\"id\":\"r2\",\"model\":\"m-3\"}\n\n",
        "data: {\"choices\":[]}\n\ndata: {\"id\":\"r1\",\"model\":\"m-2\"}\n\n",
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"r1\",\"model\":\"m-2\"}}\n\n",
        "event: response.created\ndata: {\"response\":{\"id\":\"r1\",\"model\":\"m-2\"},\"item\":{\"id\":\"no\"}}\n\n",
    ]) func idAndModelAreTheResponses(_ text: String) {
        #expect(identities(text) == [["r1", "m-2"]])
    }

    @Test(arguments: [
        "", "[1]", "ID3 sound", "{\"id\":5,\"model\":null}", "data: [DONE]\n\n", "{\"a\":{\"id\":\"x\"}}",
    ])
    func otherResponsesHaveNoIdentity(_ text: String) {
        #expect(identities(text) == [[nil, nil]])
    }

    @Test func parametersAreThoseOfTheRequest() {
        let body = #"{"model":"m","temperature":0.5,"max_completion_tokens":9,"n":2,"x":{"model":"no"},"seed":"s"}"#
        let parameters = RequestParameters(.bytes(Array(body.utf8)), operationID: "createChatCompletion")
        #expect(parameters.model == "m")
        #expect(
            parameters.attributes == [
                SpanAttribute(name: "gen_ai.request.temperature", value: .fraction(0.5)),
                SpanAttribute(name: "gen_ai.request.max_tokens", value: .number(9)),
                SpanAttribute(name: "gen_ai.request.choice.count", value: .number(2)),
            ])
        #expect(RequestParameters(.bytes(Array("{\"model\":\"m\",".utf8)), operationID: "x").model == "m")
        #expect(RequestParameters(nil, operationID: "x").model == nil)
    }

    @Test(arguments: [
        ("createResponse", "conv_1-a.b:c", true), ("createResponse", "a question of mine", false),
        ("createResponse", String(repeating: "a", count: 129), false), ("createResponse", "", false),
        ("createChatCompletion", "conv_1", false),
    ]) func conversationIsReadOnlyIfItIsAnID(_ operation: String, _ text: String, _ isTaken: Bool) {
        for conversation in ["\"\(text)\"", #"{"x":{"id":"no"},"id":"\#(text)"}"#] {
            let body = Array("{\"conversation\":\(conversation)}".utf8)
            let attributes = RequestParameters(.bytes(body), operationID: operation).attributes
            let taken = SpanAttribute(name: "gen_ai.conversation.id", value: .text(text))
            #expect(attributes == (isTaken ? [taken] : []))
        }
    }
}
