import HeadgateTesting
import Testing

@Suite struct ConcurrencyTests {
    @Test(.timeLimit(.minutes(10))) func thousandPacedStreamsArriveCompleteAndInOrder() async throws {
        let words = (0..<20).map { "w\($0) " }
        let running = try RunningGateway(
            UpstreamScript(always: .chatStream(words: words, delay: .milliseconds(40))))
        let expected = words.map { #""content":"\#($0)""# }
        let complete = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    let events = try await running.openStream().readEvents(timeout: .seconds(60))
                    let contents = events.filter { $0.contains(#""content":"w"#) }
                    return events.last == "[DONE]" && contents.count == words.count
                        && zip(contents, expected).allSatisfy { $0.contains($1) }
                }
            }
            var complete = 0
            for try await isComplete in group where isComplete { complete += 1 }
            return complete
        }
        #expect(complete == 1000)
    }
}
