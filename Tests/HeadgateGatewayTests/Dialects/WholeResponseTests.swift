import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct WholeResponseTests {
    private let errors = Relayed.options().errors

    private func answer(_ text: String, publicModel: String? = nil) throws(GatewayError) -> WholeResponse {
        try WholeResponse(Array(text.utf8), publicModel: publicModel, errors: errors)
    }

    private let document =
        #"{"id":"x", "model":"inner", "choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4},"x":1.0}"#

    @Test func answerPassesByteForByteAndIsRead() throws {
        let whole = try answer(document)
        #expect(String(decoding: whole.bytes, as: UTF8.self) == document)
        #expect(whole.promptTokens == 3 && whole.completionTokens == 4 && whole.finishReason == "stop")
    }

    @Test func publicModelReplacesOnlyTheInnerOne() throws {
        let whole = try answer(document, publicModel: "out\"er")
        #expect(String(decoding: whole.bytes, as: UTF8.self) == document.replacing(#""inner""#, with: #""out\"er""#))
    }

    /// The offset of the usage changes with the length of the model's name.
    @Test(arguments: [nil, "a", "a much longer name than that"])
    func cacheTokensAreFoundWhereverTheModelIs(_ publicModel: String?) throws {
        let usage = #""usage":{"prompt_tokens":3,"prompt_tokens_details":{"cached_tokens":2}}"#
        for document in [#"{"model":"inner",\#(usage)}"#, #"{\#(usage),"model":"inner"}"#, #"{\#(usage)}"#] {
            #expect(try answer(document, publicModel: publicModel).usageDetails == UsageDetails(cacheRead: 2))
        }
        #expect(try answer(#"{"usage":null,"model":"inner"}"#).usageDetails == UsageDetails())
        let typed = #"{"id":"r","usage":{"input_tokens":3,"cache_read_input_tokens":2},"model":"inner"}"#
        let whole = try WholeResponse(typed: Array(typed.utf8), publicModel: publicModel, errors: errors)
        #expect(whole.usageDetails == UsageDetails(cacheRead: 2) && whole.promptTokens == 5)
    }

    @Test func invalidUTF8IsRepaired() throws {
        let bytes = Array(#"{"model":"a"#.utf8) + [0xFF] + Array(#"","choices":[]}"#.utf8)
        let whole = try WholeResponse(bytes, publicModel: "b", errors: errors)
        #expect(String(decoding: whole.bytes, as: UTF8.self) == #"{"model":"b","choices":[]}"#)
        let kept = try WholeResponse(bytes, publicModel: nil, errors: errors)
        #expect(String(decoding: kept.bytes, as: UTF8.self) == "{\"model\":\"a\u{FFFD}\",\"choices\":[]}")
    }

    @Test func errorInASuccessIsAnError() {
        let error = #expect(throws: GatewayError.self) { try answer(#"{"error":{"message":"no","code":"x"}}"#) }
        #expect(error?.status == 502 && error?.message == "no" && error?.code == "x")
        let unclear = #expect(throws: GatewayError.self) { try answer(#"{"error":1}"#) }
        #expect(unclear?.status == 502 && unclear?.message == "1")
    }

    @Test(arguments: [
        (#"{"object":"error","message":"W","code":400}"#, "W"),
        (#"{"detail":[{"loc":["body","n"],"msg":"W"}]}"#, "body.n: W"),
        (#"{"code":1302,"message":"W","success":false}"#, "W"), (#"{"type":"error","message":"W"}"#, "W"),
        (#"{"error":"W"}"#, "W"), (#"{"errors":[{"message":"W"}]}"#, "W"), (#"[{"error":{"message":"W"}}]"#, "W"),
        (#"{"id":"1","object":"error","message":"W"}"#, "W"),
    ])
    func unnamedErrorIsAnError(_ document: String, _ message: String) {
        for read in [
            { try answer(document) },
            { try WholeResponse(typed: Array(document.utf8), publicModel: nil, errors: errors) },
        ] as [() throws -> WholeResponse] {
            let error = #expect(throws: GatewayError.self) { try read() }
            #expect(error?.message == message && error?.cause == .errorInSuccess)
        }
    }

    @Test func failureFinishReasonIsAnErrorAndAnUnknownOneIsOther() throws {
        let failed = document.replacing("stop", with: "insufficient_system_resource")
        let error = #expect(throws: GatewayError.self) { try answer(failed) }
        #expect(error?.code == "insufficient_system_resource" && error?.cause == .errorInSuccess)
        let echoed = try answer(document.replacing("stop", with: Relayed.secret), publicModel: "a longer name")
        #expect(String(decoding: echoed.bytes, as: UTF8.self) == document.replacing("inner", with: "a longer name"))
        #expect(echoed.finishReason == "other" && echoed.promptTokens == 3)
        #expect(
            String(decoding: try answer(document.replacing("stop", with: "odd")).bytes, as: UTF8.self).contains("odd"))
        let typed = #"{"id":"m","type":"message","content":[],"stop_reason":"\#(Relayed.secret)"}"#
        let whole = try WholeResponse(typed: Array(typed.utf8), publicModel: nil, errors: errors)
        #expect(String(decoding: whole.bytes, as: UTF8.self) == typed.replacing(Relayed.secret, with: "end_turn"))
    }

    @Test(arguments: ["", "<html>", "[]", "{\"a\":1", "{} x"]) func nonObjectResponseIsRefused(_ text: String) {
        let error = #expect(throws: GatewayError.self) { try answer(text) }
        #expect(error?.status == 502 && error?.code == "upstream_invalid_json")
    }

    // MARK: Typed

    @Test(arguments: [nil, "outer"]) func failedResponsePassesWithoutSecrets(_ publicModel: String?) throws {
        func document(_ secret: String, model: String) -> String {
            #"{"id":"resp_1","object":"response","status":"failed","model":"\#(model)","#
                + #""error":{"code":"\#(secret)","message":"no key \#(secret)!"},"output":[]}"#
        }
        let whole = try WholeResponse(
            typed: Array(document(Relayed.secret, model: "inner").utf8), publicModel: publicModel, errors: errors)
        #expect(
            String(decoding: whole.bytes, as: UTF8.self) == document("[redacted]", model: publicModel ?? "inner"))
        #expect(whole.finishReason == "failed")
    }

    @Test func typedAnswerThatIsNotUTF8IsRepaired() throws {
        let bytes = Array(#"{"id":"r","object":"response","x":"a"#.utf8) + [0xFF] + Array(#"","model":"m"}"#.utf8)
        let whole = try WholeResponse(typed: bytes, publicModel: "b", errors: errors)
        #expect(
            String(decoding: whole.bytes, as: UTF8.self)
                == "{\"id\":\"r\",\"object\":\"response\",\"x\":\"a\u{FFFD}\",\"model\":\"b\"}")
        #expect(whole.idLiteral.map { String(decoding: $0, as: UTF8.self) } == #""r""#)
    }
}
