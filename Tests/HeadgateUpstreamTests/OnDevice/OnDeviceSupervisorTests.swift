import HeadgateEventLoop
import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateUpstream

@Suite(.timeLimit(.minutes(10))) struct OnDeviceSupervisorTests {
    @Test func serverThatEndsIsRestarted() async throws {
        let folder = try TemporaryFolder()
        // Stands in for Python: the installation succeeds, and each server reads its key, is ready and ends.
        let python = try folder.file("python3", "#!/bin/sh\n[ \"$3\" = install ] || { read key; echo ready; }\n")
        chmod(python, 0o700)
        let environment = ["PATH": folder.path, "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        let folders = try OnDeviceFolders(environment: environment)
        defer { folders.removeRuntime() }
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let loop = group.loops[0]
        let states = await Task(executorPreference: loop) {
            let (reported, report) = AsyncStream.makeStream(of: OnDeviceState.self)
            let supervisor = OnDeviceSupervisor(
                file: nil, name: "m", loop: loop, folders: folders, environment: environment, key: "k"
            ) { report.yield($0) }
            supervisor.start()
            var states: [OnDeviceState] = []
            for await state in reported.prefix(3) { states.append(state) }
            await withUnsafeContinuation { continuation in supervisor.stop { continuation.resume() } }
            return states
        }.value
        #expect(states == [.ready(takesTools: false), .restarting, .ready(takesTools: false)])
    }
}
