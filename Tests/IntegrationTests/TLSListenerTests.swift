import CHeadgate
import HeadgateEventLoop
import HeadgateNetwork
import HeadgateServer
import HeadgateTesting
import Testing

/// Clients that connect to the gateway with TLS.
@Suite struct TLSListenerTests {
    private let certificates: TLSCertificates

    init() throws { certificates = try TLSCertificates() }

    private func running(_ script: UpstreamScript, limits: ServerLimits = RunningGateway.patientLimits) throws
        -> RunningGateway
    {
        try RunningGateway(script, limits: limits, clientTLS: try certificates.listener())
    }

    @Test func severalExchangesShareOneConnection() async throws {
        let running = try running(
            UpstreamScript(inOrder: [
                .chatCompletion("first"), .chatStream(words: ["second"]), .chatCompletion("third"),
            ]))
        let connection = try await running.client.connect(port: running.port)
        for (isStream, text) in [(false, "first"), (true, "second"), (false, "third")] {
            let stream = try await connection.open(
                "POST", RunningGateway.chatPath, headers: running.headers,
                body: Array(RunningGateway.body(stream: isStream).utf8))
            #expect(stream.status == 200)
            #expect(String(decoding: try await stream.readAll(), as: UTF8.self).contains(text))
        }
        #expect(running.server.openConnections == 1)
    }

    @Test func eventsArriveWhileTheUpstreamIsSilent() async throws {
        let response = ScriptedResponse.chatStream(words: ["one", "two"]).stalling(afterChunks: 3)
        let running = try running(UpstreamScript(always: response))
        let stream = try await running.openStream()
        var events: [String] = []
        while events.count < 3 { events.append(try #require(try await stream.nextEvent())) }
        #expect(events[1].contains("one") && events[2].contains("two"))
    }

    enum Departure: CaseIterable, Sendable {
        case fin, reset, halfClose
    }

    @Test(arguments: Departure.allCases)
    func clientDisconnectIsNoticedAtOnce(_ departure: Departure) async throws {
        let response = ScriptedResponse.chatStream(words: ["one", "two"]).stalling(afterChunks: 3)
        let running = try running(UpstreamScript(always: response))
        let connection = try await running.client.raw(port: running.port, running.streamRequest)
        _ = try await running.upstream.nextEvent(.chunkSent(0, 2))
        let left = headgate_monotonic_nanoseconds()
        switch departure {
        case .fin: connection.close()
        case .reset: connection.reset()
        case .halfClose: connection.halfClose()
        }
        let time = Duration.between(left, try await running.upstream.nextPeerClosed().at)
        #expect(time < .seconds(1), "\(departure) took \(time)")
        #expect(await running.log.next().contains(#""outcome":"client_gone""#))
    }

    @Test(arguments: [("localhost", "https", 200), ("127.0.0.1", "https", 200), ("localhost", "http", 403)])
    func sameOriginPageIsServed(_ host: String, _ scheme: String, _ status: Int) async throws {
        let running = try running(UpstreamScript(always: .chatCompletion("ok")))
        let headers: HeaderLines = [
            "Host": "\(host):\(running.port)", "Origin": "\(scheme)://\(host):\(running.port)",
            "Authorization": "Bearer \(RunningGateway.clientKey)",
        ]
        let answer = try await running.ask(headers: headers)
        #expect(answer.status == status, "\(answer.text)")
    }

    @Test func plainHTTPIsRefusedWithoutHarm() async throws {
        let running = try running(UpstreamScript(always: .chatCompletion("ok")))
        let plain = TestClient(group: running.group)
        for _ in 0..<10 {
            let connection = try await plain.raw(port: running.port, running.streamRequest)
            let answer = try? await connection.readToEnd()
            // The response is an alert at most, and is not HTTP.
            #expect((answer ?? []).count < 16)
        }
        #expect(try await running.ask().status == 200)
        #expect(running.upstream.requests.count == 1)
    }

    @Test(arguments: [[], [22, 3, 1, 2, 0, 1, 0, 1], [0x80]] as [[UInt8]])
    func unfinishedHandshakeIsCutAtTheHeadDeadline(_ beginning: [UInt8]) async throws {
        var limits = ServerLimits()
        limits.headTimeout = .milliseconds(200)
        let running = try running(UpstreamScript(always: .chatCompletion("ok")), limits: limits)
        let connection = try await TestClient(group: running.group).raw(port: running.port, bytes: beginning)
        // The connection ends within the ten seconds that the client waits, long before any other deadline of the
        // server.
        _ = try? await connection.readToEnd()
        // The connection is counted as closed in the same turn of its loop.
        for loop in running.group.loops { try loop.performAndWait {} }
        #expect(running.server.openConnections == 0)
    }

    @Test(arguments: [TLSVersion.v12, .v13])
    func singleByteSegmentsYieldTheSameStream(_ version: TLSVersion) async throws {
        let contexts = (server: try certificates.server(newest: version), client: try certificates.client())
        let running = try RunningGateway(
            UpstreamScript(always: .chatStream(words: ["ä", "€", "😀"])), clientTLS: contexts)
        let direct = try await running.openStream().readEvents()
        let tap = try WireTap(.forwards(to: running.port, segment: 1))
        let stream = try await running.client.openPost(
            RunningGateway.chatPath, headers: running.headers, json: RunningGateway.body(stream: true), port: tap.port)
        #expect(try await stream.readEvents() == direct)
        #expect(direct.last == "[DONE]")
        #expect(!tap.contains(RunningGateway.clientKey))
    }

    @Test func listenersOfAllKindsServeSideBySide() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let folder = try TemporaryFolder()
        let contexts = try certificates.listener()
        let bound = try running.server.listen(on: [
            ListenerSettings(address: .unix(path: folder.path + "/gateway.sock"), authentication: .none),
            ListenerSettings(address: .tcp(ip: "::1", port: 0)),
            ListenerSettings(address: .tcp(ip: "127.0.0.1", port: 0), tls: contexts.server),
            ListenerSettings(address: .tcp(ip: "::1", port: 0), tls: contexts.server),
        ])
        let ports = bound.map { $0.port ?? 0 }
        let clients = [
            TestClient(group: running.group, unixPath: folder.path + "/gateway.sock"),
            TestClient(group: running.group, ip: "::1"),
            TestClient(group: running.group, tls: contexts.client),
            TestClient(group: running.group, ip: "::1", tls: contexts.client),
        ]
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (client, port) in zip(clients, ports) {
                for _ in 0..<5 {
                    group.addTask {
                        let host = port == 0 ? "localhost" : "localhost:\(port)"
                        let headers: HeaderLines = [
                            "Host": host, "Authorization": "Bearer \(RunningGateway.clientKey)",
                        ]
                        let json = RunningGateway.body(stream: false)
                        return try await client.post(RunningGateway.chatPath, headers: headers, json: json, port: port)
                            .status
                    }
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(running.upstream.requests.count == 20)
    }

    @Test func reloadEnablingTLSChangesTheGatewaysOrigin() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let contexts = try certificates.listener()
        let port = running.port
        func status(_ client: TestClient, _ scheme: String) async throws -> Int {
            let headers: HeaderLines = [
                "Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(RunningGateway.clientKey)",
                "Content-Type": "application/json", "Origin": "\(scheme)://127.0.0.1:\(port)",
            ]
            let json = RunningGateway.body(stream: false)
            return try await client.post(RunningGateway.chatPath, headers: headers, json: json, port: port).status
        }
        #expect(try await status(running.client, "http") == 200)
        #expect(try await status(running.client, "https") == 403)
        let address = ListenerSettings.Address.tcp(ip: "127.0.0.1", port: 0)
        let bound = try running.server.listen(on: [ListenerSettings(address: address, tls: contexts.server)])
        #expect(bound[0].port == port)
        let client = TestClient(group: running.group, timeout: .seconds(30), tls: contexts.client)
        #expect(try await status(client, "https") == 200)
        #expect(try await status(client, "http") == 403)
    }

    @Test func wildcardListenerUsesTheLocalAddressAsHost() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let bound = try running.server.listen(on: [ListenerSettings(address: .tcp(ip: "0.0.0.0", port: 0))])
        let port = try #require(bound[0].port)
        for (ip, host, status) in [
            ("127.0.0.1", "127.0.0.1", 200), ("127.0.0.2", "127.0.0.2", 200), ("127.0.0.2", "127.0.0.3", 421),
        ] {
            let headers: HeaderLines = [
                "Host": "\(host):\(port)", "Authorization": "Bearer \(RunningGateway.clientKey)",
                "Content-Type": "application/json",
            ]
            let client = TestClient(group: running.group, timeout: .seconds(30), ip: ip)
            let answer = try await client.post(
                RunningGateway.chatPath, headers: headers, json: RunningGateway.body(stream: false), port: port)
            #expect(answer.status == status)
        }
    }

    @Test func unfinishedHandshakeDoesNotDelayAShutdown() async throws {
        let running = try running(UpstreamScript(always: .chatCompletion("ok")))
        let connection = try await TestClient(group: running.group).raw(port: running.port, bytes: [22, 3, 1])
        // The connection is accepted, and so are later ones.
        #expect(try await running.ask().status == 200)
        let ends = Mailbox<Bool>()
        running.server.shutDown { ends.post(true) }
        // The bound is below the head deadline and the drain timeout.
        #expect(try await ends.next(timeout: .seconds(8), "the end of the shutdown") == true)
        withExtendedLifetime(connection) {}
    }

    @Test func shutdownEndsStreamsWithAnErrorEventAndCloseNotify() async throws {
        var limits = RunningGateway.patientLimits
        limits.drainTimeout = .milliseconds(100)
        let response = ScriptedResponse.chatStream(words: ["a"]).stalling(afterChunks: 2)
        let running = try running(UpstreamScript(always: response), limits: limits)
        let streams = [try await running.openStream(), try await running.openStream()]
        for stream in streams { _ = try await stream.nextEvent() }
        let ends = Mailbox<Bool>()
        running.server.shutDown { ends.post(true) }
        for stream in streams {
            let events = try await stream.readEvents()
            #expect(events.last?.contains("gateway_shutdown") == true)
            #expect(!events.contains("[DONE]"))
            // Throws if the connection ends without close_notify.
            #expect(try await stream.connection.readToEnd().isEmpty)
        }
        #expect(try await ends.next(timeout: .seconds(10), "the end of the shutdown") == true)
    }
}
