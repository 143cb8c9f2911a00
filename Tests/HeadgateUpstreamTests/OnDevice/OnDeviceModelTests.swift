import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateUpstream

/// An on-device model whose Python is a shell script.
@Suite(.timeLimit(.minutes(5))) struct OnDeviceModelTests {
    private func withModel(_ body: (OnDeviceModel) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let script = #"[ "$3" = install ] && exit; read key; echo "ready tools"; read end"#
        chmod(try folder.file("python3", "#!/bin/sh\n\(script)\n"), 0o700)
        let environment = ["PATH": folder.path, "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let model = try OnDeviceModel(
            file: nil, name: "m", loop: group.loops[0], environment: environment, key: "k"
        ) { _ in }
        let result: Result<Void, any Error>
        do { result = .success(try await body(model)) } catch { result = .failure(error) }
        await withCheckedContinuation { continuation in model.stop { continuation.resume() } }
        try result.get()
    }

    @Test func requestWaitsForTheModel() async throws {
        try await withModel { model in
            #expect(!model.enterAtOnce() && model.takesTools == nil && model.notReady.kind == .notReady)
            let request = Task { try await model.enter() }
            model.start()
            try await request.value
            #expect(model.enterAtOnce() && model.takesTools == true)
            try await model.enter()
        }
    }

    @Test func stoppedModelRefusesRequestsAndLeavesNoFolder() async throws {
        try await withModel { model in
            guard case .unix(let socket) = model.baseURL.endpoint else {
                Issue.record("no socket")
                return
            }
            let folder = String(socket.prefix(upTo: socket.lastIndex(of: "/") ?? socket.startIndex))
            #expect(access(folder, F_OK) == 0)
            let waiting = Task { try await model.enter() }
            await withCheckedContinuation { continuation in model.stop { continuation.resume() } }
            let stopped = TransportError(.unavailable, "the on-device model is being stopped")
            await #expect(throws: stopped) { try await waiting.value }
            await #expect(throws: stopped) { try await model.enter() }
            #expect(access(folder, F_OK) != 0)
        }
    }

    @Test func cancelledRequestEndsAtOnce() async throws {
        try await withModel { model in
            let request = Task { try await model.enter() }
            request.cancel()
            await #expect(throws: TransportError(.cancelled)) { try await request.value }
        }
    }
}
