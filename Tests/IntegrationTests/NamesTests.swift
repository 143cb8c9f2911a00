import CHeadgate
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateServer
import HeadgateTesting
import HeadgateUpstream
import Testing

/// Upstreams by name: permitted addresses, the choice of one of several, and waits for a name server.
@Suite struct NamesTests {
    private static let inner = UpstreamAccess(allowsPrivateAddresses: true)

    private func running(
        _ names: ScriptedNames, _ response: ScriptedResponse = .chatCompletion("ok"), access: UpstreamAccess = inner,
        limits: NameCacheLimits = NameCacheLimits()
    ) throws -> RunningGateway {
        try RunningGateway(
            UpstreamScript(always: response), endpoint: { .tcp(host: "api.test", port: $0) },
            access: access, resolver: names.resolver(limits: limits))
    }

    private func expectUnreachable(_ running: RunningGateway, log text: String) async throws {
        for isStream in [false, true] {
            let answer = try await running.ask(RunningGateway.body(stream: isStream))
            #expect(answer.status == 502 && answer.text.contains("upstream_connect"), "\(answer.text)")
            let line = await running.log.next()
            #expect(line.contains(#""error":"upstream_connect""#) && line.contains(text), "\(line)")
        }
        #expect(running.upstream.acceptedConnections == 0)
    }

    // MARK: Addresses

    @Test(arguments: [
        "169.254.169.254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "fd00:ec2::254", "169.254.1.1", "fe80::1",
        "0.0.0.0",
    ])
    func nameOfAForbiddenAddressIsNeverConnectedTo(_ address: String) async throws {
        // These addresses are refused even if private addresses are allowed.
        let running = try running(ScriptedNames(["api.test": [address]]))
        try await expectUnreachable(running, log: "to which Headgate never connects")
    }

    @Test(arguments: ["127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "fd12::1", "100.64.0.1"])
    func nameOfAPrivateAddressIsRefusedByDefault(_ address: String) async throws {
        let running = try running(ScriptedNames(["api.test": [address]]), access: UpstreamAccess())
        try await expectUnreachable(running, log: "`allow_private: true`")
    }

    @Test func permittedPrivateAddressIsConnectedTo() async throws {
        let running = try running(ScriptedNames(["api.test": ["127.0.0.1"]]))
        #expect(try await running.ask().status == 200)
        #expect(try await running.upstream.nextRequest().headers["host"] == "api.test:\(running.upstream.port)")
    }

    @Test func allowedAddressIsChosenAmongForbiddenOnes() async throws {
        let running = try running(ScriptedNames(["api.test": ["169.254.169.254", "127.0.0.1"]]))
        #expect(try await running.ask().status == 200)
    }

    @Test func deadFirstAddressCostsLittleTime() async throws {
        while true {
            let names = ScriptedNames(["api.test": ["127.0.0.2", "127.0.0.1"]])
            let running = try running(names)
            // Another process can use the port at the other address.
            guard let hole = BlackHole(ip: "127.0.0.2", port: running.upstream.port) else { continue }
            let connection = try await running.client.connect(port: running.port)
            let begin = headgate_monotonic_nanoseconds()
            connection.send(running.streamRequest)
            let request = try await running.upstream.nextEvent(.requestReceived(0))
            let time = Duration.between(begin, request.at)
            print("a request through the second address, the first being dead, was there after \(time)")
            // The bound is below the connect deadline, so the request did not wait for the dead address.
            #expect(time < .seconds(5))
            return withExtendedLifetime((hole, connection)) {}
        }
    }

    // MARK: Name servers

    @Test func unknownNameIsABadGateway() async throws {
        try await expectUnreachable(try running(ScriptedNames([:])), log: "the name was not found: no such name")
    }

    @Test func endlessLookupDelaysNoOtherStream() async throws {
        let names = ScriptedNames([:], mute: ["mute.test"])
        let words = (0..<5000).map { "w\($0) " }
        let running = try RunningGateway(
            UpstreamScript(always: .chatStream(words: words, delay: .milliseconds(2))), loops: 1,
            timeouts: TransferTimeouts(connect: .seconds(2)), resolver: names.resolver(),
            others: ["mute": .tcp(host: "mute.test", port: 80)])
        let stream = try await running.openStream()
        let isOver = Locked(false)
        async let refused = {
            defer { isOver.withLock { $0 = true } }
            return try await running.ask(RunningGateway.body(stream: false, model: "mute"))
        }()
        var arrivals: [UInt64] = []
        while !isOver.withLock({ $0 }), try await stream.nextEvent() != nil { arrivals.append(stream.lastArrival) }
        stream.close()
        let answer = try await refused
        #expect(answer.status == 502 && answer.text.contains("upstream_connect"))
        let lines = [await running.log.next(), await running.log.next()]
        #expect(lines.contains { $0.contains("timed out while looking up mute.test") })
        #expect(names.count("mute.test") == 1)
        // A loop that waited for the lookup would have delivered nothing until the deadline.
        #expect(arrivals.count > 20)
        let gap = zip(arrivals, arrivals.dropFirst()).map { Duration.between($0, $1) }.max() ?? .zero
        print("the longest gap of a stream next to a lookup without an end was \(gap), of \(arrivals.count) events")
        #expect(gap < .milliseconds(1900))
    }

    @Test func endlessLookupsDoNotDelayOtherNames() async throws {
        let mute = (0..<4).map { "mute\($0)" }
        let names = ScriptedNames(["api.test": ["127.0.0.1"]], mute: Set(mute.map { "\($0).test" }))
        let others = Dictionary(
            uniqueKeysWithValues: mute.map { ($0, BaseURL.Endpoint.tcp(host: "\($0).test", port: 80)) })
        let running = try RunningGateway(
            UpstreamScript(always: .chatCompletion("ok")), timeouts: TransferTimeouts(connect: .seconds(2)),
            endpoint: { .tcp(host: "api.test", port: $0) }, access: NamesTests.inner, resolver: names.resolver(),
            others: others)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for name in mute {
                group.addTask { try await running.ask(RunningGateway.body(stream: false, model: name)).status }
            }
            for _ in mute { try await names.nextMuteLookup() }
            #expect(try await running.ask().status == 200)
            for try await status in group { #expect(status == 502) }
        }
        withExtendedLifetime(names) {}
    }

    @Test func staleAddressServesDuringANameServerOutage() async throws {
        let names = ScriptedNames(["api.test": ["127.0.0.1"]])
        var limits = NameCacheLimits()
        limits.fresh = 0
        limits.failure = 0
        // Each request opens a new connection, and so looks in the cache.
        var response = ScriptedResponse.chatCompletion("ok")
        response.framing = .close
        let running = try running(names, response, limits: limits)
        #expect(try await running.ask().status == 200)
        names.forget("api.test")
        // Each failed refresh ends before the next one begins.
        var requests = 1
        while names.count("api.test") < 5, requests < 10_000 {
            #expect(try await running.ask().status == 200)
            requests += 1
        }
        #expect(names.count("api.test") >= 5)
        #expect(running.upstream.acceptedConnections == requests)
    }
}
