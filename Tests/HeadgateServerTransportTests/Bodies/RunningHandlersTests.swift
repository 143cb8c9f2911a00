import HeadgateTesting
import Testing

@testable import HeadgateServerTransport

@Suite struct RunningHandlersTests {
    @Test func waitEndsAtOnceWithoutHandlers() async {
        let handlers = RunningHandlers()
        handlers.begin()
        handlers.end()
        await handlers.finish(within: .seconds(3600))
    }

    @Test func lastHandlerIsAwaited() async throws {
        let handlers = RunningHandlers()
        for _ in 0..<100 { handlers.begin() }
        let happened = Mailbox<String>()
        let finish = Task {
            await handlers.finish(within: .seconds(3600))
            happened.post("over")
        }
        await withTaskGroup { group in
            for _ in 0..<99 { group.addTask { handlers.end() } }
        }
        happened.post("last")
        handlers.end()
        #expect(try await happened.next(timeout: .seconds(600), "the last one") == "last")
        #expect(try await happened.next(timeout: .seconds(600), "the end") == "over")
        await finish.value
    }

    @Test func lastHandlerCanEndWhileAWaitBegins() async {
        for _ in 0..<500 {
            let handlers = RunningHandlers()
            handlers.begin()
            async let end: Void = handlers.end()
            await handlers.finish(within: .seconds(3600))
            await end
        }
    }

    /// The wait is bounded even if the time has passed before it begins.
    @Test(arguments: [Duration.zero, .milliseconds(1)])
    func waitForAnEndlessHandlerIsBounded(grace: Duration) async {
        for _ in 0..<10 {
            let handlers = RunningHandlers()
            handlers.begin()
            await handlers.finish(within: grace)
        }
    }
}
