import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import Testing

@testable import HeadgateStores

/// Requests to a store that is busy with another one.
struct StoreConcurrencyTests {
    private let scratch = Scratch()

    @Test(arguments: [ConversationQuestion.turn(.all), .addition([.said("x")], until: 10), .itemDeletion("a")])
    func aTurnBlocksOthersUntilItIsWritten(_ question: ConversationQuestion) async throws {
        let store = try scratch.store()
        try await store.make("c", [.said("a")])
        let (turn, _) = try #require(await store.turn(in: "c"))
        let work = try await HeldWork(store)
        let answer = store.asked(question, about: "c")
        store.end(turn, adding: { [.said("b")] }, keeping: .turn("r"), octets: 0, until: 10)
        work.goOn()
        guard case .busy = try await answer.value else {
            Issue.record("the turn was overtaken")
            return
        }
        #expect(try await store.find("r") != nil)
        #expect(try await store.turn(in: "c")?.1.map(\.id) == ["a", "b"])
        #expect(store.health.lost == 0)
    }

    @Test func requestsAfterATurnAreNotBlocked() async throws {
        let store = try scratch.store()
        try await store.make("c", [])
        let (turn, _) = try #require(await store.turn(in: "c"))
        let work = try await HeldWork(store)
        store.end(turn, adding: { [.said("a")] }, keeping: nil, octets: 0, until: 10)
        let answer = store.asked(.addition([.said("b")], until: 10), about: "c")
        work.goOn()
        guard case .items = try await answer.value else {
            Issue.record("nothing was added")
            return
        }
        #expect(try await store.turn(in: "c")?.1.map(\.id) == ["a", "b"])
    }

    @Test func turnsAndAdditionsAtOnceLoseNothing() async throws {
        let store = try scratch.store()
        for conversation in 0..<4 { try await store.make("c\(conversation)", []) }
        let kept = try await withThrowingTaskGroup(of: [String].self) { group in
            for client in 0..<24 {
                group.addTask {
                    var kept: [String] = []
                    for round in 0..<40 {
                        let (id, conversation) = ("\(client)-\(round)", "c\(client % 4)")
                        if client % 3 == 2 {
                            _ = try await store.ask(.addition([.said(id)], until: 10), conversation)
                        } else if let (turn, _) = try await store.turn(in: conversation) {
                            store.end(turn, adding: { [.said(id)] }, keeping: .turn(id), octets: 0, until: 10)
                            kept.append(id)
                        }
                    }
                    return kept
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(!kept.isEmpty)
        for id in kept { #expect(try await store.find(id) != nil, "\(id)") }
        #expect(store.health == ResponseStoreHealth())
    }

    @Test func anUnwritableTurnIsOver() async throws {
        let store = try scratch.store(mostPages: 30)
        try await store.make("c", [])
        let (turn, _) = try #require(await store.turn(in: "c"))
        let long = LocalResponse.turn("r", document: String(repeating: "x", count: 200_000))
        store.end(turn, adding: { [.said("a")] }, keeping: long, octets: 0, until: 10)
        #expect(try await store.turn(in: "c")?.1.isEmpty == true)
        #expect(store.health.lost == 1)
    }

    @Test func cancelledWorkIsSkipped() async throws {
        let store = try scratch.store()
        store.keep(.turn("r"), until: 10)
        try await store.make("c", [.said("a")])
        let work = try await HeldWork(store)
        let interest = StoreInterest()
        let answers: [Answer<ConversationAnswer>] = [
            store.asked(.addition([.said("b")], until: 10), about: "c", for: interest),
            store.asked(.creation(.made("d"), [], until: 10), about: "d", for: interest),
            store.asked(.deletion, about: "c", for: interest),
        ]
        let removal = Answer<Bool> { store.remove("r", of: nil, at: 0, for: interest, completion: $0) }
        interest.end()
        work.goOn()
        for answer in answers { await #expect(throws: ResponseStoreFailure()) { try await answer.value } }
        await #expect(throws: ResponseStoreFailure()) { try await removal.value }
        #expect(try await store.turn(in: "c")?.1.map(\.id) == ["a"])
        #expect(try await store.conversation("d") == nil)
        #expect(try await store.find("r") != nil)
        #expect(store.health == ResponseStoreHealth())
    }

    @Test func aWrittenConversationEndsTheReportedOutage() async throws {
        let store = try scratch.store(mostPages: 30)
        store.keep(.turn("long", document: String(repeating: "x", count: 200_000)), until: 10)
        #expect(try await store.find("long") == nil)
        #expect(!store.health.isWorking)
        try await store.make("c", [])
        #expect(store.health.isWorking)
    }

    @Test func waitingRequestsAreCounted() async throws {
        let large = [UInt8](repeating: 0x20, count: 1_000)
        let items = [ConversationItem(id: "i", members: large)]
        var other = Conversation.made("d")
        other.metadata = large
        for question in [
            ConversationQuestion.metadata(large, until: 10), .addition(items, until: 10),
            .creation(other, [], until: 10),
        ] {
            let scratch = Scratch()
            let store = try scratch.store(limits: DatabaseThread.Limits(octets: 1_500))
            try await store.make("c", [])
            let work = try await HeldWork(store)
            let answers = [store.asked(question, about: "c"), store.asked(.metadata(large, until: 10), about: "c")]
            work.goOn()
            await #expect(throws: ResponseStoreFailure()) { try await answers[1].value }
            _ = try await answers[0].value
        }
        let store = try scratch.store(limits: DatabaseThread.Limits(octets: 1_500))
        try await store.make("c", [])
        let (turn, _) = try #require(await store.turn(in: "c"))
        let work = try await HeldWork(store)
        store.end(turn, adding: { items }, keeping: nil, octets: 1_600, until: 10)
        #expect(store.health.lost == 1)
        work.goOn()
    }

    @Test func metadataCountsForEvictionToo() async throws {
        let store = try scratch.store(largest: 3_000)
        try await store.make("c", [], until: 20)
        for number in 0..<5 { store.keep(.turn("\(number)", document: String(repeating: "x", count: 300)), until: 10) }
        _ = try await store.ask(.metadata([UInt8](repeating: 0x20, count: 2_000), until: 20), "c")
        #expect(store.health.removed > 0)
        #expect(try await store.conversation("c") != nil)
    }

    @Test func rolledBackWorkRemovesNothing() async throws {
        let store = try scratch.store(largest: 1_300, mostPages: 30)
        let work = try await HeldWork(store)
        for number in 0..<10 {
            store.keep(.turn("\(number)", input: String(repeating: "x", count: 400)), until: 10)
        }
        store.keep(.turn("long", document: String(repeating: "x", count: 200_000)), until: 10)
        work.goOn()
        var kept = 0
        for number in 0..<10 where try await store.find("\(number)") != nil { kept += 1 }
        #expect(kept > 0 && store.health.lost == 1)
        // The count includes the conversation of the held work.
        #expect(store.health.removed == 10 - kept + (try await store.conversation("held") == nil ? 1 : 0))
    }

    @Test func aSmallerSizeAppliesFromTheNextWrite() async throws {
        let store = try scratch.store()
        for number in 0..<20 { store.keep(.turn("\(number)", input: String(repeating: "x", count: 100)), until: 10) }
        #expect(try await store.find("0") != nil)
        store.resize(to: 500)
        store.keep(.turn("last"), until: 20)
        #expect(try await store.find("last") != nil)
        #expect(try await store.find("0") == nil)
    }
}

/// Work that occupies a store until the test releases it; later requests wait behind it.
private final class HeldWork: Sendable {
    private let latch = Latch()

    init(_ store: SQLiteResponseStore) async throws {
        try await store.make("held", [])
        let (turn, _) = try #require(await store.turn(in: "held"))
        let latch = latch
        await withCheckedContinuation { (begun: CheckedContinuation<Void, Never>) in
            let once = Locked(Optional(begun))
            store.end(
                turn,
                adding: {
                    once.withLock { $0.take() }?.resume()
                    _ = latch.wait(atMost: .seconds(60))
                    return []
                }, keeping: nil, octets: 0, until: 100)
        }
    }

    deinit { goOn() }

    func goOn() { latch.open() }
}

/// Result of a request that has already been made.
private struct Answer<Value: Sendable>: Sendable {
    private let results: AsyncStream<Result<Value, ResponseStoreFailure>>

    init(_ ask: (@escaping @Sendable (Result<Value, ResponseStoreFailure>) -> Void) -> Void) {
        let (results, given) = AsyncStream<Result<Value, ResponseStoreFailure>>.makeStream()
        self.results = results
        ask {
            given.yield($0)
            given.finish()
        }
    }

    var value: Value {
        get async throws {
            for await result in results { return try result.get() }
            throw CancellationError()
        }
    }
}

extension ConversationStore {
    fileprivate func asked(
        _ question: ConversationQuestion, about id: String, for interest: StoreInterest = StoreInterest()
    ) -> Answer<ConversationAnswer> {
        Answer { ask(question, about: id, of: nil, at: 0, for: interest, completion: $0) }
    }
}
