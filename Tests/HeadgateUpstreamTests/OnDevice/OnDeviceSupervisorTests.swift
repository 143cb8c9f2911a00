import HeadgateEventLoop
import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateUpstream

@Suite(.timeLimit(.minutes(10))) struct OnDeviceSupervisorTests {
    /// Returns the first states that a supervisor reports.
    ///
    /// - Parameter script: shell script that stands in for Python. Its third argument is `install` or `serve`.
    private func states(
        _ count: Int, of script: String, file: String? = nil, _ variables: [String: String] = [:]
    ) async throws -> [OnDeviceState] {
        let folder = try TemporaryFolder()
        if !script.isEmpty { chmod(try folder.file("python3", "#!/bin/sh\n\(script)\n"), 0o700) }
        let environment = ["PATH": folder.path, "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
            .merging(variables) { $1 }
        let folders = try OnDeviceFolders(environment: environment)
        defer { folders.removeRuntime() }
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let loop = group.loops[0]
        return await Task(executorPreference: loop) {
            let (reported, report) = AsyncStream.makeStream(of: OnDeviceState.self)
            let supervisor = OnDeviceSupervisor(
                file: file, name: "m", loop: loop, folders: folders, environment: environment, key: "k"
            ) { report.yield($0) }
            supervisor.start()
            var states: [OnDeviceState] = []
            for await state in reported.prefix(count) { states.append(state) }
            await withUnsafeContinuation { continuation in supervisor.stop { continuation.resume() } }
            return states
        }.value
    }

    @Test func serverThatEndsIsRestarted() async throws {
        // The installation succeeds, and each server reads its key, is ready and ends.
        let states = try await states(3, of: #"[ "$3" = install ] || { read key; echo ready; }"#)
        #expect(states == [.ready(takesTools: false), .restarting, .ready(takesTools: false)])
    }

    @Test func progressOfTheInstallationAndToolsAreReported() async throws {
        let states = try await states(
            2,
            of: """
                if [ "$3" = install ]; then echo "progress 40 %"; echo "progress"; echo done; exit; fi
                read key; echo "ready tools"; read end
                """)
        #expect(states == [.starting("40 %"), .ready(takesTools: true)])
    }

    @Test(arguments: [(nil, nil, ""), ("/a.gguf", "0", " --model /a.gguf"), (nil, "", ""), (nil, "1", " --log")])
    func serverGetsItsNameFileAndKey(_ file: String?, _ log: String?, _ more: String) async throws {
        let states = try await states(
            1,
            of: """
                [ "$3" = install ] && exit
                shift 7; read key; echo "progress $* $key"; read end
                """, file: file, log.map { ["HEADGATE_ON_DEVICE_LOG": $0] } ?? [:])
        #expect(states == [.starting("--alias m\(more) k")])
    }

    @Test(arguments: [
        ("echo error no space; exit 1", "no space"), ("exit 1", "the on-device model could not be installed"),
        ("", "python3 is not installed: the on-device model needs Python 3.10 or newer with pip"),
    ])
    func failedInstallationIsFinal(_ script: String, _ reason: String) async throws {
        #expect(try await states(1, of: script) == [.failed(reason)])
    }
}
