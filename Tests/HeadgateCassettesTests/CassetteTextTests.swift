import HeadgateTesting
import Testing

@testable import HeadgateCassettes

@Suite struct CassetteTextTests {
    static let stream = "data: {\"text\":\"Grüße \\n\"}\n\nevent: x\r\ndata: \u{1F600}\r\n\r\ndata: [DONE]\n\n"

    static func cassette(_ chunks: [[UInt8]], body: [UInt8]? = Array(#"{"model":"m"}"#.utf8)) -> Cassette {
        Cassette(
            recorded: "2026-11-23T01:15:02.123Z", operation: "createChatCompletion", model: "m",
            route: "/chat/completions",
            request: Cassette.Request(
                method: "POST", path: "/v1/chat/completions", fields: [.init("content-type", "application/json")],
                body: body.map { .bytes($0) }),
            response: Cassette.Response(
                status: 200, milliseconds: 312,
                fields: [.init("content-type", "text/event-stream"), .init("x-none", "")],
                chunks: chunks.enumerated().map { Cassette.Chunk(milliseconds: $0.offset * 7, .bytes($0.element)) }),
            end: Cassette.End(.complete, milliseconds: 900))
    }

    static func expectRoundTrip(_ cassette: Cassette, _ comment: @autoclosure () -> Comment = "") throws {
        let text = cassette.text
        let read = try Cassette(text: text)
        if read != cassette { #expect(read == cassette, comment()) }
        if read.text != text { #expect(read.text == text, comment()) }
    }

    @Test func fileReadsBackAsRecorded() {
        let text = String(
            decoding: CassetteTextTests.cassette([Array("data: hi\n\ndata".utf8), [0xFF]]).text, as: UTF8.self)
        #expect(
            text == """
                headgate-cassette 1
                recorded: 2026-11-23T01:15:02.123Z
                operation: createChatCompletion
                model: m
                route: /chat/completions

                POST /v1/chat/completions
                content-type: application/json
                body
                > {"model":"m"}

                200 chunked +312
                content-type: text/event-stream
                x-none:
                +0
                | data: hi
                |
                > data
                +7
                = /w==

                end: complete +900

                """)
    }

    @Test func streamCutAnywhereIsReadBackUnchanged() throws {
        let stream = Array(CassetteTextTests.stream.utf8)
        for cut in 0...stream.count {
            let pieces = [Array(stream[..<cut]), Array(stream[cut...])]
            try CassetteTextTests.expectRoundTrip(CassetteTextTests.cassette(pieces), "cut at \(cut)")
        }
        try CassetteTextTests.expectRoundTrip(CassetteTextTests.cassette(stream.map { [$0] }), "bytewise")
    }

    @Test func arbitraryBytesAreReadBackUnchanged() throws {
        try CassetteTextTests.expectRoundTrip(CassetteTextTests.cassette((0...255).map { [UInt8($0)] }))
        var random = SeededGenerator(state: 16)
        for _ in 0..<200 {
            let pieces = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (0..<Int.random(in: 0...300, using: &random)).map { _ in
                    // Line ends and significant ASCII are more frequent than by chance.
                    Bool.random(using: &random)
                        ? [0x0A, 0x0D, 0x20, 0x7C, 0x3E, 0x5C].randomElement(using: &random) ?? 0
                        : UInt8.random(in: 0...255, using: &random)
                }
            }
            try CassetteTextTests.expectRoundTrip(CassetteTextTests.cassette(pieces, body: pieces.first))
        }
    }

    @Test(arguments: ["data: ", "\u{FEFF}data", "a\u{2028}b", "a\u{202E}b", "a\tb\t", "a\rb", "\u{85}", "\u{1B}[1m"])
    func textThatEditorsChangeOrHideIsBase64(_ line: String) throws {
        let cassette = CassetteTextTests.cassette([Array("\(line)\n".utf8)])
        let text = String(decoding: cassette.text, as: UTF8.self)
        #expect(text.contains("\n= ") && !text.contains(line))
        try CassetteTextTests.expectRoundTrip(cassette)
    }

    @Test func ordinaryTextIsLegible() {
        let text = String(
            decoding: CassetteTextTests.cassette([Array(CassetteTextTests.stream.utf8)]).text, as: UTF8.self)
        #expect(
            text.contains("| data: {\"text\":\"Grüße \\n\"}\n|\n^ event: x\n^ data: \u{1F600}\n^\n| data: [DONE]\n|\n"))
    }

    @Test func absentMembersStayAbsent() throws {
        var cassette = CassetteTextTests.cassette([], body: nil)
        try CassetteTextTests.expectRoundTrip(cassette, "nothing")
        cassette.request.body = .bytes([])
        try CassetteTextTests.expectRoundTrip(cassette, "an empty body")
        cassette.request.body = .leftOut(240)
        cassette.digest = "0123"
        cassette.response?.chunks = [.init(milliseconds: 3, .leftOut(17)), .init(milliseconds: 4, .bytes([]))]
        try CassetteTextTests.expectRoundTrip(cassette, "left out")
        #expect(cassette.responseBody == nil)
        cassette.response = nil
        for kind in [Cassette.EndKind.connect, .closedBeforeResponse, .abandoned] {
            cassette.end = .init(kind, milliseconds: 12, detail: "Connection refused")
            try CassetteTextTests.expectRoundTrip(cassette, "\(kind)")
        }
    }

    @Test func textOfAFailureCannotEndItsLine() throws {
        var cassette = CassetteTextTests.cassette([])
        cassette.end = .init(.truncatedBody, detail: "a\nend: complete +0\n")
        #expect(try Cassette(text: cassette.text).end.detail == "a end: complete +0")
    }
}
