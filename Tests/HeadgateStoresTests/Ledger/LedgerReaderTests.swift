import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateStores

/// Queries of a ledger during writes.
@Suite struct LedgerReaderTests {
    private let scratch = Scratch()
    private var file: String { scratch.path + "/usage.db" }

    private func ask(
        _ reader: LedgerReader, key: String? = nil, for interest: StoreInterest = StoreInterest()
    ) async -> Result<[UsageRow], UsageFailure> {
        await withCheckedContinuation { continuation in
            reader.ask(UsageQuestion(by: .model, since: 0, key: key), for: interest) {
                continuation.resume(returning: $0)
            }
        }
    }

    private static func isBusy(_ result: Result<[UsageRow], UsageFailure>) -> Bool {
        if case .failure(.busy) = result { true } else { false }
    }

    /// Blocks the reader until the latch is open.
    private func blocked(_ reader: LedgerReader, by latch: Latch) async throws {
        let begun = Latch()
        reader.ask(UsageQuestion(by: .model, since: 0, key: "blocker"), for: StoreInterest()) { _ in
            begun.open()
            latch.wait()
        }
        try await until { begun.wait(atMost: .zero) }
    }

    @Test func concurrentQueriesAreLimitedPerKeyAndInTotal() async throws {
        let reader = try LedgerReader(file, longest: .seconds(60)) { _ in }
        defer { reader.close() }
        let (latch, answers) = (Latch(), Locked<[Bool]>([]))
        try await blocked(reader, by: latch)
        let note: @Sendable (Result<[UsageRow], UsageFailure>) -> Void = { result in
            answers.withLock { $0.append(Self.isBusy(result)) }
        }
        for key in ["a", "a"] {
            reader.ask(UsageQuestion(by: .model, since: 0, key: key), for: StoreInterest(), completion: note)
        }
        #expect(answers.withLock(\.self) == [true])
        // Admins have the remaining seats.
        for _ in 0..<QuestionSeats.count {
            reader.ask(UsageQuestion(by: .model, since: 0), for: StoreInterest(), completion: note)
        }
        #expect(answers.withLock { $0.count { $0 } } == 2)
        latch.open()
        try await until { answers.withLock { $0.count } >= 2 + QuestionSeats.count }
        #expect(answers.withLock { $0.count { $0 } } == 2)
        #expect(!Self.isBusy(await ask(reader, key: "a")))
    }

    @Test func slowQueryTimesOutAndTheNextIsServed() async throws {
        try LedgerWriter(SQLiteDatabase(file, schema: .ledger)).write((0..<3000).map { .sample(model: "m\($0)") })
        let reports = Lines()
        let impatient = try LedgerReader(file, longest: .zero) { reports.add($0) }
        defer { impatient.close() }
        for _ in 0..<2 {
            guard case .failure(.slow) = await ask(impatient) else {
                Issue.record("it was answered")
                continue
            }
        }
        #expect(reports.all.count == 1 && reports.all[0].contains("a question of usage was given up after 0 s"))
        let patient = try LedgerReader(file, longest: .seconds(60)) { _ in }
        defer { patient.close() }
        #expect(try await ask(patient).get().count == 3000)
        let gone = StoreInterest()
        gone.end()
        #expect(try await ask(patient, for: gone).get().isEmpty)
    }

    /// A SQLite tool can write such rows.
    @Test func rowsOutOfRangeAreStillReported() async throws {
        let writer = try SQLiteDatabase(file, schema: .ledger)
        for statement in [
            """
            INSERT INTO kinds VALUES (1,'x','','','m','','',200,'finished',1,'upstream',0),
                (2,0,'','','m','','','x','',-1,'',9)
            """,
            "INSERT INTO entries VALUES (1,1,'','x',9e18,-5,'x',-5)",
            "INSERT INTO entries VALUES (9223372036854775807,2,'',-9,9223372036854775807,1,1,9223372036854775807)",
            "INSERT INTO entries VALUES (9223372036854775806,2,'',0,9223372036854775807,1,1,9223372036854775807)",
            // A row before 1970, and one of an unknown kind.
            "INSERT INTO entries VALUES (-7,2,'',0,1,1,1,1), (9,3,'',0,1,1,1,1)",
        ] as [StaticString] { try writer.execute(statement) }
        let reader = try LedgerReader(file, longest: .seconds(60)) { _ in }
        defer { reader.close() }
        let row = try #require(try await ask(reader).get().first)
        #expect(
            row.requests == 3 && row.promptTokens == 3 * LedgerEntry.largestCount && row.cost == .max
                && row.completionTokens == 2)
        let days = try await withCheckedContinuation { continuation in
            reader.ask(UsageQuestion(by: .day, since: 0), for: StoreInterest()) { continuation.resume(returning: $0) }
        }.get()
        #expect(days.allSatisfy { (Int64($0.name) ?? -1) >= 0 } && days.reduce(0) { $0 + $1.requests } == 3)
    }

    @Test func readerChangesNothing() throws {
        let database = try SQLiteDatabase(file, schema: .ledger)
        try database.forbidChanges()
        #expect(throws: StoreError.self) { try database.execute("DELETE FROM entries") }
    }
}
