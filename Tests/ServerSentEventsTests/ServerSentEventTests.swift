import ServerSentEvents
import Testing

@Suite struct ServerSentEventTests {
    @Test func invalidUTF8IsRepairedPerMaximalSubpart() throws {
        var parser = ServerSentEventParser()
        var texts: [String] = []
        let chunk = Array("data: ".utf8) + [0xE2, 0x82, 0x41, 0xFF, 0xF0, 0x9F, 0x98, 0x80] + Array("\n\n".utf8)
        try chunk.withUnsafeBytes { bytes in
            try parser.parse(bytes) { texts.append(ServerSentEvent($0).data) }
        }
        #expect(texts == ["\u{FFFD}A\u{FFFD}\u{1F600}"])
    }

    @Test func eventWithoutANameIsAMessage() throws {
        #expect(try events("event:\ndata: a\n\n") == [ServerSentEvent(event: "message", data: "a", id: "")])
    }
}
