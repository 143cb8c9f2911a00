import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateStores

@Suite struct PostgreSQLLedgerTests {
    private let scratch = Scratch()
    private static let now: Int64 = 1_800_000_000_000

    private func ledger(
        _ server: PostgreSQLServer, folder: String? = nil, kept: Int64 = 90 * 86_400_000, slots: Int = 4096,
        forgetting interval: Duration = .seconds(60), reports: Lines = Lines()
    ) throws -> JournaledLedger {
        try JournaledLedger(
            on: server, folder: folder ?? scratch.path, kept: kept, slots: slots, forgetting: interval,
            longestQuestion: .seconds(120), now: { PostgreSQLLedgerTests.now }, report: { reports.add($0) })
    }

    private func journals() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []).filter { $0.contains(".live-") }
    }

    @Test func tableIsReadableWithDatabaseTools() async throws {
        let database = try TestDatabase()
        var whole = LedgerEntry.sample(endedAt: Self.now)
        (whole.upstreamModel, whole.isStream, whole.requestID) = ("inner", true, "it's \"me\"\\")
        var bare = LedgerEntry.sample(key: nil, upstream: nil, cost: nil, endedAt: Self.now + 1)
        (bare.promptTokens, bare.completionTokens, bare.cachedTokens, bare.source) = (nil, nil, nil, nil)
        let ledger = try ledger(try database.server())
        ledger.note(whole)
        ledger.note(bare)
        ledger.close()
        let rows = try database.connection().query(
            """
            SELECT concat_ws(' ', request_id, started, ended, key, operation, model, upstream, upstream_model, status,
                outcome, attempts, prompt_tokens, completion_tokens, cached_tokens, token_source, cost, is_stream)
            FROM headgate.requests ORDER BY ended
            """)
        #expect(
            (0..<rows.count).map { rows.text($0, 0) } == [
                "it's \"me\"\\ 1799999999995 1800000000000 k createChatCompletion m u inner 200 finished 1 10 4 2 "
                    + "upstream 1 t",
                "id 1799999999996 1800000000001  createChatCompletion m   200 finished 1  f",
            ])
        #expect(journals().isEmpty)
    }

    @Test func ledgersOfSeveralMachinesAreOne() async throws {
        let database = try TestDatabase()
        let scratches = [Scratch(), Scratch(), Scratch()]
        let ledgers = try scratches.map { try ledger(try database.server(), folder: $0.path) }
        await withTaskGroup(of: Void.self) { group in
            for (number, ledger) in ledgers.enumerated() {
                group.addTask { for _ in 0..<1000 { ledger.note(.sample(model: "m\(number)")) } }
            }
        }
        for ledger in ledgers {
            let rows = try await ledger.rows(.model, since: 0, count: 3000)
            #expect(rows.map(\.requests) == [1000, 1000, 1000])
        }
        #expect(try database.number("SELECT count(DISTINCT (process, sequence)) FROM headgate.requests") == 3000)
    }

    @Test func killedGatewaysJournalIsWrittenOnce() async throws {
        let database = try TestDatabase()
        let server = try database.server()
        try ledger(server).close()
        do {
            // A killed process leaves this state.
            let prefix = try #require(try journalPrefix(server))
            let journal = try Journal(prefix: prefix, slots: 16)
            _ = journal.begin(.sample(model: "begun"))
            journal.finish(.sample(model: "done"), at: try #require(journal.begin(.sample(model: "done"))))
            // The process was killed after writing this request and before releasing its place.
            try PostgreSQLLedgerDatabase(server).write(
                journal.collect(10), of: journal.process, batch: 7, note: { journal.note(7, of: $0) })
        }
        #expect(journals().count == 1)
        let ledger = try ledger(server)
        let rows = try await ledger.rows(.model, since: 0, count: 2)
        #expect(rows.map(\.name) == ["begun", "done"] && rows.map(\.requests) == [1, 1])
        #expect(rows.map(\.unfinished) == [1, 0])
        ledger.close()
        #expect(journals().isEmpty)
    }

    /// Returns the name prefix of a database's journals.
    private func journalPrefix(_ server: PostgreSQLServer) throws -> String? {
        let ledger = try ledger(server)
        defer { ledger.close() }
        let name = try #require(journals().first)
        return name.range(of: ".live-").map { scratch.path + "/" + name[..<$0.upperBound] }
    }

    @Test func journalsForAnotherDatabaseAreIgnored() async throws {
        let (one, other) = (try TestDatabase(), try TestDatabase())
        let prefix = try #require(try journalPrefix(try one.server()))
        do {
            let journal = try Journal(prefix: prefix, slots: 16)
            journal.finish(.sample(), at: try #require(journal.begin(.sample())))
        }
        let ledger = try ledger(try other.server())
        ledger.note(.sample(model: "own"))
        #expect(try await ledger.rows(.model, since: 0, count: 1).map(\.name) == ["own"])
        ledger.close()
        #expect(journals().count == 1)
        #expect(try await self.ledger(try one.server()).rows(.model, since: 0, count: 1).map(\.name) == ["m"])
    }

    @Test func ledgerWithoutAFolderWorks() async throws {
        let server = try TestDatabase().server()
        let ledger = try JournaledLedger(
            on: server, folder: nil, kept: 1000, now: { PostgreSQLLedgerTests.now }, report: { _ in })
        for _ in 0..<10 { ledger.note(.sample()) }
        #expect(try await ledger.rows(.model, since: 0, count: 10).map(\.requests) == [10])
    }

    @Test(.timeLimit(.minutes(10))) func oneGatewayExpiresRequestsForAll() async throws {
        let database = try TestDatabase()
        _ = try PostgreSQLProbe(database.server()).prepare()
        let scratches = [Scratch(), Scratch()]
        let ledgers = try scratches.map {
            try ledger(try database.server(), folder: $0.path, kept: 1000, forgetting: .milliseconds(5))
        }
        for age in [Int64(0), 999, 1000, 1001, 5000] {
            for ledger in ledgers { ledger.note(.sample(model: "\(age)", endedAt: Self.now - age)) }
        }
        try await until {
            let old = try database.number("SELECT count(*) FROM headgate.requests WHERE ended < \(Self.now - 1000)")
            return try old == 0 && database.number("SELECT count(*) FROM headgate.requests") == 6
        }
        #expect(ledgers.allSatisfy { $0.health.isWorking })
    }

    /// Tables can be changed by hand.
    @Test func rowsOutOfRangeAreStillReported() async throws {
        let database = try TestDatabase()
        let ledger = try ledger(try database.server(), kept: .max / 2)
        ledger.note(.sample(endedAt: 0))
        _ = try await ledger.rows(.model, since: -1, count: 1)
        for (number, tokens) in [(1, Int64.max), (2, .max), (3, -5)] {
            try database.connection().query(
                """
                INSERT INTO headgate.requests VALUES (\(number == 3 ? -7 : 9), \(number), 1, '', 0, '', '', 'm', '', '',
                    -1, '', -1, \(tokens), 1, 1, '', \(tokens), true)
                """)
        }
        let row = try #require(try await ledger.rows(.model, since: -100, count: 4).first)
        #expect(
            row.requests == 4 && row.promptTokens == 2 * LedgerEntry.largestCount + 10 && row.cost == .max
                && row.completionTokens == 7)
        #expect(try await ledger.rows(.day, since: -100, count: 4).map(\.name) == ["0"])
    }

    // MARK: A server that comes and goes

    private func entries(_ ledger: JournaledLedger, _ numbers: Range<Int>) {
        for number in numbers { ledger.note(.sample(model: "\(number)")) }
    }

    private func expectOnceEach(_ ledger: JournaledLedger, _ count: Int) async throws {
        let rows = try await ledger.settledRows(count)
        #expect(rows.count == count && rows.allSatisfy { $0.requests == 1 })
    }

    @Test(.timeLimit(.minutes(10))) func restartedServerLosesNothing() async throws {
        let own = try TestServer()
        defer { own.end() }
        let reports = Lines()
        let ledger = try ledger(try TestDatabase(on: own).server(), reports: reports)
        entries(ledger, 0..<200)
        _ = try await ledger.rows(.model, since: 0, count: 200)
        for round in 0..<3 {
            let first = 200 + round * 200
            entries(ledger, first..<first + 100)
            own.kill()
            entries(ledger, first + 100..<first + 200)
            try await until { !ledger.health.isWorking }
            #expect(ledger.health.pending >= 100)
            own.start()
            try await until { ledger.health.isWorking && ledger.health.pending == 0 }
        }
        try await expectOnceEach(ledger, 800)
        // Each outage is reported once, and so is its end; a busy machine can cause more outages.
        let told = reports.all.filter { !$0.contains("cannot be read") }
        for (number, line) in told.enumerated() {
            #expect(line.hasSuffix(number % 2 == 0 ? "is kept until it can be written" : "is written again"))
        }
        #expect(told.count >= 6 && told.count % 2 == 0 && ledger.health.dropped == 0)
        #expect(!reports.all.joined().contains(TestServer.password) && !reports.all.joined().contains("s3cret"))
    }

    @Test(.timeLimit(.minutes(10))) func suspendedServerLosesNothing() async throws {
        let own = try TestServer()
        defer { own.end() }
        let ledger = try ledger(try TestDatabase(on: own).server(patience: .short))
        entries(ledger, 0..<100)
        _ = try await ledger.rows(.model, since: 0, count: 100)
        for round in 1...2 {
            own.pause()
            entries(ledger, round * 100..<round * 100 + 100)
            try await until { !ledger.health.isWorking }
            own.resume()
        }
        try await until { ledger.health.isWorking && ledger.health.pending == 0 }
        try await expectOnceEach(ledger, 300)
    }

    @Test(.timeLimit(.minutes(10))) func serverMissingAtTheStartIsAwaited() async throws {
        let own = try TestServer()
        defer { own.end() }
        let database = try TestDatabase(on: own)
        own.kill()
        let reports = Lines()
        let ledger = try ledger(try database.server(), slots: 64, reports: reports)
        // The outage is noticed even if there is nothing to write.
        try await until { !ledger.health.isWorking }
        entries(ledger, 0..<80)
        #expect(ledger.health.pending == 64 && ledger.health.dropped == 16)
        guard case .failure(.unreadable) = await ledger.answer(UsageQuestion(by: .key, since: 0)) else {
            Issue.record("it was answered")
            return
        }
        own.start()
        try await until { ledger.health.isWorking && ledger.health.pending == 0 }
        try await expectOnceEach(ledger, 64)
        #expect(reports.all.count { $0.contains("kept until it can be written") } == 1)
    }
}

extension UsageLedger {
    fileprivate func answer(_ question: UsageQuestion) async -> Result<[UsageRow], UsageFailure> {
        await withCheckedContinuation { continuation in
            ask(question, for: StoreInterest()) { continuation.resume(returning: $0) }
        }
    }

    /// Returns the rows by model once there are `count`. Earlier queries can fail.
    fileprivate func settledRows(_ count: Int) async throws -> [UsageRow] {
        while true {
            if case .success(let rows) = await answer(UsageQuestion(by: .model, since: 0)), rows.count >= count {
                return rows
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
