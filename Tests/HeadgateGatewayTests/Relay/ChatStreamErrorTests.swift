import Testing

@testable import HeadgateGateway

/// What an upstream says in place of chunks.
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

    @Test func messageMayBeAnArrayOrTheErrorAText() {
        expectError(#"{"error":{"message":["no","money"]}}"#, message: "no; money")
        expectError(#"{"error":"plain text"}"#, message: "plain text")
        expectError(#"{"error":["a","b"]}"#, message: "a; b")
        expectError(#"{"error":{"type":"x"}}"#, message: "The upstream 'up' reported an error.")
        expectError(#"{"error":true}"#, message: "The upstream 'up' reported an error.")
    }

    @Test func secretInAnErrorIsRedacted() {
        expectError(#"{"error":{"message":"key \#(Relayed.secret)!"}}"#, message: "key [redacted]!")
    }

    @Test func emptyErrorsAreNone() {
        for empty in ["null", "false", "\"\"", "{}", "{ }", "[]", "[ ]"] {
            let stream = Chunk.events(#"{"error":\#(empty),"choices":[]}"#) + Chunk.done
            #expect(Relayed.everyWay(stream).text == stream, "\(empty)")
        }
    }

    @Test func eventNamedErrorIsAnErrorWhateverItHolds() {
        for (data, message) in [
            (#"{"error":{"message":"busy"}}"#, "busy"), (#"{"type":"error"}"#, "The upstream 'up' reported an error."),
            ("Internal Server Error", "The upstream 'up' reported an error."),
            (#"{"cut"#, "The upstream 'up' reported an error."),
        ] {
            let relayed = Relayed.everyWay(before + "event: error\ndata: \(data)\n\n" + Chunk.done)
            #expect(relayed.text == before)
            #expect(relayed.message == message, "\(data)")
        }
    }

    @Test(arguments: ["hello", "[1]", "{\"a\":}", "{} {}", "\"text\"", "5", "{\"a\":\"\u{1}\"}"])
    func whatIsNotAJSONObjectIsAnError(_ data: String) {
        let relayed = Relayed.everyWay(before + "data: \(data)\n\n" + Chunk.done)
        #expect(relayed.text == before)
        #expect(relayed.code == "upstream_invalid_json")
    }

    @Test func deepNestingIsAnError() {
        let bomb = "{\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}"
        #expect(Relayed.everyWay(before + "data: \(bomb)\n\n").code == "upstream_invalid_json")
    }

    @Test func lineAboveItsCapIsAnError() {
        let line = "data: {\"a\":\"" + String(repeating: "x", count: 1 << 20)
        #expect(Relayed.atOnce(before + line).code == "upstream_oversize_event")
        #expect(Relayed.atOnce(": " + String(repeating: "x", count: 1 << 20)).code == "upstream_oversize_event")
    }

    @Test func eventAboveItsCapIsAnError() {
        let line = "data: " + String(repeating: "x", count: 1_000_000) + "\n"
        let relayed = Relayed.atOnce(before + "data: {\"a\":\"\n" + String(repeating: line, count: 5))
        #expect(relayed.code == "upstream_oversize_event")
        #expect(relayed.text == before)
    }

    @Test func wholeAnswerInsteadOfAStreamIsSaidToBeOne() {
        let relayed = Relayed.everyWay(#"{"id":"x","choices":[{"message":{"content":"hi"}}]}"#, end: .clean)
        #expect(relayed.text.isEmpty)
        #expect(relayed.code == "upstream_not_streaming")
        #expect(Relayed.everyWay("{\"cut", end: .clean).code == "upstream_not_streaming")
        #expect(Relayed.everyWay("{\"cut", end: .broken).code == "upstream_incomplete")
    }

    @Test func documentWithAnErrorIsThatErrorWhateverStandsBeforeIt() {
        for before in ["", " \r\n\t", "\u{FEFF}", "\u{FEFF} "] {
            let relayed = Relayed.everyWay(before + #"{"error":{"message":"no credit","code":"billing"}}"#, end: .clean)
            #expect(relayed.end == .failed(code: "billing", message: "no credit"))
        }
        let array = Relayed.everyWay(#"[{"error":{"message":"bad","code":400}}]"#, end: .clean)
        #expect(array.end == .failed(code: "400", message: "bad"))
    }

    @Test func documentWithoutEndIsGivenUp() {
        let transform = ChatStreamTransform(options: Relayed.options())
        var output: [UInt8] = []
        var verdict = ChatStreamTransform.Verdict.more
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

    @Test func whiteSpaceBeforeAStreamIsNothing() {
        let stream = Chunk.events(Chunk.stop) + Chunk.done
        #expect(Relayed.everyWay("\n\r\n\n" + stream).text == stream)
    }
}
