import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct CollectedBodyTests {
    private func collect(limit: Int = 100, _ play: @escaping (ManualBody) -> Void) async -> (
        Result<String, any Error>, [String]
    ) {
        let source = ManualBody()
        source.onStart = { [unowned source] in play(source) }
        do {
            let bytes = try await waitInTask {
                HTTPBody.stream(source).collect(upTo: limit, completion: $0)
            }
            return (.success(String(decoding: bytes, as: UTF8.self)), source.calls)
        } catch {
            return (.failure(error), source.calls)
        }
    }

    @Test func wholeBodyIsCollected() async throws {
        let (result, calls) = await collect { source in
            source.send("ab")
            source.send("c")
            source.finish()
        }
        #expect(try result.get() == "abc")
        #expect(calls == ["start"])
        #expect(try await waitInTask { HTTPBody.bytes([1]).collect(upTo: 1, completion: $0) } == [1])
    }

    @Test func bodyAboveItsLimitIsCancelled() async {
        let (result, calls) = await collect(limit: 2) { source in
            source.send("ab")
            source.send("c")
            source.send("d")
        }
        #expect(throws: HTTPSyntaxError.bodyTooLarge(limit: 2)) { try result.get() }
        #expect(calls == ["start", "cancel"])
    }

    @Test func brokenBodyIsThrown() async {
        let (result, _) = await collect { source in
            source.send("ab")
            source.fail(.truncatedBody)
        }
        #expect(throws: TransportError(.truncatedBody)) { try result.get() }
    }

    @Test func disconnectEndsTheWaitAndTheUpstream() async {
        let task = Task {
            await collect { source in
                source.send("ab")
                withUnsafeCurrentTask { $0?.cancel() }
                source.send("c")
            }
        }
        let (result, calls) = await task.value
        #expect(throws: TransportError(.cancelled)) { try result.get() }
        #expect(calls == ["start", "cancel"])
    }

    @Test func departedClientCancelsTheUpstream() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await collect { _ in }
        }
        let (result, calls) = await task.value
        #expect(throws: TransportError(.cancelled)) { try result.get() }
        #expect(calls == ["start", "cancel"])
    }

    @Test func leavingAfterTheEndChangesNothing() async throws {
        let task = Task {
            await collect { source in
                source.send("ab")
                source.finish()
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let (result, calls) = await task.value
        #expect(try result.get() == "ab")
        #expect(calls == ["start"])
    }
}
