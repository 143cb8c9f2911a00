import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives
import Testing

@testable import HeadgateUpstream

@Suite struct ChildProcessTests {
    /// Runs a shell script.
    ///
    /// - Parameter meanwhile: called with each line and the child.
    private func run(
        _ script: String, errorOutput: ChildProcess.ErrorOutput = .captured, environment: [String: String] = [:],
        meanwhile: @escaping @Sendable (String, ChildProcess) -> Void = { _, _ in }
    ) async throws -> (lines: [String], status: ProcessEnd) {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let loop = group.loops[0]
        let lines = Locked<[String]>([])
        let status: ProcessEnd = try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                final class Holder { var child: ChildProcess? }
                let holder = Holder()
                do {
                    holder.child = try ChildProcess(
                        loop: loop, arguments: ["/bin/sh", "-c", script], environment: environment,
                        errorOutput: errorOutput
                    ) { line in
                        lines.withLock { $0.append(line) }
                        if let child = holder.child { meanwhile(line, child) }
                    } exited: { status in
                        holder.child = nil
                        continuation.resume(returning: status)
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        return (lines.withLock { $0 }, status)
    }

    @Test func bothOutputsArriveLineByLineBeforeTheEnd() async throws {
        let (lines, status) = try await run("echo one; echo two >&2; printf three; exit 3")
        #expect(lines == ["one", "two", "three"])
        #expect(status.description == "exit status 3")
        #expect(!status.isSuccess)
    }

    @Test func largeOutputIsReadToItsEnd() async throws {
        let (lines, status) = try await run("i=0; while [ $i -lt 5000 ]; do echo \"line $i\"; i=$((i+1)); done")
        #expect(lines.count == 5000)
        #expect(lines.last == "line 4999")
        #expect(status.isSuccess)
    }

    @Test func lineIsCutAt4KiB() async throws {
        let (lines, _) = try await run("printf '%10000s\\n' x; echo short")
        #expect(lines.map { $0.utf8.count } == [4096, 5])
    }

    @Test func childHasOnlyTheGivenEnvironment() async throws {
        let (lines, _) = try await run("/usr/bin/env", environment: ["ONE": "1", "PATH": "/usr/bin"])
        #expect(Set(lines).isSuperset(of: ["ONE=1", "PATH=/usr/bin"]))
        #expect(lines.allSatisfy { ["ONE", "PATH", "PWD", "SHLVL", "_"].contains($0.split(separator: "=")[0]) })
    }

    @Test func unexecutableProgramIsReported() async throws {
        let (_, status) = try await run("exec /nonexistent/program")
        #expect(status.description == "exit status 127 (it cannot be executed)")
    }

    @Test func childIsTerminated() async throws {
        let (_, status) = try await run("echo up; exec sleep 1000") { _, child in child.terminate() }
        #expect(status.description == "signal \(SIGTERM)")
    }

    @Test func unresponsiveChildIsKilled() async throws {
        let (lines, status) = try await run("trap 'echo stays' TERM; echo up; while :; do :; done") {
            line, child in
            if line == "up" { child.terminate() }
            if line == "stays" { child.forceEnd() }
        }
        #expect(lines == ["up", "stays"])
        #expect(status.description == "signal \(SIGKILL)")
    }

    /// A descendant holds the pipe open, and would run for 1,000 seconds.
    @Test func descendantsEndWithTheChild() async throws {
        let (lines, status) = try await run("sleep 1000 & echo $!; exit 0")
        #expect(status.isSuccess)
        let descendant = try #require(pid_t(lines.first ?? ""))
        #expect(ends(descendant))
    }

    @Test func inputEndsWhenTheChildIsTerminated() async throws {
        let (lines, status) = try await run("trap '' TERM; echo up; cat; echo 'input ended'") { line, child in
            if line == "up" { child.terminate() }
        }
        #expect(lines == ["up", "input ended"])
        #expect(status.isSuccess)
    }

    /// Returns whether a killed process, which is reaped elsewhere, is gone or a zombie.
    private func ends(_ process: pid_t) -> Bool {
        for _ in 0..<10_000 {
            guard kill(process, 0) == 0 else { return true }
            if let state = stat(of: process), state.contains(") Z ") { return true }
            sched_yield()
        }
        return false
    }

    private func stat(of process: pid_t) -> String? {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
