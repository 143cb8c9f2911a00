import Testing

@testable import HeadgateStores

@Suite struct MoveRetryTests {
    private let scratch = Scratch()
    private var file: String { scratch.path + "/usage.db" }
    private let start = ContinuousClock.now

    private func error(_ reason: String = "") -> StoreError { StoreError(.failed, file, reason) }

    @Test func pausesGrowToAMinute() {
        var retry = MoveRetry()
        var now = start
        #expect(retry.reason(of: nil, at: now) == nil)
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            retry.note(error("\(seconds)"), of: nil, at: now)
            now = now.advanced(by: .seconds(seconds) - .nanoseconds(1))
            #expect(retry.reason(of: nil, at: now) == error("\(seconds)"))
            now = now.advanced(by: .nanoseconds(1))
            #expect(retry.reason(of: nil, at: now) == nil)
        }
    }

    @Test func anotherFileIsTriedAtOnceAndPausesRestart() throws {
        _ = try SQLiteDatabase(file, schema: nil)
        let identity = try #require(FileIdentity(of: file))
        var retry = MoveRetry()
        for _ in 0..<5 { retry.note(error(), of: nil, at: start) }
        #expect(retry.reason(of: identity, at: start) == nil)
        retry.note(error(), of: identity, at: start)
        #expect(retry.reason(of: identity, at: start) != nil)
        #expect(retry.reason(of: identity, at: start.advanced(by: .seconds(1))) == nil)
    }

    /// A foreign table has the name of one that the migration creates.
    @Test func failedMigrationIsRetriedOnlyAfterThePause() throws {
        let schema = SQLiteSchema(
            application: SQLiteSchema.ledger.application, migrations: [SQLiteSchema.ledger.migrations[0]])
        let old = try SQLiteDatabase(file, schema: schema)
        try old.execute("CREATE TABLE kinds (mine TEXT)")
        var now = start
        var moves = 0
        let reader = try LedgerReader(file, isThere: false, longest: .seconds(60), report: { _ in })
        let ledger = LedgerFile(file, nil, reader, now: { now }, isOpened: { moves += 1 }, isGone: {})
        #expect(throws: StoreError.self) { try ledger.forget(before: 0) }
        // The obstacle is gone, but the file is not retried yet.
        try old.execute("DROP TABLE kinds")
        now = start.advanced(by: .milliseconds(999))
        for _ in 0..<3 { #expect(throws: StoreError.self) { try ledger.forget(before: 0) } }
        #expect(try old.number("PRAGMA user_version") == 1 && moves == 0)
        now = start.advanced(by: .seconds(1))
        #expect(try !ledger.forget(before: 0))
        #expect(try old.number("PRAGMA user_version") == 2 && moves == 1)
        reader.close()
    }
}
