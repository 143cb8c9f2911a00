import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateStores

@Suite struct SQLiteLedgerTests {
    private let scratch = Scratch()
    private static let now: Int64 = 1_800_000_000_000
    private var file: String { scratch.path + "/usage.db" }

    private func ledger(
        kept: Int64 = 90 * 86_400_000, slots: Int = 1024, forgetting interval: Duration = .seconds(60),
        awaitsLocks: Bool = true, reports: Lines = Lines()
    ) throws -> JournaledLedger {
        try JournaledLedger(
            file: file, kept: kept, slots: slots, forgetting: interval, now: { SQLiteLedgerTests.now },
            awaitsLocks: awaitsLocks, report: { reports.add($0) })
    }

    /// Leaves a journal with one finished request, as a killed process does.
    private func remains() async throws {
        _ = try SQLiteDatabase(file, schema: .ledger)
        let path = try leaveJournal()
        // A program that another test is starting can hold a copy of the journal's lock for a moment.
        try await until { JournalRemains(at: path) != nil }
    }

    private func leaveJournal() throws -> String {
        let journal = try Journal(prefix: LedgerFiles(beside: file).prefix, slots: 16)
        let place = try #require(journal.begin(.sample()))
        journal.finish(.sample(), at: place)
        return journal.path
    }

    /// Returns the files beside the database, except SQLite's own.
    private func journals() -> [String] { LedgerFiles(beside: file).journals }

    @Test func writtenRequestsSurviveTheLedger() async throws {
        let first = try ledger()
        for _ in 0..<5 { first.note(.sample()) }
        first.close()
        #expect(journals().isEmpty)
        let second = try ledger()
        #expect(try await second.rows(.model, since: 0, count: 5).first?.requests == 5)
    }

    @Test func ledgerOfARunningGatewayIsInUseAndThatOfADeadOneIsNot() async throws {
        try await remains()
        #expect(journals().count == 1 && !JournaledLedger.isInUse(file))
        let ledger = try ledger()
        #expect(JournaledLedger.isInUse(file))
        ledger.close()
    }

    /// Another process has the file locked, so that no migration can run before the ledger is ready.
    @Test func migrationDelaysNoStart() async throws {
        let schema = SQLiteSchema(
            application: SQLiteSchema.ledger.application, migrations: [SQLiteSchema.ledger.migrations[0]])
        let old = try SQLiteDatabase(file, schema: schema)
        try old.execute(
            """
            INSERT INTO requests VALUES
                (1, 1, 'r', 1, 1799999999999, 'k', 'o', 'old', 'u', 'x', 200, 'finished', 1, 2, 3, 4, 'upstream', 5, 0)
            """)
        try old.execute("BEGIN IMMEDIATE")
        let reports = Lines()
        let ledger = try ledger(reports: reports)
        ledger.note(.sample(model: "new"))
        #expect(ledger.health.pending == 1 && !reports.all.contains { $0.contains("in the new tables") })
        #expect(try #require(reports.all.first).contains("an older version has written it"))
        try old.execute("COMMIT")
        try await until { reports.all.contains { $0.contains("its requests are in the new tables") } }
        let rows = try await ledger.rows(.model, since: 0, count: 2)
        #expect(rows.map(\.name) == ["new", "old"] && rows.map(\.requests) == [1, 1])
        ledger.close()
    }

    @Test func killedGatewaysJournalIsWrittenOnceAndRemoved() async throws {
        do {
            // A killed process leaves this state.
            _ = try SQLiteDatabase(file, schema: .ledger)
            let journal = try Journal(prefix: LedgerFiles(beside: file).prefix, slots: 16)
            _ = journal.begin(.sample(model: "begun"))
            let place = try #require(journal.begin(.sample(model: "done")))
            journal.finish(.sample(model: "done"), at: place)
            // The process was killed after writing this request and before releasing its place.
            let writer = try LedgerWriter(SQLiteDatabase(file, schema: .ledger))
            try writer.write(journal.collect(10), of: journal.process, batch: 7) { journal.note(7, of: $0) }
        }
        #expect(journals().count == 1)
        let ledger = try ledger()
        let rows = try await ledger.rows(.model, since: 0, count: 2)
        #expect(rows.map(\.name) == ["begun", "done"] && rows.map(\.requests) == [1, 1])
        #expect(rows.map(\.unfinished) == [1, 0] && rows.map(\.unknownCosts) == [0, 0])
        ledger.close()
        #expect(journals().isEmpty)
    }

    @Test func whatEndsAfterAHandoverIsWrittenByTheOtherGatewayOnce() async throws {
        var old: JournaledLedger? = try ledger()
        old?.note(.sample(model: "before"))
        let place = try #require(old?.begin(.sample(model: "after")))
        // As after an upgrade: without this, a first round that still waits for the lock would read the journal itself.
        let other = try ledger(awaitsLocks: false)
        let read = Locked<[UsageRow]>([])
        let note: @Sendable ([UsageRow]) -> Void = { rows in read.withLock { $0 += rows } }
        other.readJournals(atOnce: false, note)
        old?.pause()
        #expect(try await other.rows(.model, since: 0, count: 1).map(\.name) == ["before"])
        old?.finish(.sample(model: "after"), at: place)
        // The end of the journal's process releases its lock.
        old = nil
        other.readJournals(atOnce: true, note)
        try await until { journals().count == 1 && !read.withLock(\.isEmpty) }
        let use = read.withLock { $0 }
        #expect(use.map(\.name) == ["k"] && use.map(\.requests) == [1] && use.map(\.cost) == [1])
        #expect(use.map(\.promptTokens) == [10] && use.map(\.completionTokens) == [4])
        let rows = try await other.rows(.model, since: 0, count: 2)
        #expect(rows.map(\.name) == ["after", "before"] && rows.map(\.requests) == [1, 1])
        #expect(rows.map(\.unfinished) == [0, 0])
        other.close()
        #expect(journals().isEmpty)
    }

    @Test func pausedLedgerWritesNothingUntilItIsResumed() async throws {
        let ledger = try ledger()
        ledger.pause()
        ledger.note(.sample())
        let question = UsageQuestion(by: .model, since: 0)
        #expect(try await ledger.rows(question, count: 0).isEmpty && ledger.health.pending == 1)
        ledger.resume()
        #expect(try await ledger.rows(question, count: 1).map(\.requests) == [1])
        ledger.pause()
        ledger.close()
        #expect(journals().count == 1, "another process reads it")
    }

    /// Budgets are unknown until the ledger is ready, and strict ones refuse requests.
    @Test func ledgerDoesNotWaitForTheJournalOfARunningGateway() async throws {
        let running = try ledger()
        defer { running.close() }
        func wait(awaitsLocks: Bool) async throws -> Duration {
            let start = ContinuousClock.now
            let ledger = try JournaledLedger(
                file: file, kept: 1, now: { SQLiteLedgerTests.now }, awaitsLocks: awaitsLocks, report: { _ in })
            defer { ledger.close() }
            var question = UsageQuestion(by: .key, since: 0)
            question.isGateways = true
            _ = try await ledger.rows(question, count: 0)
            return ContinuousClock.now - start
        }
        // The ledger tries 25 times, every 20 ms.
        #expect(try await wait(awaitsLocks: true) >= .milliseconds(480))
        // Only the fastest of many starts counts, because a busy machine delays some.
        var fastest = Duration.seconds(60)
        for _ in 0..<20 where fastest >= .milliseconds(480) {
            fastest = min(fastest, try await wait(awaitsLocks: false))
        }
        #expect(fastest < .milliseconds(480))
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
        // A running gateway keeps its journal.
        #expect(journals().count == 1)
        other.close()
        #expect(journals().isEmpty)
    }

    @Test func lockedFileDelaysNoRequestAndLosesNothing() async throws {
        let reports = Lines()
        let ledger = try ledger(reports: reports)
        ledger.note(.sample())
        _ = try await ledger.rows(.model, since: 0, count: 1)
        let locker = try SQLiteDatabase(file, schema: .ledger)
        try locker.execute("BEGIN IMMEDIATE")
        for _ in 0..<10 { ledger.note(.sample()) }
        try await until { !reports.all.isEmpty }
        #expect(reports.all[0].contains("another process keeps it locked"))
        #expect(!ledger.health.isWorking && ledger.health.pending == 10)
        // Reading still works.
        #expect(try await ledger.rows(.model, since: 0, count: 1).first?.requests == 1)
        try locker.execute("ROLLBACK")
        #expect(try await ledger.rows(.model, since: 0, count: 11).first?.requests == 11)
        try await until { reports.all.count >= 2 }
        #expect(reports.all.count == 2 && reports.all[1].hasSuffix("is written again") && ledger.health.isWorking)
    }

    @Test func killedGatewaysJournalStaysUntilItIsWritten() async throws {
        try await remains()
        let left = journals()
        let locker = try SQLiteDatabase(file, schema: .ledger)
        try locker.execute("BEGIN IMMEDIATE")
        let reports = Lines()
        let first = try ledger(reports: reports)
        try await until { !reports.all.isEmpty }
        first.close()
        #expect(left.count == 1 && journals() == left)
        try locker.execute("ROLLBACK")
        #expect(try await ledger().rows(.model, since: 0, count: 1).first?.requests == 1)
    }

    private func asked(_ ledger: JournaledLedger, _ question: UsageQuestion) async throws -> [UsageRow] {
        try await withCheckedContinuation { continuation in
            ledger.ask(question, for: StoreInterest()) { continuation.resume(returning: $0) }
        }.get()
    }

    private var ofBudgets: UsageQuestion {
        var question = UsageQuestion(by: .key, since: 0)
        (question.isGateways, question.until, question.end) = (true, Self.now, Self.now + 3_600_000)
        return question
    }

    /// The first query waits until the journals of dead gateways are in the file, however long that takes.
    @Test(.timeLimit(.minutes(10))) func budgetsIncludeAKilledGatewaysJournal() async throws {
        try await remains()
        let locker = try SQLiteDatabase(file, schema: .ledger)
        try locker.execute("BEGIN IMMEDIATE")
        let reports = Lines()
        let ledger = try ledger(reports: reports)
        let answer = Locked<[UsageRow]?>(nil)
        ledger.ask(ofBudgets, for: StoreInterest()) { result in answer.withLock { $0 = try? result.get() } }
        try await until { !reports.all.isEmpty }
        // Other queries are answered meanwhile.
        #expect(try await ledger.rows(.model, since: 0, count: 0).isEmpty && answer.withLock { $0 == nil })
        try locker.execute("ROLLBACK")
        try await until { answer.withLock { $0 != nil } }
        #expect(answer.withLock { $0?.map(\.requests) } == [1])
        ledger.close()
    }

    @Test func budgetsIncludeRequestsEndedByASetBackClock() async throws {
        let first = try ledger()
        first.note(.sample(endedAt: Self.now - 5))
        first.note(.sample(endedAt: Self.now + 60_000))
        first.note(.sample(endedAt: Self.now + 7_200_000))
        _ = try await first.rows(.model, since: 0, count: 3)
        first.close()
        let second = try ledger()
        #expect(try await asked(second, ofBudgets).map(\.requests) == [2])
        var next = ofBudgets
        (next.since, next.until, next.end) = (Self.now + 3_600_000, Self.now + 3_600_000, Self.now + 9_000_000)
        #expect(try await asked(second, next).map(\.requests) == [1])
        // A query over HTTP stops at its own end.
        next.isGateways = false
        #expect(try await asked(second, next).isEmpty)
        second.close()
    }

    @Test func foreignFileWithAJournalsNameStays() async throws {
        try await remains()
        let notes = LedgerFiles(beside: file).prefix + "notes.txt"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: notes))
        let reports = Lines()
        let ledger = try ledger(reports: reports)
        #expect(try await ledger.rows(.model, since: 0, count: 1).first?.requests == 1)
        ledger.close()
        #expect(journals() == [notes] && reports.all.count == 1 && reports.all[0].contains("left alone"))
    }

    @Test func unwrittenRequestsAreLeftForTheNextStart() async throws {
        var first: JournaledLedger? = try ledger()
        _ = try await first?.rows(.model, since: 0, count: 0)
        let locker = try SQLiteDatabase(file, schema: .ledger)
        try locker.execute("BEGIN IMMEDIATE")
        first?.note(.sample())
        first?.close()
        first = nil
        let left = try #require(journals().first)
        try await until { JournalRemains(at: left) != nil }
        try locker.execute("ROLLBACK")
        #expect(try await ledger().rows(.model, since: 0, count: 1).first?.requests == 1)
    }

    @Test(.timeLimit(.minutes(10))) func shorterRetentionAppliesFromThenOn() async throws {
        let ledger = try ledger(forgetting: .milliseconds(1))
        ledger.note(.sample(model: "old", endedAt: Self.now - 5000))
        ledger.note(.sample(model: "new", endedAt: Self.now))
        #expect(try await ledger.rows(.model, since: 0, count: 2).count == 2)
        ledger.keep(for: 1000)
        try await until { try await ledger.rows(.model, since: 0, count: 0).map(\.name) == ["new"] }
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

    @Test func allOldRequestsAreDeletedHoweverMany() async throws {
        let other = try SQLiteDatabase(file, schema: .ledger)
        try LedgerWriter(other).write(Array(repeating: .sample(endedAt: Self.now - 5000), count: 3500))
        let ledger = try ledger(kept: 1000)
        try await until { try other.number("SELECT count(*) FROM requests") == 0 }
        ledger.close()
    }

    /// The file is moved away, with or without the files next to it, or restored from a backup.
    @Test(.timeLimit(.minutes(10)), arguments: [["usage.db"], ["usage.db", "usage.db-wal", "usage.db-shm"], []])
    func removedFileIsRecreated(_ names: [String]) async throws {
        let reports = Lines()
        let ledger = try ledger(reports: reports)
        ledger.note(.sample(model: "before"))
        _ = try await ledger.rows(.model, since: 0, count: 1)
        let under = try #require(ledger.begin(.sample(model: "under way")))
        // The whole folder is removed.
        if names.isEmpty { try FileManager.default.removeItem(atPath: scratch.path) }
        for name in names { try FileManager.default.removeItem(atPath: scratch.path + "/" + name) }
        ledger.note(.sample(model: "after"))
        ledger.finish(.sample(model: "under way"), at: under)
        try await until {
            (try? await ledger.rows(.model, since: 0, count: 2).map(\.name)) == ["after", "under way"]
        }
        #expect(reports.all.count == 1 && reports.all[0].contains("not there any more"))
        #expect(reports.all[0].contains("start it again") == names.isEmpty)
        // Entries leave the journal a moment after they can be read.
        try await until { ledger.health.pending == 0 }
        #expect(ledger.health.isWorking)
        ledger.close()
        let again = try self.ledger()
        #expect(try await again.rows(.model, since: 0, count: 2).map(\.name) == ["after", "under way"])
    }

    /// The WAL of the replaced file is still next to it.
    @Test(.timeLimit(.minutes(10))) func fileMovedOverItIsUsedCompletely() async throws {
        let other = scratch.path + "/other.db"
        do {
            let database = try SQLiteDatabase(other, schema: .ledger)
            try LedgerWriter(database).write((0..<300).map { .sample(model: "moved \($0)") })
        }
        let ledger = try ledger()
        for number in 0..<20 { ledger.note(.sample(model: "before \(number)")) }
        _ = try await ledger.rows(.model, since: 0, count: 20)
        #expect(rename(other, file) == 0)
        ledger.note(.sample(model: "after"))
        try await until { (try? await ledger.rows(.model, since: 0, count: 301))?.count == 301 }
        ledger.close()
        let database = try SQLiteDatabase(file, schema: .ledger)
        #expect(try database.number("SELECT count(*) FROM requests WHERE model LIKE 'moved %'") == 300)
        #expect(try database.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1)
    }

    @Test(.timeLimit(.minutes(10))) func foreignFileInTheLedgersPlaceIsNotTouched() async throws {
        let reports = Lines()
        let ledger = try ledger(reports: reports)
        ledger.note(.sample(model: "before"))
        _ = try await ledger.rows(.model, since: 0, count: 1)
        for name in ["usage.db", "usage.db-wal", "usage.db-shm"] {
            try FileManager.default.removeItem(atPath: scratch.path + "/" + name)
        }
        _ = try SQLiteDatabase(file, schema: .responses)
        ledger.note(.sample(model: "after"))
        try await until { reports.all.count >= 2 }
        #expect(reports.all[1].contains("is a database of something else") && ledger.health.pending == 1)
        try FileManager.default.removeItem(atPath: file)
        try await until { (try? await ledger.rows(.model, since: 0, count: 1).map(\.name)) == ["after"] }
        #expect(reports.all.count == 3 && reports.all[2].hasSuffix("is written again"))
    }

    @Test func fileOfSomethingElseIsRefused() throws {
        _ = try SQLiteDatabase(file, schema: .responses)
        #expect(throws: StoreError.self) { try ledger() }
        #expect(journals().isEmpty)
    }

    @Test func requestsOfManyThreadsAreAllStored() async throws {
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
