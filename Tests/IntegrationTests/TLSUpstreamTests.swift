import CHeadgate
import HeadgateEventLoop
import HeadgateNetwork
import HeadgateServer
import HeadgateTesting
import HeadgateUpstream
import Testing

/// Upstreams behind `https`: whole responses, and failures on an established connection.
@Suite struct TLSUpstreamTests {
    @Test(arguments: [TLSVersion.v12, .v13])
    func streamAndWholeAnswerPassThroughTLS(_ version: TLSVersion) async throws {
        let certificates = try TLSCertificates()
        let script = UpstreamScript(inOrder: [.chatStream(words: ["Hel", "lo"]), .chatCompletion("all of it")])
        let running = try RunningGateway(tls: certificates, script, newest: version)
        let events = try await running.openStream().readEvents()
        #expect(events.last == "[DONE]")
        #expect(events.filter { $0.contains(#""content":"Hel""#) || $0.contains(#""content":"lo""#) }.count == 2)
        let answer = try await running.ask()
        #expect(answer.status == 200 && answer.text.contains("all of it"))
        let seen = try await running.upstream.nextRequest()
        #expect(seen.headers["authorization"] == "Bearer \(RunningGateway.upstreamKey)")
        #expect(seen.headers["host"] == "localhost:\(running.upstream.port)")
    }

    @Test func connectionIsReused() async throws {
        let certificates = try TLSCertificates()
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatStream(words: ["a", "b"])), loops: 1)
        for _ in 0..<5 {
            #expect(try await running.openStream().readEvents().last == "[DONE]")
            _ = await running.log.next()
        }
        #expect(running.upstream.acceptedConnections == 1)
        #expect(Set(running.upstream.requests.map(\.connection)).count == 1)
    }

    @Test(arguments: [TLSVersion.v12, .v13])
    func laterConnectionResumesTheSession(_ version: TLSVersion) async throws {
        let certificates = try TLSCertificates()
        var response = ScriptedResponse.chatCompletion("ok")
        response.framing = .close
        let running = try RunningGateway(tls: certificates, UpstreamScript(always: response), newest: version)
        for _ in 0..<4 {
            let answer = try await running.ask()
            #expect(answer.status == 200, "\(answer.text)")
        }
        #expect(running.upstream.acceptedConnections == 4)
        #expect(running.upstream.resumedHandshakes == 3)
    }

    @Test func streamsAtTheSameTimeDoNotMixUp() async throws {
        let certificates = try TLSCertificates()
        let words = (0..<50).map { "w\($0)" }
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatStream(words: words, delay: .milliseconds(1))),
            clientTLS: try certificates.listener())
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<20 { group.addTask { try await running.openStream().readEvents() } }
            for try await events in group {
                #expect(events.filter { $0.contains(#""content":"w"#) }.count == words.count)
                #expect(events.last == "[DONE]")
            }
        }
    }

    // MARK: Ends

    @Test(arguments: [ScriptedResponse.Framing.chunked, .length])
    func missingCloseNotifyIsFineIfTheFramingEndsTheBody(_ framing: ScriptedResponse.Framing) async throws {
        let certificates = try TLSCertificates()
        var stream = ScriptedResponse.chatStream(words: ["one"])
        var whole = ScriptedResponse.chatCompletion("all of it")
        // The head announces that the upstream closes after the body.
        stream.headers.append("Connection", "close")
        whole.headers.append("Connection", "close")
        stream.framing = framing
        whole.framing = framing
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(inOrder: [stream.leavingWithoutGoodbye(), whole.leavingWithoutGoodbye()]))
        #expect(try await running.openStream().readEvents().last == "[DONE]")
        let answer = try await running.ask()
        #expect(answer.status == 200 && answer.text.contains("all of it"))
    }

    @Test func missingCloseNotifyTruncatesAConnectionDelimitedBody() async throws {
        let certificates = try TLSCertificates()
        var stream = ScriptedResponse.chatStream(words: ["one", "two"])
        stream.chunks = Array(stream.chunks.prefix(2))
        var whole = ScriptedResponse.chatCompletion("all of it")
        stream.framing = .close
        whole.framing = .close
        let script = UpstreamScript(inOrder: [stream.leavingWithoutGoodbye(), whole.leavingWithoutGoodbye(), whole])
        let running = try RunningGateway(tls: certificates, script)
        let events = try await running.openStream().readEvents()
        #expect(events.contains { $0.contains(#""content":"one""#) })
        #expect(events.last?.contains(#""code":"upstream_incomplete""#) == true, "\(events)")
        #expect(!events.contains("[DONE]"))
        #expect(await running.log.next().contains("without a TLS close_notify"))
        let cut = try await running.ask()
        #expect(cut.status == 502 && cut.text.contains("upstream_incomplete"))
        // With close_notify, this response is whole.
        let answer = try await running.ask()
        #expect(answer.status == 200 && answer.text.contains("all of it"))
    }

    @Test func resetMidStreamIsOneErrorEventAndNoDone() async throws {
        let certificates = try TLSCertificates()
        var response = ScriptedResponse.chatStream(words: ["one", "two"])
        // The wait lets the first words through before the reset discards unread bytes.
        response.chunks = Array(response.chunks.prefix(2)) + [ScriptedChunk(": wait\n\n", delay: .milliseconds(50))]
        let running = try RunningGateway(tls: certificates, UpstreamScript(always: response.ending(.reset)))
        let events = try await running.openStream().readEvents()
        #expect(events.filter { $0.contains(#""code":"upstream_incomplete""#) }.count == 1)
        #expect(events.last?.contains("upstream_incomplete") == true && !events.contains("[DONE]"))
        #expect(await running.log.next().contains(#""error":"upstream_incomplete""#))
    }

    @Test func disconnectReachesTheUpstreamThroughTLS() async throws {
        let certificates = try TLSCertificates()
        let response = ScriptedResponse.chatStream(words: ["one", "two"]).stalling(afterChunks: 3)
        let running = try RunningGateway(tls: certificates, UpstreamScript(always: response))
        let connection = try await running.client.raw(port: running.port, running.streamRequest)
        _ = try await running.upstream.nextEvent(.chunkSent(0, 2))
        let left = headgate_monotonic_nanoseconds()
        connection.close()
        #expect(Duration.between(left, try await running.upstream.nextPeerClosed().at) < .seconds(1))
        #expect(await running.log.next().contains(#""outcome":"client_gone""#))
    }
}

extension ScriptedResponse {
    /// Returns this response, which ends with FIN and without the close_notify of TLS.
    func leavingWithoutGoodbye() -> ScriptedResponse {
        var response = self
        response.endsWithoutGoodbye = true
        return response
    }
}
