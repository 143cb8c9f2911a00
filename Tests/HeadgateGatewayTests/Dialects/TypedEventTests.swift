import JSONBytes
import Testing

@testable import HeadgateRelay

/// Members read from one event, or from a whole response.
@Suite struct TypedEventTests {
    private struct Reading: Equatable {
        var type: String?
        var model: String?
        var id: String?
        var number: Int?
        var tokens: [Int?]
        var stopReason: String?
        var status: String?
        var hasError: Bool
    }

    private func read(_ document: String) throws -> Reading {
        let bytes = Array(document.utf8)
        return try bytes.withUnsafeBytes { buffer in
            let event = try TypedEvent(buffer)
            func text(_ range: Range<Int>?) -> String? { range.map { String(decoding: buffer[$0], as: UTF8.self) } }
            return Reading(
                type: text(event.type?.contents), model: text(event.model), id: text(event.id),
                number: event.sequenceNumber, tokens: [event.promptTokens, event.completionTokens],
                stopReason: text(event.stopReason?.contents), status: text(event.status?.contents),
                hasError: event.hasError)
        }
    }

    @Test func messageStart() throws {
        #expect(
            try read(Typed.start)
                == Reading(
                    type: "message_start", model: #""inner""#, id: #""msg_1""#, tokens: [9, 1], hasError: false))
    }

    @Test func messageDelta() throws {
        #expect(
            try read(Typed.messageDelta)
                == Reading(type: "message_delta", tokens: [nil, 12], stopReason: "end_turn", hasError: false))
    }

    @Test func terminalEventOfAResponse() throws {
        #expect(
            try read(Typed.completed)
                == Reading(
                    type: "response.completed", model: #""inner""#, id: #""resp_1""#, number: 4, tokens: [9, 12],
                    status: "completed", hasError: false))
    }

    @Test func wholeAnswers() throws {
        let message = try read(
            #"{"id":"m","type":"message","model":"x","stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}"#
        )
        #expect(message.stopReason == "tool_use" && message.tokens == [1, 2] && message.id == #""m""#)
        let response = try read(#"{"id":"r","object":"response","status":"incomplete","error":null}"#)
        #expect(response.status == "incomplete" && response.type == nil && !response.hasError)
    }

    @Test func membersOfOtherTypesAreIgnored() throws {
        let odd =
            #"{"type":7,"model":{},"id":[],"sequence_number":"3","usage":[],"delta":"text","message":"text","response":null,"error":null}"#
        #expect(try read(odd) == Reading(tokens: [nil, nil], hasError: false))
        #expect(try read(#"{"usage":{"input_tokens":"1","output_tokens":1.5}}"#).tokens == [nil, nil])
    }

    @Test func deeperMembersAreContent() throws {
        let item =
            #"{"type":"response.output_item.done","item":{"id":"i","model":"x","usage":{"input_tokens":5},"error":{}},"response":{"response":{"model":"y"},"error":{"code":"c"}}}"#
        #expect(try read(item) == Reading(type: "response.output_item.done", tokens: [nil, nil], hasError: false))
    }

    @Test func namesCanBeEscaped() throws {
        #expect(try read(#"{"t\u0079pe":"ping","mod\u0065l":"m"}"#).model == #""m""#)
    }

    @Test(arguments: [
        (#"{"error":{}}"#, true), (#"{"error":"text"}"#, true), (#"{"error":""}"#, false), (#"{"error":null}"#, false),
        (#"{"error":[]}"#, false), (#"{"error":{"a":1},"type":"x"}"#, true),
    ])
    func errorIsAnObjectOrAText(_ document: String, _ isError: Bool) throws {
        #expect(try read(document).hasError == isError)
    }

    @Test(arguments: ["", "{", "[]", "5", "{} {}", #"{"type":"a",}"#, #"{"usage":{"a":}}"#])
    func nonObjectIsRefused(_ document: String) {
        #expect(throws: JSONError.self) { try read(document) }
    }
}
