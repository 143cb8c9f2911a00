import HeadgateCoding
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateTesting
import HeadgateUpstream
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateService

/// Spans that are sent to a collector over real sockets.
@Suite(.timeLimit(.minutes(10))) struct SpanExporterTests {
    private final class Running {
        private(set) var exporter: SpanExporter?
        let collector: ScriptedUpstream
        let group: EventLoopGroup
        let lines: Mailbox<String>
        let losses: TracingComposer.Losses

        init(
            exporter: SpanExporter, collector: ScriptedUpstream, group: EventLoopGroup, lines: Mailbox<String>,
            losses: TracingComposer.Losses
        ) {
            (self.exporter, self.collector, self.group) = (exporter, collector, group)
            (self.lines, self.losses) = (lines, losses)
        }

        func release() { exporter = nil }

        /// Records spans on the last loop, which is not the one that sends.
        func record(_ names: String...) throws {
            let loop = try #require(group.loops.last)
            let exporter = try #require(exporter)
            try loop.performAndWait { exporter.record(names.map(SpanExporterTests.span)) }
        }

        func nextLine() async throws -> String {
            try #require(try await lines.next(timeout: .seconds(300), "a line"))
        }
    }

    private static func span(_ name: String) -> Span {
        let context = TraceContext(traceID: .random(), spanID: .random(), isSampled: true)
        return Span(name, .client, context, parent: nil, start: 1)
    }

    private func withExporter(
        _ script: UpstreamScript, _ change: (inout TracingConfiguration) -> Void = { _ in },
        _ body: (Running) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 2)
        defer { group.stop() }
        let collector = try ScriptedUpstream(group: group, script: script)
        let url = try UpstreamURL(parsing: "http://127.0.0.1:\(collector.port)/v1/traces")
        var configuration = TracingConfiguration(endpoint: url)
        configuration.batching.delay = .milliseconds(1)
        configuration.compression = .none
        configuration.headers = [HeaderConfiguration(name: "Authorization", value: "Bearer collector-key")]
        change(&configuration)
        let transport = UpstreamTransport(network: UpstreamNetwork(group: group), timeouts: TransferTimeouts())
        let collecting = SpanCollector(
            configuration, at: BaseURL(configuration.endpoint), over: transport, realtime: { 0 })
        let (lines, losses) = (Mailbox<String>(), TracingComposer.Losses())
        try await body(
            Running(
                exporter: SpanExporter(
                    configuration, to: collecting, group: group, lose: { losses.add($0) }, say: { lines.post($0) }),
                collector: collector, group: group, lines: lines, losses: losses))
        collector.stop()
    }

    private static let taken = ScriptedResponse.json("{}")

    @Test func spansArriveAsConfigured() async throws {
        try await withExporter(
            UpstreamScript(always: Self.taken), { $0.service = "gate" },
            { running in
                try running.record("first", "second")
                let request = try await running.collector.nextRequest()
                #expect(request.method == "POST" && request.path == "/v1/traces")
                #expect(request.headers["authorization"] == "Bearer collector-key")
                #expect(
                    request.headers["content-type"] == "application/json" && request.headers["content-encoding"] == nil)
                for part in [#""name":"first""#, #""name":"second""#, #"{"stringValue":"gate"}"#, GatewayVersion.text] {
                    #expect(request.text.contains(part), "\(part)")
                }
                try running.record("third")
                #expect(try await running.collector.nextRequest().text.contains(#""name":"third""#))
                #expect(running.losses.count == 0)
            })
    }

    @Test func exportsAreCompressed() async throws {
        try await withExporter(
            UpstreamScript(always: Self.taken), { $0.compression = .gzip },
            { running in
                try running.record("first")
                let request = try await running.collector.nextRequest()
                #expect(request.headers["content-encoding"] == "gzip")
                let decoder = try #require(ContentDecoder(.gzip, maximumSize: 1 << 20))
                var (offset, decoded) = (0, [UInt8](repeating: 0, count: 64 << 10))
                let count = try request.body.withUnsafeBytes { input in
                    try decoded.withUnsafeMutableBytes { try decoder.decode(input, &offset, into: $0) }
                }
                #expect(String(decoding: decoded[..<count], as: UTF8.self).contains(#""name":"first""#))
            })
    }

    @Test func busyCollectorGetsTheSameBatchAgain() async throws {
        let script = UpstreamScript(inOrder: [.json(status: 503, "{}", headers: ["Retry-After": "1"]), Self.taken])
        try await withExporter(script) { running in
            try running.record("first")
            let busy = try await running.collector.nextRequest()
            let again = try await running.collector.nextRequest()
            #expect(busy.body == again.body)
            let url = "http://127.0.0.1:\(running.collector.port)/v1/traces"
            #expect(try await running.nextLine() == "headgate: spans cannot be sent to \(url): status 503")
            #expect(try await running.nextLine() == "headgate: spans are sent to \(url) again; 0 were lost")
            #expect(running.losses.count == 0)
        }
    }

    @Test func refusedBatchIsLostAndReported() async throws {
        try await withExporter(UpstreamScript(inOrder: [.json(status: 400, "{}"), Self.taken])) { running in
            try running.record("first", "second")
            #expect(try await running.nextLine().hasSuffix(": status 400"))
            #expect(running.losses.count == 2)
            try running.record("third")
            #expect(try await running.nextLine().hasSuffix("again; 2 were lost"))
        }
    }

    @Test func collectorsMessageStaysOnOneLine() async throws {
        let message = #"first\nheadgate: second\u001b[2J\u2028"#
        let answer = #"{"partialSuccess":{"rejectedSpans":"9223372036854775807","errorMessage":"\#(message)"}}"#
        try await withExporter(UpstreamScript(always: .json(answer))) { running in
            try running.record("first")
            let line = try await running.nextLine()
            #expect(line.hasSuffix(#"rejected 1 spans, and maybe more: first\u000aheadgate: second\u001b[2J\u2028"#))
            #expect(running.losses.count == 1)
        }
    }

    @Test func unresponsiveCollectorTimesOut() async throws {
        let silent = ScriptedResponse(chunks: [], endBeforeHead: .stall)
        try await withExporter(
            UpstreamScript(always: silent),
            {
                $0.timeout = .seconds(1)
                $0.batching.patience = .milliseconds(1)
            },
            { running in
                try running.record("first")
                #expect(try await running.nextLine().contains("no answer within"))
                // A busy machine can accept the connection only after the attempt was cancelled.
                let collector = running.collector
                try await until { collector.acceptedConnections == 1 && collector.openConnections == 0 }
                #expect(running.losses.count == 1)
            })
    }

    @Test func deadCollectorIsReportedAndCostsOnlySpans() async throws {
        // No collector listens at this port.
        let dead = try UpstreamURL(parsing: "http://127.0.0.1:9/v1/traces")
        try await withExporter(
            UpstreamScript(always: Self.taken),
            {
                $0.endpoint = dead
                $0.batching.patience = .milliseconds(1)
            },
            { running in
                try running.record("first")
                #expect(try await running.nextLine().hasPrefix("headgate: spans cannot be sent to \(dead): connect"))
                #expect(running.losses.count == 1)
            })
    }

    @Test func closingSendsPendingSpans() async throws {
        try await withExporter(
            UpstreamScript(always: Self.taken), { $0.batching.delay = .seconds(3600) },
            { running in
                try running.record("first")
                running.exporter?.close()
                #expect(running.collector.requests.count == 1 && running.losses.count == 0)
            })
    }

    @Test func releasedExporterSendsPendingSpans() async throws {
        try await withExporter(
            UpstreamScript(always: Self.taken), { $0.batching.delay = .seconds(3600) },
            { running in
                try running.record("first")
                running.release()
                #expect(try await running.collector.nextRequest().text.contains(#""name":"first""#))
                #expect(running.losses.count == 0)
            })
    }
}
