import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateTesting
import Testing

/// No message blocks a loop, however long it takes to parse.
@Suite(.serialized) struct LoopLagTests {
    /// Longest accepted work without a pause. The measured work is far shorter, but debug builds are slow.
    private static let bound = Duration.milliseconds(100).whenSanitized
    #if DEBUG
        private static let size = 8 << 20
    #else
        private static let size = 30 << 20
    #endif

    struct Message: Sendable, CustomTestStringConvertible {
        let name: String
        let piece: String
        var opening = "["
        var closing = "]"
        var status = 200
        var model = "scripted"
        var testDescription: String { name }

        var body: [UInt8] {
            var bytes = Array(#"{"model":"\#(model)","messages":[],"x":\#(opening)"#.utf8)
            bytes += long(Array(piece.utf8))
            if bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
            return bytes + Array("\(closing)}".utf8)
        }
    }

    /// Returns the piece repeated. Doubling builds it without delaying other tests.
    private static func long(_ piece: [UInt8]) -> [UInt8] {
        var bytes = piece
        while bytes.count < size / 2 { bytes += bytes }
        return bytes
    }

    private static let rewritten = {
        var model = ModelConfiguration(name: "rewritten", upstream: "scripted", model: "other")
        model.targets[0].parameters = ParameterRules(strip: ["seed"])
        return [ModelConfiguration(name: "scripted", upstream: "scripted"), model]
    }()

    @Test(arguments: [
        Message(name: "members", piece: #""a":0,"#, opening: "{", closing: "}", status: 400),
        Message(name: "members at the top", piece: #""a":0,"#, opening: "0,", closing: "", status: 400),
        Message(name: "numbers", piece: "1,"),
        Message(name: "numbers, rewritten", piece: "1,", model: "rewritten"),
        Message(name: "escapes", piece: #"\n"#, opening: "\"", closing: "\""),
        Message(name: "one number", piece: "1", opening: "", closing: "", status: 400),
    ])
    func longRequestDelaysNoOther(_ message: Message) async throws {
        let running = try RunningGateway(
            UpstreamScript(always: .chatCompletion("ok")), loops: 1, models: LoopLagTests.rewritten, isAlone: true)
        let lag = try LoopLag(of: running.group.loops[0])
        let answer = try await running.client.request(
            "POST", RunningGateway.chatPath, headers: running.headers, body: message.body, port: running.port)
        #expect(answer.status == message.status, "\(answer.text.prefix(300))")
        try check(lag, message.name)
    }

    @Test func longInvalidUTF8ResponseDelaysNoOneAndIsRepaired() async throws {
        let document =
            Array(#"{"choices":[{"message":{"content":""#.utf8)
            + LoopLagTests.long([0x61, 0x62, 0x63, 0xFF, 0xC3, 0x28, 0xF0, 0x9F]) + Array(#""}}]}"#.utf8)
        let response = ScriptedResponse(
            headers: ["Content-Type": "application/json"], chunks: [ScriptedChunk(bytes: document)], framing: .length)
        let running = try RunningGateway(UpstreamScript(always: response), loops: 1, isAlone: true)
        let lag = try LoopLag(of: running.group.loops[0])
        let answer = try await running.ask()
        #expect(answer.status == 200 && answer.body == Array(String(decoding: document, as: UTF8.self).utf8))
        try check(lag, "an answer that is not UTF-8")
    }

    private func check(_ lag: LoopLag, _ name: String) throws {
        let work = try lag.longestWork()
        print("the loop's longest piece of work with \(name): \(work)")
        #expect(work < LoopLagTests.bound, "\(name)")
        try lag.stop()
    }

    @Test func disconnectDuringParsingPreventsTheUpstreamCall() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")), loops: 1, isAlone: true)
        let body = Message(name: "", piece: "1,").body
        let head = """
            POST \(RunningGateway.chatPath) HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\
            Authorization: Bearer \(RunningGateway.clientKey)\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.count)\r\n\r\n
            """
        let connection = try await running.client.raw(port: running.port, bytes: Array(head.utf8) + body)
        connection.halfClose()
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"client_gone""#), "\(line)")
        // The loop continues, and only its next request reaches the upstream.
        #expect(try await running.ask().status == 200)
        #expect(running.upstream.requests.count == 1)
    }
}
