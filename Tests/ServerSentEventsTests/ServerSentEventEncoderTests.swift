import ServerSentEvents
import Testing

@Suite struct ServerSentEventEncoderTests {
    private func encoded(_ data: String, after start: String = "") -> String {
        var output = Array(start.utf8)
        Array(data.utf8).withUnsafeBytes { ServerSentEventEncoder.append(data: $0, to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    @Test func oneLineIsOneDataField() {
        #expect(encoded("{\"a\":1}", after: ": x\n\n") == ": x\n\ndata: {\"a\":1}\n\n")
        #expect(encoded("") == "data: \n\n")
    }

    @Test(arguments: [
        ("a\nb", "a\nb"), ("a\r\nb", "a\nb"), ("a\rb", "a\nb"), ("a\n\rb\n", "a\n\nb\n"), (" a", " a"), ("\n", "\n"),
        ("a\n\nb", "a\n\nb"), ("a\r\rb", "a\n\nb"), ("a\r", "a\n"), ("a\r\n", "a\n"), ("\r\n\n", "\n\n"),
        ("\n\r\n", "\n\n"),
    ])
    func lineEndsInDataSurviveAsLineFeeds(_ data: String, _ expected: String) throws {
        #expect(try events(encoded(data)) == [ServerSentEvent(data: expected)])
    }

    @Test func dataCannotForgeAnEvent() throws {
        #expect(try events(encoded("a\n\nevent: error\ndata: b\r\rid: 1")).count == 1)
    }

    @Test func namedEventIsReadBack() throws {
        var output: [UInt8] = []
        let isWritten = append(event: "content_block_delta", data: "{}", to: &output)
        #expect(isWritten)
        let text = String(decoding: output, as: UTF8.self)
        #expect(try events(text) == [ServerSentEvent(event: "content_block_delta", data: "{}")])
    }

    @Test(arguments: ["a\nb", "a\rdata: x", "\n"])
    func nameWithALineEndIsRefused(_ name: String) {
        var output: [UInt8] = []
        #expect(!append(event: name, data: "x", to: &output))
        #expect(output.isEmpty)
    }

    @Test func pingIsACommentAndNotAnEvent() throws {
        var output: [UInt8] = []
        ServerSentEventEncoder.appendPing(to: &output)
        #expect(output == Array(": ping\n\n".utf8))
    }

    @Test func lineIsWrittenInPieces() {
        var output: [UInt8] = []
        ServerSentEventEncoder.appendLine(to: &output) { line in
            line.append(contentsOf: "[DO".utf8)
            line.append(contentsOf: "NE]".utf8)
        }
        #expect(output == Array("data: [DONE]\n\n".utf8))
    }

    private func append(event name: String, data: String, to output: inout [UInt8]) -> Bool {
        Array(name.utf8).withUnsafeBytes { name in
            Array(data.utf8).withUnsafeBytes { ServerSentEventEncoder.append(event: name, data: $0, to: &output) }
        }
    }
}
