import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ModelCatalogueTests {
    private static let second: Int64 = 1_000_000_000

    /// Returns a catalogue that has learned these names at the given second.
    private func learned(_ names: [String], at now: Int64 = 1000) throws -> ModelCatalogue {
        var catalogue = ModelCatalogue()
        let question = try asked(&catalogue, at: now * Self.second)
        _ = catalogue.settle(question, ListedModels(names.map { ListedModel($0) }), at: now * Self.second)
        return catalogue
    }

    private func asked(_ catalogue: inout ModelCatalogue, at now: Int64) throws -> ModelCatalogue.Question {
        let question = catalogue.ask(at: now)
        return try #require(question)
    }

    private func isDue(_ catalogue: ModelCatalogue, at now: Int64) -> Bool {
        var copy = catalogue
        return copy.ask(at: now) != nil
    }

    @Test func onlyOneQueryIsInFlight() throws {
        var catalogue = ModelCatalogue()
        let question = try asked(&catalogue, at: 0)
        #expect(!isDue(catalogue, at: Self.second))
        _ = catalogue.settle(question, ListedModels([ListedModel("a")]), at: Self.second)
        #expect(catalogue.list?.names == ["a"])
    }

    @Test func resultOfALostQueryIsIgnored() throws {
        var catalogue = ModelCatalogue()
        let lost = try asked(&catalogue, at: 0)
        let waiting = catalogue.wait(AsyncStream<Never>.makeStream().continuation)
        #expect(waiting != nil && !isDue(catalogue, at: 119 * Self.second) && isDue(catalogue, at: 120 * Self.second))
        let current = try asked(&catalogue, at: 120 * Self.second)
        _ = catalogue.settle(lost, ListedModels([ListedModel("old")]), at: 121 * Self.second)
        #expect(catalogue.list == nil && !catalogue.isSettled)
        _ = catalogue.settle(current, ListedModels([ListedModel("new")]), at: 122 * Self.second)
        #expect(catalogue.list?.names == ["new"])
    }

    @Test func listIsGoodForFiveMinutes() throws {
        let catalogue = try learned(["a"])
        #expect(!isDue(catalogue, at: 1299 * Self.second))
        #expect(isDue(catalogue, at: 1300 * Self.second))
    }

    @Test func staleNamesStayIfAQueryFails() throws {
        var catalogue = try learned(["a"])
        let question = try asked(&catalogue, at: 2000 * Self.second)
        _ = catalogue.settle(question, nil, at: 2001 * Self.second)
        #expect(catalogue.list?.names == ["a"])
        #expect(!isDue(catalogue, at: 2030 * Self.second))
        let again = try asked(&catalogue, at: 2031 * Self.second)
        _ = catalogue.settle(again, ListedModels([]), at: 2031 * Self.second)
        #expect(catalogue.list?.names == [])
    }

    @Test func timedOutQueryIsRepeatedAndItsLateResponseIgnored() throws {
        var catalogue = ModelCatalogue()
        let lost = try asked(&catalogue, at: 0)
        #expect(!isDue(catalogue, at: 119 * Self.second))
        let question = try asked(&catalogue, at: 120 * Self.second)
        _ = catalogue.settle(lost, ListedModels([ListedModel("late")]), at: 301 * Self.second)
        #expect(catalogue.list == nil)
        _ = catalogue.settle(question, ListedModels([ListedModel("a")]), at: 302 * Self.second)
        #expect(catalogue.list?.names == ["a"])
    }

    @Test func setBackClockMakesTheListStale() throws {
        let catalogue = try learned(["a"])
        #expect(isDue(catalogue, at: 10 * Self.second))
    }

    @Test func onlyTheFirstResponseIsAwaited() throws {
        var catalogue = ModelCatalogue()
        let (_, waiter) = AsyncStream<Never>.makeStream()
        let early = catalogue.wait(waiter)
        #expect(early == nil)
        let question = try asked(&catalogue, at: 0)
        let waits = catalogue.wait(waiter)
        #expect(waits != nil)
        let waiters = catalogue.settle(question, nil, at: 1)
        #expect(waiters.count == 1)
        _ = catalogue.ask(at: 600 * Self.second)
        let late = catalogue.wait(waiter)
        #expect(late == nil)
    }

    @Test func waitersAreReleasedWhenAQueryIsLost() throws {
        var catalogue = ModelCatalogue()
        let (_, waiter) = AsyncStream<Never>.makeStream()
        _ = try asked(&catalogue, at: 0)
        let first = catalogue.wait(waiter)
        _ = catalogue.wait(waiter)
        catalogue.leave(try #require(first))
        #expect(catalogue.waiters.count == 1)
        let question = try asked(&catalogue, at: 120 * Self.second)
        #expect(catalogue.waiters.isEmpty)
        #expect(catalogue.settle(question, nil, at: 121 * Self.second).isEmpty)
    }
}
