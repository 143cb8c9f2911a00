import HeadgateNetwork
import HeadgateServer
import HeadgateTesting
import Testing

/// Much through TLS, and readers that pause: nothing may stay behind in OpenSSL's buffers, for which no event of a socket
/// comes.
@Suite struct TLSPressureTests {
    private static let filler = String(repeating: "y", count: 200)
    private static let events = 60

    /// One piece of 60 events, which makes a full record of 16 KiB; `{i}` counts the pieces.
    private static let record: String = (0..<events).map {
        sseData(#"{"choices":[{"index":0,"delta":{"content":"{i}/\#($0) \#(filler)"}}]}"#)
    }.joined()

    private func expectAll(_ events: [String], records: Int) {
        #expect(events.count == records * TLSPressureTests.events + 2)
        let expected = (0..<records).flatMap { record in
            (0..<TLSPressureTests.events).map { #""content":"\#(record)/\#($0) y"# }
        }
        #expect(zip(events, expected).allSatisfy { $0.contains($1) })
        #expect(events.last == "[DONE]")
    }

    /// Many full records, then silence: what is not handed on by then never will be.
    private func flood(records: Int) -> ScriptedReply {
        let last = sseData(#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#) + sseData("[DONE]")
        return ScriptedReply(
            headers: ["Content-Type": "text/event-stream"],
            chunks: [ScriptedChunk(TLSPressureTests.record, repeat: records), ScriptedChunk(last)]
        ).ending(.stall)
    }

    @Test(arguments: [TLSVersion.v12, .v13])
    func readerThatPausesGetsEveryEventOfEveryRecord(_ version: TLSVersion) async throws {
        let records = 1500
        let certificates = try TLSCertificates()
        #expect((15_000..<17_000).contains(TLSPressureTests.record.utf8.count))
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: flood(records: records)), loops: 1, newest: version,
            clientTLS: try certificates.listener())
        let stream = try await running.openStream()
        var events: [String] = []
        for pause in 1...3 {
            stream.stopReading()
            if pause == 1 { _ = try await running.upstream.nextEvent(.writingPaused(0), timeout: .seconds(30)) }
            stream.startReading()
            for _ in 0..<1000 { events.append(try #require(try await stream.nextEvent(timeout: .seconds(30)))) }
        }
        events += try await stream.readEvents(timeout: .seconds(60))
        expectAll(events, records: records)
    }

    @Test func oneRecordIsHandedOnWholeAfterAPause() async throws {
        let certificates = try TLSCertificates()
        for records in 1...8 {
            // A queue of next to nothing, so that the upstream is paused inside the record.
            var limits = ServerLimits()
            limits.outputHighWaterMark = 1024
            limits.outputLowWaterMark = 512
            let running = try RunningGateway(
                tls: certificates, UpstreamScript(always: flood(records: records)), loops: 1, limits: limits)
            let stream = try await running.openStream()
            stream.stopReading()
            _ = try await running.upstream.nextEvent(.chunkSent(0, records))
            stream.startReading()
            expectAll(try await stream.readEvents(timeout: .seconds(30)), records: records)
        }
    }

    @Test func manyMegabytesGoBothWaysAtOnce() async throws {
        let records = 300
        let certificates = try TLSCertificates()
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: flood(records: records)),
            clientTLS: try certificates.listener())
        let padding = String(repeating: "x", count: 6 << 20)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await running.openStream(extra: #","user":"\#(padding)""#).readEvents(timeout: .seconds(60))
                }
            }
            for try await events in group { expectAll(events, records: records) }
        }
        #expect(running.upstream.requests.allSatisfy { $0.body.count > padding.utf8.count })
        #expect(running.upstream.requests.count == 4)
    }

    @Test func readerThatNeverReadsPausesTheUpstreamAndIsLetGo() async throws {
        let certificates = try TLSCertificates()
        var limits = ServerLimits()
        limits.writeTimeout = .milliseconds(300)
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: flood(records: 5000)), limits: limits,
            clientTLS: try certificates.listener())
        let stream = try await running.openStream()
        stream.stopReading()
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"timed_out""#) && line.contains(#""error":"client_stalled""#))
        let match = try #require(line.firstMatch(of: /"queued_max":(\d+)/))
        let peak = try #require(Int(match.1))
        #expect(peak > 192 * 1024 && peak <= 384 * 1024, "\(peak)")
        #expect(running.upstream.bytesWritten < 60_000_000)
    }
}
