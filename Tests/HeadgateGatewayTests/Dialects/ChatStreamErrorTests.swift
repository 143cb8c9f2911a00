import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Errors of an upstream instead of chunks.
@Suite struct ChatStreamErrorTests {
    private let before = Chunk.events(Chunk.content("a"))

    private func expectError(
        _ document: String, message: String, code: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let first = Relayed.everyWay("data: \(document)\n\n" + Chunk.done, sourceLocation: sourceLocation)
        #expect(first.text.isEmpty, sourceLocation: sourceLocation)
        #expect(first.end == .failed(code: code, message: message), sourceLocation: sourceLocation)
        let later = Relayed.everyWay(before + "data: \(document)\n\n" + Chunk.done, sourceLocation: sourceLocation)
        #expect(later.text == before, sourceLocation: sourceLocation)
        #expect(later.end == first.end, sourceLocation: sourceLocation)
    }

    @Test func errorObjectEndsTheStreamFirstOrLater() {
        expectError(
            #"{"error":{"message":"Overloaded","type":"server_error","param":null,"code":"overloaded"}}"#,
            message: "Overloaded", code: "overloaded")
    }

    @Test func messageCanBeAnArrayAndTheErrorAText() {
        expectError(#"{"error":{"message":["no","money"]}}"#, message: "no; money")
        expectError(#"{"error":"plain text"}"#, message: "plain text")
        expectError(#"{"error":["a","b"]}"#, message: "a; b")
        expectError(#"{"error":{"type":"x"}}"#, message: "The upstream 'up' reported an error.")
        expectError(#"{"error":true}"#, message: "The upstream 'up' reported an error.")
    }

    /// vLLM, SGLang, FastAPI, MiniMax and others do not label errors as such.
    @Test(arguments: [
        (#"{"object":"error","message":"W","type":"BadRequestError","param":null,"code":400}"#, "400"),
        (#"{"detail":"W"}"#, nil), (#"{"code":1302,"message":"W","success":false}"#, "1302"),
        (#"{"type":"error","message":"W"}"#, nil), (#"{"message":"W"}"#, nil),
        (#"{"code":-1,"msg":"W","data":null}"#, "-1"),
        (
            #"{"choices":null,"usage":{"total_tokens":0},"base_resp":{"status_code":1008,"status_msg":"W"}}"#, "1008"
        ),
    ])
    func unnamedErrorIsAnError(_ document: String, _ code: String?) {
        expectError(document, message: "W", code: code)
    }

    @Test(arguments: [
        #"{"choices":[{"delta":{"content":"a"}}],"detail":"x","message":"y","code":5,"success":false}"#,
        #"{"choices":[],"prompt_filter_results":[{"detail":"x"}]}"#, #"{"id":"c","object":"chat.completion.chunk"}"#,
        #"{"choices":[],"code":200,"message":"ok"}"#, #"{"status":"queued","message":"in the queue"}"#,
    ])
    func chunkWithErrorMembersIsNotAnError(_ document: String) {
        let stream = Chunk.events(document)
        #expect(Relayed.everyWay(stream).text == stream)
    }

    @Test func eventWithAnotherNameIsAnErrorOnlyByItsContent() {
        let passed = Relayed.everyWay(before + "event: status\ndata: {\"message\":\"queued\"}\n\n")
        #expect(passed.text == before && passed.end == .open)
        let failed = Relayed.everyWay(before + "event: failed\ndata: {\"code\":500,\"message\":\"W\"}\n\n")
        #expect(failed.text == before && failed.end == .failed(code: "500", message: "W"))
    }

    // MARK: Reasons

    @Test(arguments: ["error", "insufficient_system_resource", "network_error"])
    func failureFinishReasonIsAnError(_ reason: String) {
        let message = "The upstream ended the response with the reason '\(reason)'."
        let bare = Relayed.everyWay(before + Chunk.events(Chunk.finish(0, reason: reason)) + Chunk.done)
        #expect(bare.text == before && bare.end == .failed(code: reason, message: message))
        #expect(bare.finishReason == reason)
        let last = Chunk.content("b").replacing("null", with: "\"\(reason)\"")
        let relayed = Relayed.everyWay(before + Chunk.events(last) + Chunk.done)
        #expect(relayed.text == before + Chunk.events(Chunk.content("b")) && relayed.end == bare.end)
        let words = Chunk.finish(0, reason: reason).replacing(
            #""index":0,"#, with: #""index":0,"error":{"message":"W"},"#)
        #expect(Relayed.everyWay(before + Chunk.events(words)).message == "W")
    }

    @Test(arguments: [
        ("content_policy", "content_policy"), ("STOP", "STOP"), (String(repeating: "x", count: 40), nil),
        (String(repeating: "x", count: 41), "stop"), ("sk-upstream-secret", "stop"), ("two words", "stop"),
        ("upstream_secret_word", "stop"), ("caf\u{E9}", "stop"), (#"st\u006fp"#, "stop"), ("x1", "stop"),
    ])
    func unknownReasonPassesIfItIsAWord(_ reason: String, _ passed: String?) {
        var options = Relayed.options(publicModel: "outer", choices: 2)
        options.errors = UpstreamErrorReading(
            upstream: "up", redaction: SecretRedaction(keys: [Secret(Relayed.secret), Secret("upstream_secret_word")]))
        let both = Chunk.finish(0, reason: "length").replacing(
            "]}", with: #",{"index":1,"delta":{},"finish_reason":"\#(reason)"}]}"#)
        for (sent, expected) in [
            (Chunk.finish(0, reason: reason), Chunk.finish(0, reason: passed ?? reason)),
            (both, both.replacing("\"\(reason)\"", with: "\"\(passed ?? reason)\"")),
        ] {
            let relayed = Relayed.everyWay(Chunk.events(sent), options: options)
            #expect(relayed.text == Chunk.events(expected.replacing("inner", with: "outer")) && relayed.end == .open)
            #expect(relayed.finishReason == "other")
        }
    }

    @Test func secretInAnErrorIsRedacted() {
        expectError(#"{"error":{"message":"key \#(Relayed.secret)!"}}"#, message: "key [redacted]!")
    }

    @Test func emptyErrorsAreIgnored() {
        for empty in ["null", "false", "\"\"", "{}", "{ }", "[]", "[ ]"] {
            let stream = Chunk.events(#"{"error":\#(empty),"choices":[]}"#) + Chunk.done
            #expect(Relayed.everyWay(stream).text == stream, "\(empty)")
        }
    }

    @Test func eventNamedErrorIsAnErrorWhateverItsData() {
        for (data, message) in [
            (#"{"error":{"message":"busy"}}"#, "busy"), (#"{"type":"error"}"#, "The upstream 'up' reported an error."),
            ("Internal Server Error", "The upstream 'up' reported an error: Internal Server Error"),
            (#"{"cut"#, #"The upstream 'up' reported an error: {"cut"#),
        ] {
            let relayed = Relayed.everyWay(before + "event: error\ndata: \(data)\n\n" + Chunk.done)
            #expect(relayed.text == before)
            #expect(relayed.message == message, "\(data)")
        }
    }

    @Test(arguments: ["hello", "[1]", "{\"a\":}", "{} {}", "\"text\"", "5", "{\"a\":\"\u{1}\"}"])
    func nonObjectEventIsAnError(_ data: String) {
        let relayed = Relayed.everyWay(before + "data: \(data)\n\n" + Chunk.done)
        #expect(relayed.text == before)
        #expect(relayed.code == "upstream_invalid_json")
    }

    @Test func deepNestingIsAnError() {
        let bomb = "{\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}"
        #expect(Relayed.everyWay(before + "data: \(bomb)\n\n").code == "upstream_invalid_json")
    }

    @Test func lineAboveItsCapIsAnError() {
        let (limit, options) = (200_000, Relayed.options(eventLimit: 200_000))
        let line = "data: {\"a\":\"" + String(repeating: "x", count: limit)
        #expect(Relayed.atOnce(before + line, options: options).code == "upstream_oversize_event")
        let comment = ": " + String(repeating: "x", count: limit)
        #expect(Relayed.atOnce(comment, options: options).code == "upstream_oversize_event")
    }

    @Test func eventAboveItsCapIsAnError() {
        let line = "data: " + String(repeating: "x", count: 50_000) + "\n"
        let relayed = Relayed.atOnce(
            before + "data: {\"a\":\"\n" + String(repeating: line, count: 5),
            options: Relayed.options(eventLimit: 200_000))
        #expect(relayed.code == "upstream_oversize_event")
        #expect(relayed.text == before)
    }

    /// An image generation sends one line of base64.
    @Test func lineOfSixteenMebibytesPasses() {
        let document =
            #"{"choices":[{"delta":{"content":""# + String(repeating: "A", count: (16 << 20) - 48) + #""}}]}"#
        let event = "data: " + document
        #expect(event.utf8.count <= 16 << 20)
        let relayed = Relayed.atOnce(event + "\n\n")
        #expect(relayed.end == .open && relayed.text == event + "\n\n")
        #expect(
            Relayed.atOnce("data: " + document + String(repeating: " ", count: 64)).code == "upstream_oversize_event")
    }

    @Test(arguments: [": still here\n\n", "\n\n", "data:\n\n", Chunk.events(Chunk.role)])
    func floodWithoutContentEndsTheStream(_ piece: String) {
        let transform = ChatStreamTransform(options: Relayed.options(eventLimit: 200_000))
        var (output, sent): ([UInt8], Int) = ([], 0)
        func send(_ text: String) -> Relayed.End {
            sent += text.utf8.count
            return Relayed.End(Array(text.utf8).withUnsafeBytes { transform.receive($0, into: &output) })
        }
        let flood = String(repeating: piece, count: 100)
        for _ in 0..<3 {
            // Content resets the count.
            #expect(send(Chunk.events(Chunk.content("a"))) == .open)
            sent = 0
            while sent + flood.utf8.count <= 400_000 { #expect(send(flood) == .open) }
        }
        #expect(send(flood).code == "upstream_no_content")
    }

    @Test func wholeResponseInsteadOfAStreamIsNamedAsSuch() {
        let relayed = Relayed.everyWay(#"{"id":"x","choices":[{"message":{"content":"hi"}}]}"#, end: .clean)
        #expect(relayed.text.isEmpty)
        #expect(relayed.code == "upstream_not_streaming")
        #expect(Relayed.everyWay("{\"cut", end: .clean).code == "upstream_not_streaming")
        #expect(Relayed.everyWay("{\"cut", end: .broken).code == "upstream_incomplete")
    }

    @Test func documentWithAnErrorIsThatErrorWhateverPrecedesIt() {
        for before in ["", " \r\n\t", "\u{FEFF}", "\u{FEFF} "] {
            let relayed = Relayed.everyWay(before + #"{"error":{"message":"no credit","code":"billing"}}"#, end: .clean)
            #expect(relayed.end == .failed(code: "billing", message: "no credit"))
        }
        let array = Relayed.everyWay(#"[{"error":{"message":"bad","code":400}}]"#, end: .clean)
        #expect(array.end == .failed(code: "400", message: "bad"))
    }

    @Test func endlessDocumentIsRefused() {
        let transform = ChatStreamTransform(options: Relayed.options())
        var output: [UInt8] = []
        var verdict = EventAssembler.Verdict.more
        for _ in 0..<17 {
            verdict = Array(("{" + String(repeating: " ", count: 4095)).utf8).withUnsafeBytes {
                transform.receive($0, into: &output)
            }
        }
        #expect(Relayed.End(verdict) == Relayed.everyWay("{}", end: .clean).end)
    }

    @Test(arguments: ["<html>log in</html>", "Bad Gateway", "\n\n<!DOCTYPE html>", "\u{1F}\u{8B}", "{", "]"])
    func pageIsNotAStream(_ page: String) {
        let relayed = Relayed.everyWay(page, end: .clean)
        #expect(relayed.text.isEmpty)
        #expect(relayed.code == (page == "{" ? "upstream_not_streaming" : "upstream_content_type"))
    }

    @Test func whiteSpaceBeforeAStreamIsIgnored() {
        let stream = Chunk.events(Chunk.stop) + Chunk.done
        #expect(Relayed.everyWay("\n\r\n\n" + stream).text == stream)
    }
}
