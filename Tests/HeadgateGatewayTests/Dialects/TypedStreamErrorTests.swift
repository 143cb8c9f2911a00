import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Truncated streams of typed events, and errors instead of events.
@Suite struct TypedStreamErrorTests {
    @Test func streamThatEndsBeforeItsTerminalEventIsIncomplete() {
        for (documents, options) in [
            (Typed.message, Relayed.messages()), (Typed.response, Relayed.responses()),
        ] {
            for count in 1..<documents.count {
                let before = Typed.events(Array(documents.prefix(count)))
                for end in [Relayed.BodyEnd.clean, .broken] {
                    let relayed = Relayed(typed: [Array(before.utf8)[...]], end: end, options: options)
                    #expect(relayed.text == before)
                    #expect(relayed.code == "upstream_incomplete")
                }
                let done = Relayed(typed: [Array((before + Chunk.done).utf8)[...]], end: .none, options: options)
                #expect(done.text == before && done.code == "upstream_incomplete")
            }
        }
    }

    /// In a stream of named events, an event whose data is not JSON cannot be skipped.
    @Test func nonJSONEventEndsTheStream() {
        let before = Typed.events(Typed.created)
        for data in ["\"type\":\"response.in_progress\"}", "text", "7"] {
            let relayed = Relayed.everyWay(
                typed: before + "event: response.in_progress\ndata: \(data)\n\n" + Typed.events(Typed.response),
                end: .clean, options: Relayed.responses())
            #expect(relayed.text == before && relayed.code == "upstream_invalid_json", "\(relayed.code ?? "")")
        }
    }

    @Test func unfinishedStreamHasNoFinishReason() {
        let relayed = Relayed.everyWay(
            typed: Typed.events(
                Typed.created,
                #"{"type":"response.reasoning_summary_part.done","sequence_number":1,"status":"incomplete"}"#),
            end: .clean, options: Relayed.responses())
        #expect(relayed.finishReason == nil && relayed.events == 2)
    }

    @Test func cutAtAnyByteIsNeverAFinishedStream() {
        for (text, options) in [
            (Typed.events(Typed.message), Relayed.messages()), (Typed.events(Typed.response), Relayed.responses()),
        ] {
            let bytes = Array(text.utf8)
            let last = text.utf8.count - 2
            for length in 0..<last {
                let broken = Relayed(typed: [bytes[..<length]], end: .broken, options: options)
                guard case .failed = broken.end else {
                    Issue.record("a stream cut at \(length) is \(broken.end)")
                    return
                }
                #expect(text.hasPrefix(broken.text) || broken.text.isEmpty)
            }
        }
    }

    @Test(arguments: [
        (
            #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_up"}"#,
            "Overloaded", nil
        ),
        (
            #"{"type":"error","code":"rate_limit_exceeded","message":"Slow down","param":null,"sequence_number":3}"#,
            "Slow down", "rate_limit_exceeded"
        ),
        (#"{"type":"error","message":["a","b"]}"#, "a; b", nil), (#"{"error":{"message":"m","code":7}}"#, "m", "7"),
        (#"{"error":"plain text"}"#, "plain text", nil),
        (#"{"type":"error"}"#, "The upstream 'up' reported an error.", nil),
        (#"{"type":"error","error":{"message":"key sk-upstream-secret!"}}"#, "key [redacted]!", nil),
        (#"{"object":"error","message":"W","type":"BadRequestError","code":400}"#, "W", "400"),
        (#"{"detail":"W"}"#, "W", nil), (#"{"code":1302,"message":"W","success":false}"#, "W", "1302"),
        (#"{"type":"overloaded_error","message":"W"}"#, "W", nil),
        (#"{"type":"about:blank","title":"Bad","status":400,"detail":"W"}"#, "Bad: W", nil),
        (
            #"{"type":"message_delta","delta":{"stop_reason":"network_error"}}"#,
            "The upstream ended the response with the reason 'network_error'.", "network_error"
        ),
    ])
    func errorOfTheUpstreamEndsTheStream(_ document: String, _ message: String, _ code: String?) {
        for options in [Relayed.messages(), Relayed.responses()] {
            for name in ["", "event: error\n"] {
                let event = "\(name)data: \(document)\n\n"
                let first = Relayed.everyWay(typed: event, options: options)
                #expect(first.text.isEmpty && first.end == .failed(code: code, message: message))
                let before = Typed.events(Typed.text("a"))
                let later = Relayed.everyWay(typed: before + event + before, options: options)
                #expect(later.text == before && later.end == first.end)
            }
        }
    }

    @Test(arguments: ["Internal Server Error", #"{"cut"#, "[1]"]) func errorEventIsAnErrorWhateverItsData(
        _ data: String
    ) {
        let relayed = Relayed.everyWay(typed: "event: error\ndata: \(data)\n\n", options: Relayed.messages())
        let words = data == "[1]" ? "." : ": \(data)"
        #expect(relayed.message == "The upstream 'up' reported an error\(words)")
    }

    @Test(arguments: [
        ("a_new_reason", "a_new_reason"), ("sk-upstream-secret", "end_turn"), ("two words", "end_turn"),
    ])
    func unknownReasonPassesIfItIsAWord(_ reason: String, _ passed: String) {
        let relayed = Relayed.everyWay(
            typed: Typed.events(Typed.messageDelta.replacing("end_turn", with: reason)), options: Relayed.messages())
        #expect(relayed.text == Typed.events(Typed.messageDelta.replacing("end_turn", with: passed)))
        #expect(relayed.finishReason == "other")
    }

    @Test(arguments: ["hello", "[1]", "{\"a\":}", "{} {}", "5", "{\"a\":\"\u{1}\"}"])
    func nonObjectEventIsAnError(_ data: String) {
        let before = Typed.events(Typed.start)
        let relayed = Relayed.everyWay(typed: before + "data: \(data)\n\n", options: Relayed.messages())
        #expect(relayed.text == before && relayed.code == "upstream_invalid_json")
    }

    @Test(arguments: [
        (#"{"type":"error","error":{"type":"api_error","message":"m"}}"#, "m"), (#"{"error":"text"}"#, "text"),
        (#"[{"error":{"message":"in an array"}}]"#, "in an array"),
    ])
    func documentInsteadOfAStreamIsItsError(_ document: String, _ message: String) {
        for options in [Relayed.messages(), Relayed.responses()] {
            let relayed = Relayed.everyWay(typed: document, end: .clean, options: options)
            #expect(relayed.text.isEmpty && relayed.message == message)
        }
    }

    @Test func wholeResponseInsteadOfAStreamIsNamedAsSuch() {
        let relayed = Relayed.everyWay(
            typed: #"{"id":"m","type":"message"}"#, end: .clean, options: Relayed.messages())
        #expect(relayed.code == "upstream_not_streaming")
    }

    @Test(arguments: ["response", "message"], [nil, "outer"])
    func errorWithinAnAnswerPassesWithoutSecrets(_ member: String, _ publicModel: String?) {
        func document(_ secret: String, _ escaped: String, model: String) -> String {
            #"{"type":"response.failed","sequence_number":4,"\#(member)":{"id":"resp_1","status":"failed","error":"#
                + #"{"code":"c \#(secret)","message":"no key \#(escaped)!","n":1,"metadata":{"raw":["\#(secret)"]}},"#
                + #""model":"\#(model)","output":[{"text":"\#(secret)"}]}}"#
        }
        let sent = Typed.events(document(Relayed.secret, #"sk\u002dupstream-secret"#, model: "inner"))
        let relayed = Relayed.everyWay(typed: sent, options: Relayed.responses(publicModel: publicModel))
        let output = #""output":[{"text":"\#(Relayed.secret)"}]"#
        let expected = Typed.events(document("[redacted]", "[redacted]", model: publicModel ?? "inner"))
            .replacing(#""output":[{"text":"[redacted]"}]"#, with: output)
        #expect(relayed.text == expected)
        guard case .reported = relayed.end else {
            Issue.record("the stream is \(relayed.end)")
            return
        }
    }

    @Test func errorWithinAResponseIsOtherwiseUnchanged() {
        let failed = Typed.state("failed", "failed", 4).replacing(
            #""error":null"#, with: #""error": {"code": "server_error", "message": "\u0061 \/ b"}"#)
        let relayed = Relayed.everyWay(typed: Typed.events(failed), options: Relayed.responses())
        #expect(relayed.text == Typed.events(failed))
        #expect(relayed.end == .reported(code: "server_error", message: "a / b"))
    }

    /// The error of `response.failed` is read from each place where upstreams put it.
    @Test(arguments: [
        (
            #""response":{"id":"r","error":{"code":"rate_limit_exceeded","message":"slow"}}"#, "rate_limit_exceeded",
            "slow"
        ),
        (#""response":{"id":"r","error":null},"error":{"code":"c","message":"beside"}"#, "c", "beside"),
        (#""response":{"id":"r"},"message":"at the top","code":7"#, "7", "at the top"),
        (#""response":{"id":"r","error":"a text"}"#, nil, "a text"),
        (#""response":{"id":"r","status":"failed"}"#, nil, "The upstream 'up' reported an error."),
    ])
    func failedResponseIsAnErrorOfTheUpstream(_ members: String, _ code: String?, _ message: String) {
        let failed = Typed.events(#"{"type":"response.failed","sequence_number":1,\#(members)}"#)
        for before in [Typed.events(Typed.created), Typed.events(Typed.created, Typed.outputText("a", 1))] {
            let relayed = Relayed.everyWay(typed: before + failed + Chunk.done, options: Relayed.responses())
            #expect(relayed.text == before + failed)
            #expect(relayed.end == .reported(code: code, message: message))
        }
    }

    /// A stored response that is read again failed long ago; reading it works.
    @Test func failedStoredResponseIsACompleteStream() {
        var options = Relayed.responses()
        options.failing = []
        let stream = Typed.events(Typed.created, Typed.state("failed", "failed", 1))
        let relayed = Relayed.everyWay(typed: stream, options: options)
        #expect(relayed.text == stream + Chunk.done && relayed.end == .finished)
    }

    @Test func tooLongErrorIsNotForwarded() {
        let texts = [String](repeating: #""\#(Relayed.secret)""#, count: 5000).joined(separator: ",")
        let failed = Typed.state("failed", "failed", 4).replacing(#""error":null"#, with: #""error":[\#(texts)]"#)
        let relayed = Relayed(
            typed: [Array(Typed.events(failed).utf8)[...]], end: .none, options: Relayed.responses())
        #expect(!relayed.text.contains(Relayed.secret))
        guard case .reported(_, let message) = relayed.end, !message.contains(Relayed.secret) else {
            Issue.record("the stream is \(relayed.end)")
            return
        }
        #expect(
            relayed.text.contains(
                #""error":{"code":"upstream_error","message":"The upstream 'up' reported an error."}"#))
    }

    // MARK: Facts for the error event

    private func answer(after documents: [String], _ options: TypedStreamTransform.Options) -> BrokenResponse {
        let transform = TypedStreamTransform(options: options)
        var output: [UInt8] = []
        _ = Array(Typed.events(documents).utf8).withUnsafeBytes { transform.receive($0, into: &output) }
        return transform.brokenResponse
    }

    private func text(_ literal: [UInt8]?) -> String? { literal.map { String(decoding: $0, as: UTF8.self) } }

    @Test func truncatedResponseHasItsIDModelAndNextNumber() {
        let seen = answer(after: Array(Typed.response.prefix(3)), Relayed.responses())
        #expect(text(seen.idLiteral) == #""resp_1""# && text(seen.modelLiteral) == #""inner""#)
        #expect(seen.sequenceNumber == 3)
        let renamed = answer(after: Array(Typed.response.prefix(1)), Relayed.responses(publicModel: "new"))
        #expect(text(renamed.modelLiteral) == #""new""# && renamed.sequenceNumber == 1)
        let unseen = answer(after: [], Relayed.responses())
        #expect(unseen.idLiteral == nil && unseen.modelLiteral == nil && unseen.sequenceNumber == 0)
    }

    @Test func truncatedResponseHasTheRequestedID() {
        var options = Relayed.responses()
        options.id = "resp_asked"
        #expect(text(answer(after: [], options).idLiteral) == #""resp_asked""#)
        #expect(text(answer(after: [Typed.outputText("a", 7)], options).idLiteral) == #""resp_asked""#)
    }

    @Test(arguments: [
        ("9223372036854775807", 0), ("-5", 0), ("99999999999999999999", 0), ("1.5", 0), ("\"4\"", 0), ("41", 42),
    ])
    func anySequenceNumberIsHandled(_ number: String, _ next: Int) {
        let document = #"{"type":"x","sequence_number":\#(number)}"#
        #expect(answer(after: [document], Relayed.responses()).sequenceNumber == next)
    }
}
