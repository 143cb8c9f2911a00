import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateOpenAPI
import HeadgatePrimitives
import HeadgateServerTransport
import HeadgateTesting
import Testing

/// Handlers during the shutdown of their server.
@Suite struct ShutdownTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Waits until the task is cancelled.
    private static func sleep() async {
        do { try await Task.sleep(for: .seconds(3600)) } catch { return }
    }

    /// A gate that only the test opens; cancellation of a waiting task does not.
    private struct Gate: Sendable {
        let opened: AsyncStream<Void>
        let opener: AsyncStream<Void>.Continuation

        init() { (opened, opener) = AsyncStream.makeStream() }

        func open() { opener.finish() }

        func pass() async {
            // The wait is not in the caller's task, whose cancellation would open the gate.
            await Task { [opened] in for await _ in opened {} }.value
        }
    }

    @Test func handlerOfADepartedClientCleansUpFirst() async throws {
        let happened = Mailbox<String>()
        let gate = Gate()
        let isClean = Locked(false)
        let handler: OperationHandler = { _, _, _ in
            happened.post("begun")
            await Self.sleep()
            happened.post("cancelled")
            await gate.pass()
            isClean.withLock { $0 = true }
            throw CancellationError()
        }
        try await ServedHandlers.run([(.get, "/", handler)]) { served in
            let connection = try await served.client.raw(port: served.port, Self.request)
            #expect(try await happened.next(timeout: .seconds(600), "the handler") == "begun")
            connection.close()
            #expect(try await happened.next(timeout: .seconds(600), "its cancellation") == "cancelled")
            async let end: Void = served.server.shutDown()
            // The server has closed its listener by then.
            try await until { await !Self.connects(served) }
            gate.open()
            await end
            let hasEnded = isClean.withLock { $0 }
            #expect(hasEnded)
        }
    }

    private static func connects(_ served: ServedHandlers) async -> Bool {
        guard let connection = try? await served.client.connect(port: served.port) else { return false }
        connection.close()
        return true
    }

    @Test func handlerInFlightIsCancelledAfterTheDrainTimeoutAndCleansUp() async throws {
        let happened = Mailbox<String>()
        let isClean = Locked(false)
        let handler: OperationHandler = { _, _, _ in
            happened.post("begun")
            await Self.sleep()
            await Task { try? await Task.sleep(for: .milliseconds(1)) }.value
            isClean.withLock { $0 = true }
            throw CancellationError()
        }
        try await ServedHandlers.run([(.get, "/", handler)]) { served in
            async let response = served.client.request("GET", "/", port: served.port)
            #expect(try await happened.next(timeout: .seconds(600), "the handler") == "begun")
            await served.server.shutDown()
            let hasEnded = isClean.withLock { $0 }
            #expect(hasEnded)
            let status = try await response.status
            #expect(status == 503)
        }
    }

    @Test func handlerInFlightIsAwaitedUpToTheDrainTimeout() async throws {
        let happened = Mailbox<String>()
        let gate = Gate()
        let handler: OperationHandler = { _, _, _ in
            happened.post("begun")
            await gate.pass()
            return (HTTPResponse(status: .ok), HTTPBody(Task.isCancelled ? "cancelled" : "whole"))
        }
        let configure: (inout LibeventServer.Options) -> Void = { $0.drainTimeout = .seconds(600) }
        try await ServedHandlers.run([(.get, "/", handler)], configure: configure) { served in
            async let response = served.client.request("GET", "/", port: served.port)
            #expect(try await happened.next(timeout: .seconds(600), "the handler") == "begun")
            async let end: Void = served.server.shutDown()
            try await until { await !Self.connects(served) }
            gate.open()
            let text = try await response.text
            #expect(text == "whole")
            await end
        }
    }

    /// A gate that stays shut. The loop of a handler that is left behind is gone, so the handler can never continue.
    private static let shut = Gate()

    @Test func handlerIgnoringItsCancellationIsLeftBehind() async throws {
        let happened = Mailbox<String>()
        let handler: OperationHandler = { _, _, _ in
            happened.post("begun")
            await Self.shut.pass()
            return (HTTPResponse(status: .ok), nil)
        }
        let configure: (inout LibeventServer.Options) -> Void = { $0.handlerTimeout = .milliseconds(10) }
        try await ServedHandlers.run([(.get, "/", handler)], configure: configure) { served in
            let connection = try await served.client.raw(port: served.port, Self.request)
            #expect(try await happened.next(timeout: .seconds(600), "the handler") == "begun")
            // The shutdown ends although a handler has not ended.
            await served.server.shutDown()
            connection.close()
        }
    }

    @Test func sequenceOfAResponseEndsBeforeItsServer() async throws {
        let happened = Mailbox<String>()
        let isClean = Locked(false)
        let pieces = AsyncStream<[UInt8]>(unfolding: {
            happened.post("asked")
            await Self.sleep()
            await Task { try? await Task.sleep(for: .milliseconds(1)) }.value
            isClean.withLock { $0 = true }
            return nil
        })
        let handler: OperationHandler = { _, _, _ in (HTTPResponse(status: .ok), HTTPBody(pieces)) }
        try await ServedHandlers.run([(.get, "/", handler)]) { served in
            let connection = try await served.client.raw(port: served.port, Self.request)
            #expect(try await happened.next(timeout: .seconds(600), "the sequence") == "asked")
            await served.server.shutDown()
            let hasEnded = isClean.withLock { $0 }
            #expect(hasEnded)
            connection.close()
        }
    }
}
