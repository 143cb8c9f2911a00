import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

/// Contract of every conversation store.
struct ConversationStoreContractTests {
    typealias Implementation = ResponseStoreContractTests.Implementation

    private let scratch = Scratch()

    private func store(_ implementation: Implementation) throws -> any ResponseStore & ConversationStore {
        try implementation.make(in: scratch)
    }

    @Test(arguments: Implementation.allCases)
    func conversationIsFoundUntilItsEnd(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [.said("a")], until: 10)
        #expect(try await store.conversation("c", at: 9) == .made("c"))
        #expect(try await store.conversation("c", at: 10) == nil)
        #expect(try await store.conversation("d") == nil)
        #expect(try await store.page("c") == Page(["a"]))
    }

    @Test(arguments: Implementation.allCases)
    func anotherKeysConversationIsUnknown(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [.said("a")])
        let questions: [ConversationQuestion] = [
            .conversation, .deletion, .metadata([], until: 1), .items(ConversationPage(octets: 99)), .item("a"),
            .addition([.said("b")], until: 1), .itemDeletion("a"), .history(.all), .turn(.all),
        ]
        for question in questions {
            guard case .unknown = try await store.ask(question, "c", of: [2]) else {
                Issue.record("\(question) is answered")
                continue
            }
        }
        #expect(try await store.conversation("c", of: [1]) == .made("c"))
        #expect(try await store.page("c") == Page(["a"]))
    }

    @Test(arguments: Implementation.allCases)
    func itemsArePagedInBothOrders(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", ["a", "b", "c"].map { .said($0) })
        _ = try await store.ask(.addition([.said("d")], until: 10), "c")
        #expect(try await store.page("c", ConversationPage(limit: 2, octets: 999)) == Page(["d", "c"], hasMore: true))
        #expect(try await store.page("c", ConversationPage(limit: 2, after: "c", octets: 999)) == Page(["b", "a"]))
        let first = ConversationPage(limit: 3, isAscending: true, octets: 999)
        #expect(try await store.page("c", first) == Page(["a", "b", "c"], hasMore: true))
        let rest = ConversationPage(limit: 3, isAscending: true, after: "c", octets: 999)
        #expect(try await store.page("c", rest) == Page(["d"]))
        #expect(try await store.page("c", ConversationPage(octets: 1)) == Page(["d"], hasMore: true))
        #expect(try await store.page("c", ConversationPage(after: "x", octets: 999)) == nil)
    }

    @Test(arguments: Implementation.allCases)
    func anItemWithATakenIdGetsAnother(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [.said("msg_1")])
        guard case .items(let items, _) = try await store.ask(.addition([.said("msg_1")], until: 10), "c") else {
            Issue.record("no items")
            return
        }
        let id = try #require(items.first?.id)
        #expect(id.hasPrefix("msg_hg"))
        #expect(try await store.page("c") == Page([id, "msg_1"]))
    }

    @Test(arguments: Implementation.allCases)
    func deletedConversationIsGone(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [.said("a"), .said("b")])
        guard case .conversation = try await store.ask(.itemDeletion("a"), "c") else {
            Issue.record("no conversation")
            return
        }
        guard case .unknownItem = try await store.ask(.itemDeletion("a"), "c") else {
            Issue.record("deleted twice")
            return
        }
        #expect(try await store.page("c") == Page(["b"]))
        guard case .deleted = try await store.ask(.deletion, "c") else {
            Issue.record("not deleted")
            return
        }
        #expect(try await store.conversation("c") == nil)
        try await store.make("c", [])
        #expect(try await store.page("c") == Page([]))
    }

    @Test(arguments: Implementation.allCases)
    func aTurnAddsItsItemsAndStoresItsResponse(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [.said("a")], until: 10)
        let (turn, history) = try #require(await store.turn(in: "c"))
        #expect(history.map(\.id) == ["a"])
        store.end(turn, adding: { [.said("b"), .said("c")] }, keeping: .turn("r"), octets: 0, until: 30)
        #expect(try await store.page("c", at: 29) == Page(["c", "b", "a"]))
        #expect(try await store.find("r", at: 29) == .turn("r"))
    }

    @Test(arguments: Implementation.allCases)
    func onlyOneTurnIsOpen(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [.said("a")])
        try await store.make("d", [])
        let (first, _) = try #require(await store.turn(in: "c"))
        for question: ConversationQuestion in [.turn(.all), .addition([.said("x")], until: 9), .itemDeletion("a")] {
            guard case .busy = try await store.ask(question, "c") else {
                Issue.record("\(question) is answered")
                continue
            }
        }
        _ = try #require(await store.turn(in: "d"))
        #expect(try await store.page("c") == Page(["a"]))
        store.end(first, adding: { [.said("b")] }, keeping: nil, octets: 0, until: 10)
        let (_, history) = try #require(await store.turn(in: "c"))
        #expect(history.map(\.id) == ["a", "b"])
    }

    @Test(arguments: Implementation.allCases)
    func anUnknownTurnIsOver(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [])
        do { _ = try #require(await store.turn(in: "c")) }
        _ = try #require(await store.turn(in: "c"))
    }

    @Test(arguments: Implementation.allCases)
    func aTurnOfADeletedConversationIsLostAndCounted(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [])
        let (turn, _) = try #require(await store.turn(in: "c"))
        _ = try await store.ask(.deletion, "c")
        store.end(turn, adding: { [.said("b")] }, keeping: .turn("r"), octets: 0, until: 30)
        #expect(try await store.find("r") == nil)
        #expect(store.health.lost == 1)
    }

    @Test(arguments: Implementation.allCases)
    func aHistoryIsBounded(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [.said("a"), .said("b")])
        for limits in [
            ConversationPage.Limits(items: 1, octets: 999), ConversationPage.Limits(items: 9, octets: 20),
        ] {
            for question: ConversationQuestion in [.turn(limits), .history(limits)] {
                guard case .tooLong = try await store.ask(question, "c") else {
                    Issue.record("\(question) is answered")
                    continue
                }
            }
        }
        guard case .history = try await store.ask(.history(.all), "c") else {
            Issue.record("two items are within the limits")
            return
        }
    }

    @Test(arguments: Implementation.allCases)
    func metadataCanBeChanged(_ implementation: Implementation) async throws {
        let store = try store(implementation)
        try await store.make("c", [], until: 10)
        _ = try await store.ask(.metadata(Array(#"{"a":"b"}"#.utf8), until: 20), "c")
        #expect(try await store.conversation("c", at: 19)?.metadata == Array(#"{"a":"b"}"#.utf8))
    }
}

private struct Page: Equatable {
    var ids: [String]
    var hasMore: Bool

    init(_ ids: [String], hasMore: Bool = false) {
        self.ids = ids
        self.hasMore = hasMore
    }
}

extension ConversationPage.Limits {
    static let all = ConversationPage.Limits(items: 100, octets: 1 << 20)
}

extension ConversationItem {
    static func said(_ id: String) -> ConversationItem {
        ConversationItem(id: id, members: Array(#"{"type":"message"}"#.utf8))
    }
}

extension Conversation {
    static func made(_ id: String, owner: UInt8 = 1) -> Conversation {
        Conversation(id: id, owner: [owner], created: 7, metadata: Array("{}".utf8))
    }
}

extension ConversationStore {
    func ask(
        _ question: ConversationQuestion, _ id: String, of owner: [UInt8]? = nil, at now: Int64 = 0
    ) async throws -> ConversationAnswer {
        try await withCheckedContinuation { continuation in
            ask(question, about: id, of: owner, at: now, for: StoreInterest()) { continuation.resume(returning: $0) }
        }.get()
    }

    func make(
        _ id: String, owner: UInt8 = 1, _ items: [ConversationItem], until end: Int64 = 10
    ) async throws {
        _ = try await ask(.creation(.made(id, owner: owner), items, until: end), id)
    }

    func conversation(_ id: String, of owner: [UInt8]? = nil, at now: Int64 = 0) async throws -> Conversation? {
        guard case .conversation(let found) = try await ask(.conversation, id, of: owner, at: now) else { return nil }
        return found
    }

    func turn(in id: String) async throws -> (ConversationTurn, [ConversationItem])? {
        guard case .turn(let turn, let items) = try await ask(.turn(.all), id) else { return nil }
        return (turn, items)
    }

    fileprivate func page(
        _ id: String, _ page: ConversationPage = ConversationPage(octets: 1 << 20), at now: Int64 = 0
    ) async throws -> Page? {
        guard case .items(let items, let hasMore) = try await ask(.items(page), id, at: now) else { return nil }
        return Page(items.map(\.id), hasMore: hasMore)
    }
}
