import HeadgateHTTP
import HeadgateServer
import HeadgateTesting
import Testing

/// Upstreams that compress although they were asked not to.
@Suite struct EncodingTests {
    private typealias Coding = Compressor.Coding

    private static let stream = ScriptedResponse.chatStream(words: ["one", "two", "ä€😀"])
    private static let head: HeaderLines = ["Content-Type": "text/event-stream"]

    private static func json(_ bytes: [UInt8], _ coding: String, framing: ScriptedResponse.Framing = .length)
        -> ScriptedResponse
    {
        let headers: HeaderLines = ["Content-Type": "application/json", "Content-Encoding": coding]
        return ScriptedResponse(headers: headers, chunks: [ScriptedChunk(bytes: bytes)], framing: framing)
    }

    // MARK: Valid

    @Test(arguments: Compressor.Coding.allCases, [nil, 1])
    func codedStreamIsTheSameStream(_ coding: Compressor.Coding, _ split: Int?) async throws {
        var response = EncodingTests.stream.coded(coding)
        response.split = split
        let running = try RunningGateway(UpstreamScript(inOrder: [EncodingTests.stream, response]))
        let plain = try await running.openStream().readEvents()
        let stream = try await running.openStream()
        #expect(stream.headers["content-encoding"] == nil)
        #expect(try await stream.readEvents() == plain)
        #expect(plain.last == "[DONE]")
        #expect(try await running.upstream.nextRequest().headers["accept-encoding"] == "identity")
    }

    /// The upstream sends nothing after the flush: an event that waited for more would never arrive.
    @Test(arguments: Compressor.Coding.allCases, 1...4)
    func eventArrivesWithItsFlush(_ coding: Compressor.Coding, _ events: Int) async throws {
        let response = EncodingTests.stream.coded(coding).stalling(afterChunks: events)
        let running = try RunningGateway(UpstreamScript(always: response))
        let stream = try await running.openStream()
        var last = ""
        for _ in 0..<events { last = try #require(try await stream.nextEvent()) }
        #expect(last.contains(["assistant", "one", "two", "ä€😀"][events - 1]))
    }

    @Test(arguments: Compressor.Coding.allCases, [ScriptedResponse.Framing.length, .chunked, .close])
    func codedAnswerIsDecodedWhole(_ coding: Compressor.Coding, _ framing: ScriptedResponse.Framing) async throws {
        let plain = ScriptedResponse.chatCompletion(String(repeating: "all of it ", count: 20_000))
        var coded = EncodingTests.json(Compressor(coding).finish(plain.chunks[0].bytes()), coding.name)
        coded.framing = framing
        let running = try RunningGateway(UpstreamScript(inOrder: [plain, coded]))
        let expected = try await running.ask()
        let answer = try await running.ask()
        #expect(answer.status == 200 && answer.headers["content-encoding"] == nil)
        #expect(answer.body == expected.body && answer.body.count > 200_000)
    }

    @Test func codedErrorKeepsItsStatusAndMessage() async throws {
        let plain = ScriptedResponse.openAIError(
            status: 429, message: "Rate limit reached", code: "rate_limit_exceeded")
        var coded = EncodingTests.json(Compressor(.gzip).finish(plain.chunks[0].bytes()), "gzip")
        coded.status = 429
        let answer = try await RunningGateway(UpstreamScript(always: coded)).ask()
        #expect(answer.status == 429 && answer.text.contains("Rate limit reached"))
    }

    @Test func codedStreamPassesThroughTLSAndItsConnectionIsUsedAgain() async throws {
        let certificates = try TLSCertificates()
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: EncodingTests.stream.coded(.gzip)), loops: 1)
        for _ in 0..<3 {
            #expect(try await running.openStream().readEvents().last == "[DONE]")
            _ = await running.log.next()
        }
        #expect(running.upstream.acceptedConnections == 1)
    }

    // MARK: Invalid

    @Test(arguments: Compressor.Coding.allCases)
    func truncatedCodingIsAnIncompleteAnswer(_ coding: Compressor.Coding) async throws {
        var cut = EncodingTests.stream.coded(coding)
        cut.chunks = Array(cut.chunks.prefix(2))
        let whole = Compressor(coding).finish(ScriptedResponse.chatCompletion("all of it").chunks[0].bytes())
        let short = EncodingTests.json(Array(whole.dropLast(whole.count / 2)), coding.name)
        let running = try RunningGateway(UpstreamScript(inOrder: [cut, short]))
        let events = try await running.openStream().readEvents()
        #expect(events.contains { $0.contains(#""content":"one""#) })
        #expect(events.last?.contains(#""code":"upstream_incomplete""#) == true, "\(events)")
        #expect(await running.log.next().contains("the compressed body ends too early"))
        let answer = try await running.ask()
        #expect(answer.status == 502 && answer.text.contains("upstream_incomplete"), "\(answer.text)")
    }

    @Test(arguments: [false, true])
    func garbageUnderTheNameOfGzipIsABadGateway(_ isStream: Bool) async throws {
        let garbage = EncodingTests.json(Array("data: this is no gzip\n\n".utf8), "gzip")
        let running = try RunningGateway(UpstreamScript(always: garbage))
        let answer = try await running.ask(RunningGateway.body(stream: isStream))
        #expect(answer.status == 502 && answer.text.contains(#""code":"upstream_encoding""#), "\(answer.text)")
        #expect(!answer.text.contains("no gzip"))
        #expect(await running.log.next().contains("the compressed body is malformed"))
    }

    @Test func garbageInTheMiddleIsOneErrorEvent() async throws {
        var response = EncodingTests.stream.coded(.gzip)
        // The block has the one type that deflate does not define.
        response.chunks = Array(response.chunks.prefix(2)) + [ScriptedChunk(bytes: [0xFF, 0xFF, 0xFF, 0xFF])]
        let running = try RunningGateway(UpstreamScript(always: response))
        let events = try await running.openStream().readEvents()
        #expect(events.contains { $0.contains(#""content":"one""#) })
        #expect(events.filter { $0.contains(#""code":"upstream_encoding""#) }.count == 1)
        #expect(events.last?.contains("upstream_encoding") == true && !events.contains("[DONE]"))
    }

    @Test(arguments: ["br", "compress", "gzip, gzip", "rot13"], [false, true])
    func unknownCodingIsABadGateway(_ name: String, _ isStream: Bool) async throws {
        let response = EncodingTests.json(Array(#"{"a":1}"#.utf8), name)
        let running = try RunningGateway(UpstreamScript(always: response))
        let answer = try await running.ask(RunningGateway.body(stream: isStream))
        #expect(answer.status == 502 && answer.text.contains(#""code":"upstream_encoding""#), "\(answer.text)")
        #expect(await running.log.next().contains(#""error":"upstream_encoding""#))
        // The gateway does not read the body.
        #expect(try await running.upstream.nextEvent(.requestReceived(0)).request == 0)
    }
}
