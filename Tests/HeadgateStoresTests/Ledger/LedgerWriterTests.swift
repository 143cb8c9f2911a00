import Foundation
import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

@Suite struct LedgerWriterTests {
    private let scratch = Scratch()
    private var file: String { scratch.path + "/usage.db" }
    private static let now: Int64 = 1_800_000_000_000

    private func database() throws -> SQLiteDatabase { try SQLiteDatabase(file, schema: .ledger) }

    @Test func tableIsReadableWithDatabaseTools() throws {
        let database = try database()
        var whole = LedgerEntry.sample(endedAt: Self.now)
        (whole.upstreamModel, whole.isStream) = ("inner", true)
        var bare = LedgerEntry.sample(key: nil, upstream: nil, cost: nil, endedAt: Self.now + 1)
        (bare.promptTokens, bare.completionTokens, bare.cachedTokens, bare.source) = (nil, nil, nil, nil)
        try LedgerWriter(database).write([bare, whole])
        var rows: [[String]] = []
        try database.statement("SELECT * FROM requests ORDER BY ended").rows { row in
            rows.append((0..<17).map { row.isNull($0) ? "-" : row.text($0) })
        }
        #expect(
            rows.map { $0.joined(separator: " ") } == [
                "id 1799999999995 1800000000000 k createChatCompletion m u inner 200 finished 1 10 4 2 upstream 1 1",
                "id 1799999999996 1800000000001 - createChatCompletion m - - 200 finished 1 - - - - - 0",
            ])
    }

    @Test func kindIsWrittenOnceByManyWriters() throws {
        let (database, other) = (try database(), try database())
        let writers = [LedgerWriter(database), LedgerWriter(other)]
        for batch in 1...3 {
            for (process, writer) in writers.enumerated() {
                try writer.write(
                    [.sample(model: "a"), .sample(model: "b"), .sample(model: "a", upstream: nil)], of: Int64(process),
                    batch: Int64(batch))
            }
        }
        #expect(try database.number("SELECT count(*) FROM kinds") == 3)
        #expect(try database.number("SELECT count(*) FROM requests WHERE model = 'a'") == 12)
    }

    @Test func requestsOfOneMillisecondAreAllStored() throws {
        let database = try database()
        let writer = LedgerWriter(database)
        for process in 1...4 { try writer.write(Array(repeating: .sample(), count: 300), of: Int64(process)) }
        #expect(try database.number("SELECT count(*) FROM requests WHERE ended = 1800000000000") == 1200)
    }

    /// One statement writes most requests, unless another gateway has requests of the same time.
    @Test(arguments: [false, true]) func manyRequestsAreWrittenUnchanged(isAmongOthers: Bool) throws {
        let database = try database()
        if isAmongOthers { try LedgerWriter(database).write([.sample(endedAt: Self.now + 150)], of: 9) }
        let entries = (0..<300).map { number in
            var entry = LedgerEntry.sample(
                key: number % 3 == 0 ? nil : "k", model: "m\(number % 5)", cost: number % 7 == 0 ? nil : number,
                endedAt: Self.now + Int64(number))
            (entry.requestID, entry.source) = ("\(number)", [nil, .upstream, .partial, .estimated][number % 4])
            (entry.promptTokens, entry.isStream) = (number % 2 == 0 ? nil : number, number % 2 == 0)
            return entry
        }
        try LedgerWriter(database).write(entries.shuffled())
        let written = try SQLiteArchive(file).requests(from: 0, before: nil, limit: nil)
        #expect(written.filter { $0.requestID != LedgerEntry.sample().requestID } == entries)
        #expect(written.count == (isAmongOthers ? 301 : 300))
    }

    /// This happens if more requests than sequence numbers end during a long one, or if a journal is damaged.
    @Test func requestsOfOneBatchWithTheSameNumberAreAllWritten() throws {
        let database = try database()
        let entries = Array(repeating: LedgerEntry.sample(endedAt: Self.now), count: 64)
        try LedgerWriter(database).write(entries) { Int64($0 / 2) }
        #expect(try database.number("SELECT count(*) FROM requests") == 64)
    }

    @Test func fullMillisecondOverflowsIntoTheNext() throws {
        let database = try database()
        let last = LedgerWriter.firstID(endedAt: Self.now + 1) - 1
        let writer = LedgerWriter(database)
        try writer.write([.sample(model: "a")])
        try database.statement("INSERT INTO entries SELECT ?, kind, '', 0, 0, 0, 0, 0 FROM entries").run(.integer(last))
        try writer.write([.sample(model: "b")], of: 2)
        #expect(try database.number("SELECT ended FROM requests WHERE model = 'b'") == Self.now + 1)
    }

    /// This happens after a kill, or after a commit with an unknown result.
    @Test func committedBatchIsNotWrittenAgain() throws {
        let database = try database()
        let writer = LedgerWriter(database)
        let journal = try Journal(prefix: file + ".live-", slots: 16)
        func note(_ model: String) throws {
            journal.finish(.sample(model: model), at: try #require(journal.begin(.sample(model: model))))
        }
        try note("first")
        try writer.write(journal.collect(10), of: journal.process, batch: 1) { journal.note(1, of: $0) }
        try note("second")
        // The first request was not released.
        try writer.write(journal.collect(10), of: journal.process, batch: 2) { journal.note(2, of: $0) }
        #expect(try database.usage(UsageQuestion(by: .model, since: 0)).map(\.requests) == [1, 1])
        journal.release(journal.collect(10))
        // Another request now has the place of the first.
        try note("third")
        try writer.write(journal.collect(10), of: journal.process, batch: 3) { journal.note(3, of: $0) }
        #expect(try database.usage(UsageQuestion(by: .model, since: 0)).map(\.name) == ["first", "second", "third"])
    }

    /// This happens if the recovering gateway was killed before it removed the journal.
    @Test func recoveredRequestsAreWrittenOnce() throws {
        let writer = LedgerWriter(try database())
        for _ in 0..<2 { try writer.write([.sample(), .sample()], batch: LedgerWriter.lastBatch) }
        #expect(try writer.database.number("SELECT count(*) FROM requests") == 2)
    }

    /// More requests are pending than fit into one transaction, and earlier places are reused meanwhile.
    @Test func requestsOfAFailedBatchAreNotTakenForWritten() throws {
        let database = try database()
        let writer = LedgerWriter(database)
        let journal = try Journal(prefix: file + ".live-", slots: 16)
        var batch = JournalBatch(of: journal)
        func write() throws {
            batch.fill(upTo: 2)
            let number = batch.number
            try writer.write(batch.entries, of: journal.process, batch: number) { journal.note(number, of: $0) }
            batch.release()
        }
        let places = try (0..<5).map { try #require(journal.begin(.sample(model: "\($0)"))) }
        for place in places[2...] { journal.finish(.sample(model: "\(place.index)"), at: place) }
        try database.execute(
            "CREATE TRIGGER refused BEFORE INSERT ON journals BEGIN SELECT RAISE(ABORT, 'no'); END")
        #expect(throws: StoreError.self) { try write() }
        for place in places[..<2] { journal.finish(.sample(model: "\(place.index)"), at: place) }
        #expect(throws: StoreError.self) { try write() }
        try database.execute("DROP TRIGGER refused")
        for _ in 0..<4 { try write() }
        #expect(journal.isEmpty)
        let rows = try database.usage(UsageQuestion(by: .model, since: 0))
        #expect(rows.map(\.name) == ["0", "1", "2", "3", "4"] && rows.allSatisfy { $0.requests == 1 })
    }

    @Test func kindOfAFailedBatchIsRecreated() throws {
        let database = try database()
        let writer = LedgerWriter(database)
        try database.execute(
            """
            CREATE TRIGGER refused BEFORE INSERT ON journals BEGIN SELECT RAISE(ABORT, 'no'); END
            """)
        #expect(throws: StoreError.self) { try writer.write([.sample()]) }
        try database.execute("DROP TRIGGER refused")
        try writer.write([.sample()])
        #expect(try database.number("SELECT count(*) FROM requests") == 1)
    }

    @Test func kindsAreForgottenAfterTheLastOfTheirRequests() throws {
        let database = try database()
        let writer = LedgerWriter(database)
        let hour: Int64 = 3_600_000
        try writer.write([.sample(model: "old", endedAt: Self.now), .sample(model: "used", endedAt: Self.now)])
        try writer.write(
            [.sample(model: "used", endedAt: Self.now + 2 * hour), .sample(endedAt: Self.now + 3 * hour)], batch: 2)
        #expect(try !writer.forget(before: Self.now + 2 * hour))
        #expect(try database.number("SELECT count(*) FROM kinds") == 3)
        #expect(try database.number("SELECT count(*) FROM requests") == 2)
        #expect(try !writer.forget(before: Self.now + 2 * hour + 1))
        #expect(try database.number("SELECT count(*) FROM kinds WHERE model = 'old'") == 0)
        // One writer remembers a name that another has deleted.
        _ = try LedgerWriter(self.database()).forget(before: Self.now + 9 * hour)
        #expect(try database.number("SELECT count(*) FROM kinds") == 0)
        try writer.write([.sample(model: "used", endedAt: Self.now + 9 * hour)], batch: 3)
        #expect(try database.number("SELECT count(*) FROM requests WHERE model = 'used'") == 1)
    }

    @Test func deletedKindIsRecreated() throws {
        let writer = LedgerWriter(try database())
        try writer.write([.sample(endedAt: Self.now)])
        #expect(try !writer.forget(before: Self.now + 9 * 3_600_000))
        #expect(try writer.database.number("SELECT count(*) FROM kinds") == 0)
        try writer.write([.sample(endedAt: Self.now + 1)], batch: 2)
        #expect(try writer.database.number("SELECT count(*) FROM requests") == 1)
    }

    @Test func batchesOfGatewaysWithoutAJournalAreForgotten() throws {
        let database = try database()
        let writer = LedgerWriter(database)
        for process in 1...3 { try writer.write([.sample()], of: Int64(process), batch: 9) }
        try writer.forgetJournals { $0 == 2 }
        #expect(try database.number("SELECT sum(process) FROM journals") == 2)
    }

    private func firstVersion() throws -> SQLiteDatabase {
        let schema = SQLiteSchema(
            application: SQLiteSchema.ledger.application, migrations: [SQLiteSchema.ledger.migrations[0]])
        return try SQLiteDatabase(file, schema: schema)
    }

    /// Only rows that were inserted by hand have fractions.
    @Test func fractionsOfMillisecondsAreDroppedInTheMigration() throws {
        try firstVersion().execute(
            """
            INSERT INTO requests VALUES
                (1,1,'x',1799999999990.5,1800000000000.2,NULL,'o','m',NULL,NULL,0,'f',0,NULL,NULL,NULL,NULL,NULL,1),
                (1,2,'y',1799999999990,1800000000000.7,NULL,'o','m',NULL,NULL,0,'f',0,NULL,NULL,NULL,NULL,NULL,1)
            """)
        let database = try database()
        #expect(try database.number("SELECT count(*) FROM requests WHERE ended = 1800000000000") == 2)
        #expect(try database.number("SELECT count(*) FROM requests WHERE started = 1799999999990") == 2)
        #expect(try database.number("SELECT last FROM kinds") == 1_800_000_000_000)
    }

    @Test func fileOfTheFirstVersionIsMigrated() throws {
        do {
            try firstVersion().execute(
                """
                INSERT INTO requests VALUES
                    (1,1,'x',1799999999990,1800000000000,'k','o','m','u','i',200,'finished',1,10,4,2,'upstream',7,0),
                    (1,2,'y',1799999999990,1800000000000,NULL,'o','m',NULL,NULL,0,'unfinished',0,NULL,NULL,NULL,
                        NULL,NULL,1),
                    (2,1,'z',1799999999990,1800000000000,'k','o','m','u','i',200,'finished',1,20,4,2,'upstream',7,0)
                """)
        }
        let database = try database()
        var rows: [String] = []
        try database.statement("SELECT * FROM requests ORDER BY request_id").rows { row in
            rows.append((0..<17).map { row.isNull($0) ? "-" : row.text($0) }.joined(separator: " "))
        }
        #expect(
            rows == [
                "x 1799999999990 1800000000000 k o m u i 200 finished 1 10 4 2 upstream 7 0",
                "y 1799999999990 1800000000000 - o m - - 0 unfinished 0 - - - - - 1",
                "z 1799999999990 1800000000000 k o m u i 200 finished 1 20 4 2 upstream 7 0",
            ])
        #expect(try database.number("SELECT count(*) FROM kinds") == 2)
    }
}
