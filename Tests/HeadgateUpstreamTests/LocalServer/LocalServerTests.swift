import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import Testing

@testable import HeadgateUpstream

@Suite struct LocalServerTests {
    private static let serving = "echo up; exec sleep 1000"

    @Test func firstRequestStartsTheProgramAndWaitsForItsHealth() async throws {
        let health = ScriptedHealth(true, badAnswers: 2)
        try await withServer(LocalServerTests.serving, health: health) { server, events, _ in
            #expect(server.state == .stopped)
            try await server.enter()
            #expect(server.state == .ready)
            #expect(health.questions == 3)
            try await server.enter()
            #expect(server.requestsInFlight == 2)
            await events.wait(for: .output("up"))
            #expect(events.all.first == .state(.starting))
            server.leave()
            server.leave()
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test func requestsThatWaitTogetherStartOneProgram() async throws {
        try await withServer(LocalServerTests.serving) { server, events, _ in
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await server.enter() } }
                try await group.waitForAll()
            }
            #expect(server.requestsInFlight == 50)
            await events.wait(for: .output("up"))
            #expect(events.lines == ["up"])
        }
    }

    @Test func launchedProgramNeedsNoRequest() async throws {
        try await withServer(LocalServerTests.serving, startsAtLaunch: true) { server, events, _ in
            server.launch()
            await events.wait(for: .state(.ready))
        }
    }

    @Test func otherProgramsWaitForARequest() async throws {
        try await withServer(LocalServerTests.serving) { server, events, group in
            server.launch()
            await withCheckedContinuation { continuation in group.loops[0].execute { continuation.resume() } }
            #expect(server.state == .stopped && events.all.isEmpty)
        }
    }

    @Test func unloadedProgramStopsOnceItsRequestsHaveEnded() async throws {
        try await withServer(LocalServerTests.serving) { server, events, _ in
            for _ in 0..<2 { try await server.enter() }
            server.unload()
            while server.state != .stopping { await Task.yield() }
            let isAdmitted = server.enterAtOnce()
            #expect(!isAdmitted)
            server.leave()
            server.unload()
            #expect(server.state == .stopping)
            server.leave()
            await events.wait(for: .state(.stopped))
            try await server.enter()
            #expect(server.report.starts == 2 && server.state == .ready)
        }
    }

    @Test func latestLinesAreReported() async throws {
        let script = "i=1; while [ $i -le 25 ]; do echo $i; i=$((i+1)); done; exec sleep 1000"
        try await withServer(script) { server, events, _ in
            try await server.enter()
            await events.wait(for: .output("25"))
            #expect(server.report.output == (6...25).map { "\($0)" })
            #expect(server.report.starts == 1 && server.report.waiting == 0)
        }
    }

    @Test func programGetsItsVariablesAndNoKeyOfOurs() async throws {
        let environment = ["PATH": "/usr/bin:/bin", "LANG": "C", "OPENAI_API_KEY": "sk-ours"]
        try await withServer(
            "env; echo up; exec sleep 1000", variables: ["TOKEN": "theirs", "LANG": "C.UTF-8"], environment: environment
        ) { server, events, _ in
            try await server.enter()
            await events.wait(for: .output("up"))
            #expect(Set(events.lines).isSuperset(of: ["TOKEN=theirs", "LANG=C.UTF-8", "PATH=/usr/bin:/bin"]))
            #expect(!events.lines.contains { $0.contains("sk-ours") })
        }
    }

    @Test func idleProgramIsStoppedAndTheNextRequestStartsItAgain() async throws {
        try await withServer(LocalServerTests.serving, idleStop: .milliseconds(1)) { server, events, _ in
            try await server.enter()
            await events.wait(for: .output("up"))
            #expect(server.state == .ready, "a request is in flight")
            server.leave()
            await events.wait(for: .state(.stopped))
            try await server.enter()
            #expect(server.state == .ready)
            await events.wait(for: .output("up"), times: 2)
            server.leave()
        }
    }

    @Test func requestWhileItIsBeingStoppedWaitsForTheNextStart() async throws {
        let script = "trap 'echo stopping; sleep 0.05; exit 0' TERM; echo up; while :; do sleep 0.01; done"
        try await withServer(script, idleStop: .milliseconds(1)) { server, events, _ in
            try await server.enter()
            await events.wait(for: .output("up"))
            server.leave()
            await events.wait(for: .output("stopping"))
            try await server.enter()
            await events.wait(for: .output("up"), times: 2)
            server.leave()
        }
    }

    @Test func programThatEndsBeforeItIsReadyRefusesWaitingRequests() async throws {
        let reason =
            "the program of the upstream 'local' ended with exit status 3 before it was ready; its output is in the gateway's log"
        try await withServer("echo no model >&2; exit 3", health: .bad) { server, events, _ in
            await #expect(throws: TransportError(.unavailable, reason)) { try await server.enter() }
            #expect(server.state == .failed(reason))
            #expect(events.lines == ["no model"])
            await #expect(throws: TransportError(.unavailable, reason)) { try await server.enter() }
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test func unhealthyProgramIsEndedAtItsTimeout() async throws {
        let reason = "the program of the upstream 'local' was not ready within 0 s; its output is in the gateway's log"
        try await withServer(
            LocalServerTests.serving, startTimeout: .milliseconds(200), health: .bad
        ) { server, events, _ in
            await #expect(throws: TransportError(.unavailable, reason)) { try await server.enter() }
            await events.wait(for: .state(.failed(reason)))
        }
    }

    @Test func missingProgramIsNamed() async throws {
        let path = ["PATH": "/nonexistent"]
        try await withServer("", environment: path) { server, _, _ in
            let reason =
                "the program of the upstream 'local' could not be started: 'sh' is not in PATH: write its whole path"
            await #expect(throws: TransportError(.unavailable, reason)) { try await server.enter() }
        }
    }

    @Test func programThatExitsIsRestarted() async throws {
        try await withServer("echo $$; exec sleep 1000") { server, events, _ in
            try await server.enter()
            await events.wait { $0.contains { if case .output = $0 { true } else { false } } }
            kill(try #require(pid_t(events.lines.first ?? "")), SIGKILL)
            await events.wait(for: .state(.failed("the program of the upstream 'local' ended with signal 9")))
            await events.wait(for: .state(.ready), times: 2)
            #expect(server.requestsInFlight == 1, "the one that was cut off has not left yet")
            try await server.enter()
        }
    }

    @Test func requestCancelledWhileWaitingDoesNotCount() async throws {
        let health = ScriptedHealth(false)
        try await withServer(LocalServerTests.serving, health: health) { server, events, _ in
            let task = Task { try await server.enter() }
            await events.wait(for: .state(.starting))
            task.cancel()
            await #expect(throws: TransportError(.cancelled)) { try await task.value }
            health.recover()
            await events.wait(for: .state(.ready))
            #expect(server.requestsInFlight == 0)
        }
    }

    @Test func requestCancelledAtItsAdmissionDoesNotCount() async throws {
        let health = ScriptedHealth(false)
        try await withServer(LocalServerTests.serving, health: health) { server, events, _ in
            let task = Task { try await server.enter() }
            await events.wait(for: .state(.starting))
            health.recover { task.cancel() }
            await #expect(throws: TransportError(.cancelled)) { try await task.value }
            await events.wait(for: .state(.ready))
            try await server.enter()
            #expect(server.requestsInFlight == 1)
        }
    }

    @Test func requestCancelledBeforeWaitingStartsNothing() async throws {
        try await withServer(LocalServerTests.serving) { server, events, group in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await server.enter()
            }
            await #expect(throws: TransportError(.cancelled)) { try await task.value }
            await withCheckedContinuation { continuation in group.loops[0].execute { continuation.resume() } }
            #expect(server.state == .stopped)
            #expect(events.all.isEmpty)
        }
    }

    @Test func stoppedServerIsGoneAndStartsNoMore() async throws {
        try await withServer("echo $$; exec sleep 1000") { server, events, _ in
            try await server.enter()
            await events.wait { $0.contains { if case .output = $0 { true } else { false } } }
            let process = try #require(pid_t(events.lines.first ?? ""))
            await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
            #expect(kill(process, 0) == -1 && errno == ESRCH)
            #expect(server.state == .stopped)
            await #expect(throws: TransportError.self) { try await server.enter() }
        }
    }

    @Test func floodOfLinesIsTruncatedAndCounted() async throws {
        let script = "i=0; while [ $i -lt 20000 ]; do echo \"line $i\"; i=$((i+1)); done; exit 1"
        try await withServer(script, health: .bad) { server, events, _ in
            await #expect(throws: TransportError.self) { try await server.enter() }
            await events.wait { $0.contains { if case .state(.failed) = $0 { true } else { false } } }
            let leftOut = events.all.reduce(0) { if case .outputLeftOut(let count) = $1 { $0 + count } else { $0 } }
            #expect(leftOut > 0)
            #expect(events.lines.count + leftOut == 20_000)
        }
    }
}
