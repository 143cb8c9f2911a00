import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

@Suite struct StateCopyTests {
    private static let now: Int64 = 1_800_000_000_000

    /// Returns a folder with requests and keys.
    private func filled(_ requests: Int = 500) async throws -> Scratch {
        let scratch = Scratch()
        let ledger = try JournaledLedger(
            file: scratch.path + "/usage.db", kept: .max / 2, now: { StateCopyTests.now }, report: { _ in })
        for number in 0..<requests {
            var entry = LedgerEntry.sample(
                key: number % 3 == 0 ? nil : "k", model: "m\(number % 5)", cost: number % 7 == 0 ? nil : number,
                endedAt: Self.now + Int64(number / 50))
            entry.requestID = number % 10 < 4 ? "twin" : "\(number)"
            (entry.isStream, entry.source) = (number % 2 == 0, [nil, .upstream, .partial, .estimated][number % 4])
            entry.upstreamModel = number % 11 == 0 ? "über\\\"" : nil
            ledger.note(entry)
        }
        _ = try await ledger.rows(.model, since: 0, count: requests)
        ledger.close()
        let archive = try SQLiteArchive(scratch.path + "/usage.db")
        var unfinished = LedgerEntry.sample(endedAt: Self.now)
        (unfinished.outcome, unfinished.status, unfinished.attempts) = (LedgerEntry.unfinished, 0, 0)
        try SlotMemory.withRows(of: [unfinished]) { (rows) throws(StoreError) in try archive.add(rows) }
        let keys = KeyFile(scratch.path + "/keys.db", prepare: {})
        for number in 0..<20 {
            #expect(
                try keys.add(ManagedKey(name: "key-\(number)", digest: KeyDigest(of: "\(number)".utf8), created: 1)))
        }
        _ = try keys.rotate("key-3", to: .sample(200), until: Self.now, at: 1)
        return scratch
    }

    private func requests(_ archive: any LedgerArchive) throws -> [String] {
        try archive.requests(from: 0, before: nil, limit: nil).map { "\($0)" }.sorted()
    }

    @Test func stateGoesToPostgreSQLAndBack() async throws {
        let scratch = try await filled()
        let server = try TestDatabase().server()
        let there = StateCopy(from: .folder(scratch.path), to: .server(server), portion: 70)
        let lines = Lines()
        #expect(try there.copyRequests { lines.add("\($0.read)") } == StateCopy.Counts(read: 501, added: 501))
        #expect(lines.all.count > 5 && lines.all.last == "501")
        #expect(try there.copyKeys() == StateCopy.Counts(read: 20, added: 20))
        let original = try requests(SQLiteArchive(scratch.path + "/usage.db"))
        #expect(try requests(PostgreSQLArchive(server)) == original && original.count == 501)
        let other = Scratch()
        let back = StateCopy(from: .server(server), to: .folder(other.path), portion: 33)
        #expect(try back.copyRequests()?.added == 501)
        #expect(try back.copyKeys()?.added == 20)
        #expect(try requests(SQLiteArchive(other.path + "/usage.db")) == original)
        let keys = [scratch, other].map { KeyFile($0.path + "/keys.db", prepare: {}) }
        #expect(try keys[0].list(after: "", limit: 100) == keys[1].list(after: "", limit: 100))
        // A copy back to the origin adds nothing.
        #expect(try StateCopy(from: .server(server), to: .folder(scratch.path)).copyRequests()?.added == 0)
    }

    @Test func repeatedCopyAddsMissingRows() async throws {
        let scratch = try await filled()
        let database = try TestDatabase()
        let copy = StateCopy(from: .folder(scratch.path), to: .server(try database.server()))
        _ = try copy.copyRequests()
        _ = try copy.copyKeys()
        #expect(try copy.copyRequests() == StateCopy.Counts(read: 501, added: 0))
        #expect(try copy.copyKeys() == StateCopy.Counts(read: 20, added: 0))
        // An interrupted copy leaves this state.
        let removed = try database.connection().query(
            "DELETE FROM headgate.requests WHERE (ended + sequence) % 3 = 0"
        ).changes
        #expect(removed > 100)
        try database.connection().query("DELETE FROM headgate.keys WHERE name = 'key-3'")
        try database.connection().query("UPDATE headgate.keys SET settings = '{\"admin\":true}' WHERE name = 'key-4'")
        #expect(try copy.copyRequests() == StateCopy.Counts(read: 501, added: removed))
        #expect(try copy.copyKeys() == StateCopy.Counts(read: 20, added: 1, different: 1))
        #expect(try database.number("SELECT count(*) FROM headgate.requests") == 501)
        #expect(try database.number("SELECT count(*) FROM headgate.keys WHERE settings LIKE '%admin%'") == 1)
    }

    @Test func groupsOfRevokedKeysAreCopiedWithTheLaterRevocation() throws {
        let scratch = Scratch()
        let keys = KeyFile(scratch.path + "/keys.db", prepare: {})
        func revoke(_ name: String, _ group: String) throws {
            let digest = KeyDigest(of: "\(name) \(group)".utf8)
            #expect(
                try keys.add(ManagedKey(name: name, digest: digest, settings: #"{"group":"\#(group)"}"#, created: 1)))
            #expect(try keys.revoke(name))
        }
        try revoke("gone", "team-a")
        try revoke("other", "team-b")
        #expect(try keys.revokedKeys().map(\.name) == ["gone", "other"])
        let (server, other) = (try TestDatabase().server(), Scratch())
        let there = StateCopy(from: .folder(scratch.path), to: .server(server))
        #expect(try there.copyKeys() == StateCopy.Counts(revoked: 2))
        #expect(try there.copyKeys() == StateCopy.Counts())
        #expect(try StateCopy(from: .server(server), to: .folder(other.path)).copyKeys()?.revoked == 2)
        let copies: [any KeyDatabase] = [PostgreSQLKeys(server), KeyFile(other.path + "/keys.db", prepare: {})]
        for copy in copies {
            #expect(try copy.revokedSettings() == keys.revokedSettings())
            let known = try #require(try copy.revokedKeys().first)
            func again(_ settings: String, after seconds: Int64) throws -> Int {
                try copy.addRevoked([
                    RevokedKey(name: known.name, settings: settings, revokedAt: known.revokedAt + seconds)
                ])
            }
            #expect(try again("earlier", after: -1) == 0)
            #expect(try again("later", after: 1) == 1)
            #expect(try copy.revokedSettings()["gone"] == "later")
        }
    }

    /// A SQLite tool can write such rows.
    @Test func rowsOutOfRangeAreCopiedOnce() throws {
        let scratch = Scratch()
        do {
            let database = try SQLiteDatabase(scratch.path + "/usage.db", schema: .ledger)
            try database.execute(
                "INSERT INTO kinds VALUES (1,'x','','o','m','','',200,'finished',-1,'what',0)")
            try database.execute("INSERT INTO entries VALUES (9223372036854775807,1,'',-9,-1,9223372036854775807,1,-5)")
        }
        let copy = StateCopy(from: .folder(scratch.path), to: .server(try TestDatabase().server()))
        #expect(try copy.copyRequests() == StateCopy.Counts(read: 1, added: 1))
        #expect(try copy.copyRequests() == StateCopy.Counts(read: 1, added: 0))
    }

    @Test func newerPlacesAreRefused() async throws {
        let (scratch, database) = (try await filled(1), try TestDatabase())
        _ = try PostgreSQLProbe(database.server()).prepare()
        try database.connection().query("UPDATE headgate.schema_version SET version = 2")
        for copy in [
            StateCopy(from: .folder(scratch.path), to: .server(try database.server())),
            StateCopy(from: .server(try database.server()), to: .folder(scratch.path)),
        ] {
            #expect(throws: StoreError.self) { try copy.copyRequests() }
            #expect(throws: StoreError.self) { try copy.copyKeys() }
        }
    }

    @Test func placeWithoutAFileHasNothing() throws {
        let copy = StateCopy(from: .folder(Scratch().path), to: .folder(Scratch().path))
        #expect(try copy.copyRequests() == nil && copy.copyKeys() == nil)
    }
}
