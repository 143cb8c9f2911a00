import HeadgateGateway
import HeadgateRelay
import HeadgateStores
import Testing

/// Contract of every response store.
struct ResponseStoreContractTests {
    /// Implementations of the store, each of which starts empty.
    enum Implementation: CaseIterable {
        case sqlite

        func make(in scratch: Scratch) throws -> any ResponseStore & ConversationStore {
            switch self {
            case .sqlite: try scratch.store()
            }
        }
    }

    private let scratch = Scratch()

    @Test(arguments: Implementation.allCases)
    func storedResponseIsFoundUnchanged(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        let response = LocalResponse(
            id: "resp_hg1", owner: [0, 255, 7], previous: "resp_hg0", input: Array("{},[]".utf8),
            document: [0x7B, 0, 0xFF, 0x7D])
        store.keep(response, until: 10)
        #expect(try await store.find("resp_hg1") == response)
        #expect(try await store.find("resp_hg2") == nil)
        #expect(store.health == ResponseStoreHealth())
    }

    @Test(arguments: Implementation.allCases)
    func anEmptyInputIsStoredToo(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        store.keep(.turn("a", input: ""), until: 10)
        #expect(try await store.find("a")?.input == [])
    }

    @Test(arguments: Implementation.allCases)
    func theFirstResponseWithAnIDStays(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        store.keep(.turn("a", owner: 1, document: "first"), until: 10)
        store.keep(.turn("a", owner: 2, document: "second"), until: 20)
        #expect(try await store.find("a") == .turn("a", owner: 1, document: "first"))
        #expect(try await store.find("a", at: 10) == nil)
    }

    @Test(arguments: Implementation.allCases)
    func othersResponsesAreNotFound(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        store.keep(.turn("a", owner: 1), until: 10)
        #expect(try await store.find("a", of: [1]) != nil)
        #expect(try await store.find("a", of: [2]) == nil)
        #expect(try await store.chain(endingAt: "a", of: [2]) == .unknown)
        #expect(try await store.remove("a", of: [2]) == false)
        #expect(try await store.remove("a", of: [1]) == true)
        #expect(try await store.find("a", of: [1]) == nil)
        #expect(try await store.remove("a", of: [1]) == false)
    }

    @Test(arguments: Implementation.allCases)
    func responseExpiresOnTime(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        store.keep(.turn("a"), until: 10)
        #expect(try await store.find("a", at: 9) != nil)
        #expect(try await store.find("a", at: 10) == nil)
        #expect(try await store.chain(endingAt: "a", at: 10) == .unknown)
        #expect(try await store.remove("a", at: 10) == false)
    }

    @Test(arguments: Implementation.allCases)
    func aChainBeginsWithItsFirstTurn(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        let turns: [LocalResponse] = [
            .turn("a"), .turn("b", owner: 2, after: "a"), .turn("c", after: "b"), .turn("other", after: "a"),
        ]
        for turn in turns { store.keep(turn, until: 10) }
        #expect(try await store.chain(endingAt: "c", of: [1]) == .found(Array(turns.prefix(3))))
        #expect(try await store.chain(endingAt: "other") == .found([turns[0], turns[3]]))
    }

    @Test(arguments: Implementation.allCases)
    func aContinuedResponseLivesAsLongAsItsContinuation(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        store.keep(.turn("a"), until: 10)
        store.keep(.turn("b", after: "a"), until: 20)
        store.keep(.turn("c", after: "b"), until: 30)
        store.keep(.turn("d", after: "a"), until: 15)
        #expect(
            try await store.chain(endingAt: "c", at: 29)
                == .found([.turn("a"), .turn("b", after: "a"), .turn("c", after: "b")]))
        #expect(try await store.find("d", at: 15) == nil)
        #expect(try await store.find("a", at: 30) == nil)
    }

    @Test(arguments: Implementation.allCases)
    func aChainWithAGapNamesTheMissingResponse(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        store.keep(.turn("a"), until: 10)
        store.keep(.turn("b", after: "a"), until: 10)
        store.keep(.turn("c", after: "b"), until: 10)
        _ = try await store.remove("a")
        #expect(try await store.chain(endingAt: "c") == .broken(missing: "a"))
        #expect(try await store.find("c") != nil)
    }

    @Test(arguments: Implementation.allCases)
    func aChainIsBounded(_ implementation: Implementation) async throws {
        let store = try implementation.make(in: scratch)
        store.keep(.turn("a", input: "12345", document: "12345"), until: 10)
        store.keep(.turn("b", after: "a", input: "12345", document: "12345"), until: 10)
        #expect(try await store.chain(endingAt: "b", turns: 1) == .tooLong)
        #expect(try await store.chain(endingAt: "b", octets: 19) == .tooLong)
        guard case .found = try await store.chain(endingAt: "b", turns: 2, octets: 20) else {
            Issue.record("two turns of 20 octets are within the limits")
            return
        }
    }
}
