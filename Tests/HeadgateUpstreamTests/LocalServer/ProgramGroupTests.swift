import HeadgateEventLoop
import HeadgateHTTP
import Testing

@testable import HeadgateUpstream

/// Programs of which only some can run at once.
@Suite(.timeLimit(.minutes(5))) struct ProgramGroupTests {
    private static let long: UInt64 = 600_000_000_000

    /// - Parameter body: gets a group of two programs.
    private func withGroup(
        max: Int = 1, queue: Int = 10, wait: UInt64 = long, drain: UInt64 = long, startsAtLaunch: Bool = false,
        _ body: (ProgramGroup, [LocalServer], [ServerEvents]) async throws -> Void
    ) async throws {
        let loops = EventLoopGroup(count: 1)
        defer { loops.stop() }
        let group = ProgramGroup(
            "g", ProgramGroup.Settings(max: max, queue: queue, wait: wait, drain: drain), on: loops.loops[0])
        let events = [ServerEvents(), ServerEvents()]
        let servers = events.map { events in
            LocalServer(
                loop: loops.loops[0],
                command: LocalServerCommand(
                    name: "local", arguments: ["sh", "-c", "exec sleep 1000"], startsAtLaunch: startsAtLaunch),
                environment: ["PATH": "/usr/bin:/bin"], group: group,
                check: { loop, completion in
                    let told = LoopBound(completion, on: loop)
                    loop.execute { told.value(true) }
                    return {}
                }, observer: { events.note($0) })
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(group, servers, events)) } catch { result = .failure(error) }
        for server in servers { await withCheckedContinuation { done in server.stop { done.resume() } } }
        try result.get()
    }

    /// Begins a request, and returns once it waits.
    private func waiting(for server: LocalServer, _ number: Int = 1) async -> Task<Void, any Error> {
        let request = Task { try await server.enter() }
        while server.report.waiting < number { await Task.yield() }
        return request
    }

    @Test func idleProgramMakesRoomForAnother() async throws {
        try await withGroup { _, servers, events in
            try await servers[0].enter()
            let request = await waiting(for: servers[1])
            #expect(servers[0].state == .ready && servers[1].state == .stopped)
            servers[0].leave()
            try await request.value
            #expect(servers[1].state == .ready && servers[1].report.waiting == 0 && servers[1].requestsInFlight == 1)
            #expect(servers[0].state == .stopped && events[0].all.last == .state(.stopped))
            servers[1].leave()
            try await servers[0].enter()
            #expect(servers[0].report.starts == 2 && servers[1].report.starts == 1)
        }
    }

    @Test func requestThatWaitsForTooLongIsRefused() async throws {
        try await withGroup(wait: 20_000_000) { _, servers, _ in
            try await servers[0].enter()
            let text = "other programs of the group 'g' were in use for 0 s, as long as a request may wait"
            await #expect(throws: TransportError(.busy, text)) { try await servers[1].enter() }
            #expect(servers[1].report.waiting == 0 && servers[0].state == .ready)
        }
    }

    @Test func fullQueueRefusesARequest() async throws {
        try await withGroup(queue: 2) { _, servers, _ in
            try await servers[0].enter()
            let requests = [await waiting(for: servers[1]), await waiting(for: servers[1], 2)]
            let text = "2 requests wait for programs of the group 'g' already, as many as may wait"
            await #expect(throws: TransportError(.busy, text)) { try await servers[1].enter() }
            requests[0].cancel()
            await #expect(throws: TransportError(.cancelled)) { try await requests[0].value }
            while servers[1].report.waiting == 2 { await Task.yield() }
            let other = await waiting(for: servers[1], 2)
            servers[0].leave()
            try await requests[1].value
            try await other.value
            #expect(servers[1].requestsInFlight == 2)
        }
    }

    @Test func changedLimitsApplyToWaitingRequests() async throws {
        try await withGroup(drain: 1_000_000) { group, servers, events in
            try await servers[0].enter()
            let request = await waiting(for: servers[1])
            group.adopt(ProgramGroup.Settings(max: 2, queue: 10, wait: Self.long, drain: 1_000_000))
            try await request.value
            #expect(servers[0].state == .ready && servers[1].state == .ready)
            // No program is idle, so that one of them is stopped in spite of its request.
            servers[0].leave()
            try await servers[0].enter()
            group.adopt(ProgramGroup.Settings(max: 1, queue: 10, wait: Self.long, drain: 1_000_000))
            await events[1].wait(for: .state(.stopped))
            #expect(servers[0].state == .ready)
        }
    }

    @Test func onlyAsManyProgramsStartWithTheGatewayAsFit() async throws {
        try await withGroup(startsAtLaunch: true) { _, servers, events in
            for server in servers { server.launch() }
            await events[0].wait(for: .state(.ready))
            #expect(servers[1].state == .stopped && events[1].all.isEmpty)
        }
    }

    @Test func unloadedProgramMakesRoom() async throws {
        try await withGroup { _, servers, events in
            try await servers[0].enter()
            servers[0].unload()
            while servers[0].state != .stopping { await Task.yield() }
            let request = await waiting(for: servers[1])
            servers[0].leave()
            try await request.value
            #expect(servers[0].state == .stopped)
        }
    }
}
