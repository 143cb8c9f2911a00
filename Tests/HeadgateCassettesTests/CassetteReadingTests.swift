import Testing

@testable import HeadgateCassettes

@Suite struct CassetteReadingTests {
    /// A cassette written by hand.
    private static let short = """
        headgate-cassette 1

        POST /v1/chat/completions
        body
        | {"model": "m"}

        200 chunked +0
        +0
        | data: 1
        +5
        > da
        = dGE=

        end: complete +5

        """

    private func problem(_ text: String) -> String? {
        do throws(CassetteError) {
            _ = try Cassette(text: Array(text.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test func optionalMembersCanBeOmitted() throws {
        let cassette = try Cassette(text: Array(CassetteReadingTests.short.utf8))
        #expect(cassette.route == "/chat/completions" && cassette.operation == nil)
        #expect(cassette.responseBody == Array("data: 1\ndata".utf8))
        #expect(cassette.request.body == .bytes(Array("{\"model\": \"m\"}\n".utf8)))
    }

    @Test(arguments: [
        ("headgate-cassette 1\n", "headgate-cassette 2\n", "1: error: this version is not known"),
        ("headgate-cassette 1\n", "\n", "1: error: expected 'headgate-cassette 1'"),
        ("cassette 1\n", "cassette 1\r\n", "1: error: the lines end in CR LF: LF alone was written"),
        ("1\n\nPOST", "1\ncolor: red\n\nPOST", "2: error: expected recorded, operation, model, route, digest, or"),
        ("1\n\nPOST", "1\nmodel: a\nmodel: b\n\nPOST", "3: error: 'model' stands twice"),
        ("1\n\nPOST", "1\nmodel: a\u{1}b\n\nPOST", "2: error: a text has a control character"),
        ("1\n\nPOST", "1\nmodel: a \n\nPOST", "2: error: a text has a control character, or a space too many"),
        ("POST /v1/", "POST /v\0/", "3: error: a text has a control character"),
        ("complete +5", "complete +5 a\u{7F}", "14: error: a text has a control character"),
        ("1\n\nPOST", "1\nPOST", "2: error: expected a name in lower case"),
        ("POST /v1", "post /v1", "3: error: expected a method and a path"),
        ("| {\"model", "{\"model", "5: error: expected an empty line before the response"),
        ("200 chunked", "999 chunked", "7: error: expected a status"),
        ("200 chunked", "200 gzip", "7: error: expected a status, one of chunked, length, close"),
        ("+5\n> da", "5\n> da", "10: error: expected a chunk"),
        ("+5\n> da", "+-5\n> da", "10: error: expected a chunk"),
        ("+0\n|", "+9\n|", "10: error: the chunk is earlier than the one before it"),
        ("> da", ">da", "11: error: expected a space after the first character"),
        ("= dGE=", "= dGE", "12: error: expected base64 after '='"),
        ("= dGE=\n\n", "= dGE=\n", "13: error: expected a chunk"),
        ("end: complete", "end: done", "14: error: 'done' is no end: expected one of complete, abandoned"),
        ("end: complete +5", "end: complete", "14: error: expected the end"),
        ("complete +5\n", "complete +5", "14: error: the last line does not end"),
        ("end: complete +5\n", "end: complete +5\nmore\n", "15: error: nothing may follow the end"),
        ("+5\n> da", "+5 left out: x octets\n> da", "10: error: expected 'left out: N octets'"),
    ])
    func mistakeIsNamedWithItsLine(_ written: String, _ wrong: String, _ expected: String) {
        let text = CassetteReadingTests.short.replacing(written, with: wrong, maxReplacements: 1)
        let found = problem(text)
        #expect(found?.hasPrefix(expected) == true, "\(found ?? "accepted")")
    }

    @Test func fileCutAnywhereIsRefused() {
        let text = CassetteReadingTests.short
        for count in 0..<text.utf8.count {
            let found = problem(String(decoding: text.utf8.prefix(count), as: UTF8.self))
            if found == nil { #expect(found != nil, "cut at \(count)") }
        }
    }

    @Test func endedExchangeRequiresAResponse() {
        let text = "headgate-cassette 1\n\nGET /v1/models\n\nend: truncated_body +3\n"
        #expect(problem(text) == "5: error: 'truncated_body' needs a response before it")
        #expect(problem(text.replacing("truncated_body", with: "connect")) == nil)
    }
}
