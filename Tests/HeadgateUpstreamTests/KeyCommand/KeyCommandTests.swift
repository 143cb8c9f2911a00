import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateUpstream

/// Key commands as programs, and requests that wait for them.
@Suite struct KeyCommandTests {
    /// Runs the body with a command that is a shell script, and then ends the command.
    private func withCommand(
        _ script: String, every: Duration? = nil, timeout: Duration = .seconds(60), variables: [String: String] = [:],
        environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        _ body: (KeyCommand, EventLoop) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 2)
        defer { group.stop() }
        let configuration = KeyCommandConfiguration(
            arguments: ["sh", "-c", script],
            environment: variables.map { CommandConfiguration.Variable(name: $0.key, value: Secret($0.value)) },
            every: every, timeout: timeout)
        let command = KeyCommand(configuration, of: "up", loop: group.loops[0], environment: environment) { _ in }
        let result: Result<Void, any Error>
        do { result = .success(try await body(command, group.loops[1])) } catch { result = .failure(error) }
        await withCheckedContinuation { continuation in command.stop { continuation.resume() } }
        try result.get()
    }

    /// Waits for a key as a request does.
    private func key(
        of command: KeyCommand, on loop: EventLoop, insteadOf refused: Int? = nil
    ) async throws -> (text: String, number: Int) {
        let key = try await Task(executorPreference: loop) {
            try await waitInTask { completion in
                command.wait(insteadOf: refused) { completion($0.mapError { $0 }) }
            } as NumberedKey
        }.value
        return (key.issued.value.reveal(), key.number)
    }

    private func fault(of script: String, timeout: Duration = .seconds(60)) async throws -> String {
        var detail = ""
        try await withCommand(script, timeout: timeout) { command, loop in
            let error = await #expect(throws: TransportError.self) { try await key(of: command, on: loop) }
            #expect(error?.kind == .noKey)
            detail = error?.detail ?? ""
            #expect(command.known.isEmpty)
            #expect(command.status.hasPrefix("no key: the command "))
        }
        return detail.replacing("the key command of the upstream 'up' ", with: "")
    }

    @Test func requestGetsTheProgramsOutput() async throws {
        try await withCommand("echo ya29.key") { command, loop in
            let found = try await key(of: command, on: loop)
            #expect(found.text == "ya29.key")
            #expect(command.current()?.number == found.number)
            #expect(!command.isAwaited)
            #expect(command.status == "ready")
        }
    }

    @Test(.timeLimit(.minutes(1))) func statusSaysWhetherTheProgramRuns() async throws {
        try await withCommand("sleep 1000") { command, _ in
            #expect(command.status == "the command has not run")
            command.launch()
            while command.status == "the command has not run" { await Task.yield() }
            #expect(command.status == "the command has not finished yet" && command.current() == nil)
        }
    }

    @Test func failureKeepsTheEarlierKey() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("key", "first\n")
        try await withCommand("cat \(file) 2>/dev/null && rm \(file)") { command, loop in
            let first = try await key(of: command, on: loop)
            let again = try await key(of: command, on: loop, insteadOf: first.number)
            #expect(again.text == "first" && again.number == first.number)
            #expect(command.status == "earlier key: the command ended with exit status 1")
        }
    }

    @Test func commandThatARequestWaitsForIsAwaited() async throws {
        try await withCommand("sleep 1000") { command, loop in
            await Task(executorPreference: loop) {
                let waiter = command.wait { _ in }
                #expect(command.isAwaited)
                waiter.cancel()
                #expect(!command.isAwaited)
            }.value
        }
    }

    @Test(arguments: [
        ("exit 3", "ended with exit status 3"), ("echo key; exit 1", "ended with exit status 1"),
        ("kill -9 $$", "ended with signal 9"), ("", IssuedKey.Fault.empty.rawValue),
        ("echo one; echo two", IssuedKey.Fault.severalLines.rawValue),
        ("head -c 5000 /dev/urandom | tr '\\n' x", IssuedKey.Fault.notAKey.rawValue),
        ("head -c 1048576 /dev/zero | tr '\\0' k", "printed more than 64 KiB"),
        ("printf '{\"token\":\"hunter2\",\"expires_at\":1}'", "printed a key that has expired"),
        ("exec /nonexistent", "ended with exit status 127 (it cannot be executed)"),
    ])
    func failureIsReported(_ script: String, _ fault: String) async throws {
        #expect(try await self.fault(of: script) == fault)
    }

    @Test(arguments: ["sleep 1000", "trap '' TERM; echo hunter2; while :; do sleep 1000; done"])
    func hangingProgramIsEnded(_ script: String) async throws {
        #expect(try await fault(of: script, timeout: .milliseconds(200)) == "did not end within 200 ms")
    }

    @Test func programGetsFewVariablesAndNoInput() async throws {
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": "/h", "LANG": "C", "XDG_RUNTIME_DIR": "/x", "OPENAI_API_KEY": "hunter2",
            "USER": "u",
        ]
        let script = "cat; env | cut -d= -f1 | grep -v -e PWD -e SHLVL -e '^_$' | sort | tr '\\n' ,"
        try await withCommand(script, variables: ["VAULT_ADDR": "a"], environment: environment) { command, loop in
            let printed = try await key(of: command, on: loop).text
            #expect(printed == "HOME,LANG,PATH,VAULT_ADDR,XDG_RUNTIME_DIR,")
        }
    }

    @Test func standardErrorIsNotPartOfTheKey() async throws {
        try await withCommand("echo 'you are logged in' >&2; echo key") { command, loop in
            let printed = try await key(of: command, on: loop).text
            #expect(printed == "key")
        }
    }

    @Test func refusedKeyIsReplacedAndStaysKnown() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("key", "first\n")
        try await withCommand("cat \(file)") { command, loop in
            let first = try await key(of: command, on: loop)
            _ = try folder.file("key", "second\n")
            let second = try await key(of: command, on: loop, insteadOf: first.number)
            #expect(second.text == "second" && second.number != first.number)
            #expect(command.known == [Secret("second"), Secret("first")])
        }
    }

    @Test func cancelledRequestEndsAtOnce() async throws {
        try await withCommand("exec sleep 1000") { command, loop in
            let kinds = await Task(executorPreference: loop) {
                var kinds: [TransportError.Kind] = []
                let waiting = command.wait { if case .failure(let error) = $0 { kinds.append(error.kind) } }
                waiting.cancel()
                waiting.cancel()
                return kinds
            }.value
            #expect(kinds == [.cancelled])
        }
    }

    @Test func stoppingEndsTheProgramAndItsRequests() async throws {
        try await withCommand("exec sleep 1000") { command, loop in
            command.launch()
            let waiting = Task { try await key(of: command, on: loop) }
            // The stop comes before or after the request, which ends in both cases.
            await withCheckedContinuation { continuation in command.stop { continuation.resume() } }
            let error = await #expect(throws: TransportError.self) { try await waiting.value }
            #expect(error?.kind == .noKey)
        }
    }
}
