import Foundation
import HeadgateEventLoop
import HeadgateGateway
import Testing

@testable import HeadgateStores

@Suite struct SQLiteLedgerTests {
    private let scratch = Scratch()
    private static let now: Int64 = 1_800_000_000_000
    private var file: String { scratch.path + "/usage.db" }

    private func ledger(
        kept: Int64 = 90 * 86_400_000, slots: Int = 1024, forgetting interval: Duration = .seconds(60),
        reports: Lines = Lines()
    ) throws -> SQLiteLedger {
        try SQLiteLedger(
            file: file, kept: kept, slots: slots, forgetting: interval, now: { SQLiteLedgerTests.now },
            report: { reports.add($0) })
    }

    /// As a process that is killed leaves it: with one request that is over.
    private func remains() throws {
        _ = try SQLiteDatabase(file, schema: .ledger)
        let journal = try Journal(prefix: LedgerFiles.journalPrefix(of: file), slots: 16)
        let place = try #require(journal.begin(.sample()))
        journal.change(.sample(), at: place, to: .finished)
    }

    /// What is beside the database, but for SQLite's own files.
    private func journals() -> [String] { LedgerFiles.journals(of: file) }

    @Test func whatIsWrittenOutlivesTheLedger() async throws {
        let first = try ledger()
        for _ in 0..<5 { first.note(.sample()) }
        first.close()
        #expect(journals().isEmpty)
        let second = try ledger()
        #expect(try await second.rows(.model, since: 0, count: 5).first?.requests == 5)
    }

    @Test func whatAKilledGatewayHasLeftIsWrittenOnceAndItsFileIsRemoved() async throws {
        do {
            // As a process that is killed leaves it.
            _ = try SQLiteDatabase(file, schema: .ledger)
            let journal = try Journal(prefix: LedgerFiles.journalPrefix(of: file), slots: 16)
            _ = journal.begin(.sample(model: "begun"))
            let place = try #require(journal.begin(.sample(model: "done")))
            journal.change(.sample(model: "done"), at: place, to: .finished)
            // It was killed after this one was written, and before its place was let go of.
            let database = try SQLiteDatabase(file, schema: .ledger)
            for entry in journal.collect(10) { try database.insert(entry) }
        }
        #expect(journals().count == 1)
        let ledger = try ledger()
        let rows = try await ledger.rows(.model, since: 0, count: 2)
        #expect(rows.map(\.name) == ["begun", "done"] && rows.map(\.requests) == [1, 1])
        #expect(rows.map(\.unfinished) == [1, 0] && rows.map(\.unknownCosts) == [1, 0])
        ledger.close()
        #expect(journals().isEmpty)
    }

    @Test func twoGatewaysShareAFile() async throws {
        let (one, other) = (try ledger(), try ledger())
        for _ in 0..<100 {
            one.note(.sample(model: "one"))
            other.note(.sample(model: "other"))
        }
        for ledger in [one, other] {
            let rows = try await ledger.rows(.model, since: 0, count: 200)
            #expect(rows.map(\.requests) == [100, 100])
        }
        one.close()
        // The journal of the one that lives is its own.
        #expect(journals().count == 1)
        other.close()
        #expect(journals().isEmpty)
    }

    @Test func lockedFileHoldsUpNoRequestAndNothingIsLost() async throws {
        let reports = Lines()
        let ledger = try ledger(reports: reports)
        ledger.note(.sample())
        _ = try await ledger.rows(.model, since: 0, count: 1)
        let locker = try SQLiteDatabase(file, schema: .ledger)
        try locker.execute("BEGIN IMMEDIATE")
        for _ in 0..<10 { ledger.note(.sample()) }
        while reports.all.isEmpty { await Task.yield() }
        #expect(reports.all[0].contains("another process keeps it locked"))
        #expect(!ledger.health.isWorking && ledger.health.pending == 10)
        // Reading goes on.
        #expect(try await ledger.rows(.model, since: 0, count: 1).first?.requests == 1)
        try locker.execute("ROLLBACK")
        #expect(try await ledger.rows(.model, since: 0, count: 11).first?.requests == 11)
        while reports.all.count < 2 { await Task.yield() }
        #expect(reports.all.count == 2 && reports.all[1].hasSuffix("is written again") && ledger.health.isWorking)
    }

    @Test func whatAKilledGatewayHasLeftStaysUntilItIsWritten() async throws {
        try remains()
        let left = journals()
        let locker = try SQLiteDatabase(file, schema: .ledger)
        try locker.execute("BEGIN IMMEDIATE")
        let reports = Lines()
        let first = try ledger(reports: reports)
        while reports.all.isEmpty { await Task.yield() }
        first.close()
        #expect(left.count == 1 && journals() == left)
        try locker.execute("ROLLBACK")
        #expect(try await ledger().rows(.model, since: 0, count: 1).first?.requests == 1)
    }

    @Test func whatCannotBeWrittenAtTheEndIsLeftForTheNext() async throws {
        var first: SQLiteLedger? = try ledger()
        _ = try await first?.rows(.model, since: 0, count: 0)
        let locker = try SQLiteDatabase(file, schema: .ledger)
        try locker.execute("BEGIN IMMEDIATE")
        first?.note(.sample())
        first?.close()
        first = nil
        let left = try #require(journals().first)
        while Journal.remains(at: left) == nil { await Task.yield() }
        try locker.execute("ROLLBACK")
        #expect(try await ledger().rows(.model, since: 0, count: 1).first?.requests == 1)
    }

    @Test(.timeLimit(.minutes(1))) func shorterTimeHoldsFromThenOn() async throws {
        let ledger = try ledger(forgetting: .milliseconds(1))
        ledger.note(.sample(model: "old", endedAt: Self.now - 5000))
        ledger.note(.sample(model: "new", endedAt: Self.now))
        #expect(try await ledger.rows(.model, since: 0, count: 2).count == 2)
        ledger.keep(for: 1000)
        while try await ledger.rows(.model, since: 0, count: 0).map(\.name) != ["new"] { await Task.yield() }
    }

    @Test func oldRequestsAreForgotten() async throws {
        let first = try ledger()
        first.note(.sample(model: "old", endedAt: Self.now - 1001))
        first.note(.sample(model: "new", endedAt: Self.now - 1000))
        _ = try await first.rows(.model, since: 0, count: 2)
        first.close()
        let second = try ledger(kept: 1000)
        second.note(.sample(model: "newest"))
        #expect(try await second.rows(.model, since: 0, count: 2).map(\.name) == ["new", "newest"])
    }

    @Test func howeverManyAreOldAllAreForgotten() async throws {
        let other = try SQLiteDatabase(file, schema: .ledger)
        try other.transaction { () throws(StoreError) in
            for number in 0..<3500 {
                let entry = LedgerEntry.sample(endedAt: Self.now - 5000)
                try other.insert(JournalEntry(place: 0, process: 1, sequence: Int64(number), entry: entry))
            }
        }
        let ledger = try ledger(kept: 1000)
        while try other.number("SELECT count(*) FROM requests") > 0 { await Task.yield() }
        ledger.close()
    }

    @Test func fileOfSomethingElseIsRefused() throws {
        _ = try SQLiteDatabase(file, schema: .responses)
        #expect(throws: StoreError.self) { try ledger() }
        #expect(journals().isEmpty)
    }

    @Test func requestsOfManyThreadsAreAllThere() async throws {
        let ledger = try ledger(slots: 4096)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask { for _ in 0..<400 { ledger.note(.sample(model: "\(thread)")) } }
            }
        }
        let rows = try await ledger.rows(.model, since: 0, count: 3200)
        #expect(rows.map(\.requests) == Array(repeating: 400, count: 8) && ledger.health.dropped == 0)
    }
}
