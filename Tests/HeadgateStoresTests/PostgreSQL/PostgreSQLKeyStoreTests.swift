import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateStores

@Suite struct PostgreSQLKeyStoreTests {
    @Test(.timeLimit(.minutes(10))) func everyGatewayIsNotifiedOfOthersChanges() async throws {
        let database = try TestDatabase()
        let heard = [HeardKeys(), HeardKeys()]
        let stores = try heard.map { heard in
            try DatabaseKeyStore(on: try database.server(), patience: .seconds(120), told: { heard.hear($0) })
        }
        #expect(try await stores[0].add(.sample("a", 1)))
        try await until { heard[1].names == ["a"] }
        let rotated = try await stores[1].rotate("a", to: .sample(2), until: 100, at: 1)
        try await until { heard[0]["a"] == rotated }
        let start = ContinuousClock.now
        #expect(try await stores[0].revoke("a"))
        try await until { heard[1].names.isEmpty }
        // The news takes less than a second on an idle machine, which `test_postgresql` checks.
        #expect(start.duration(to: heard[1].last) < .seconds(10))
    }

    /// A database tool can make such changes.
    @Test(.timeLimit(.minutes(10))) func manualChangesAreNoticed() async throws {
        let database = try TestDatabase()
        let heard = HeardKeys()
        let store = try DatabaseKeyStore(on: try database.server(), patience: .seconds(120), told: { heard.hear($0) })
        for number in 1...3 { #expect(try await store.add(.sample("k\(number)", UInt8(number)))) }
        let owner = try database.connection()
        try owner.query("DELETE FROM headgate.keys WHERE name = 'k1'")
        try await until { heard.names == ["k2", "k3"] }
        try owner.query("UPDATE headgate.keys SET name = 'renamed' WHERE name = 'k2'")
        try await until { heard.names == ["renamed", "k3"] }
        try owner.query("TRUNCATE headgate.keys CASCADE")
        try await until { heard.names.isEmpty }
    }

    @Test(.timeLimit(.minutes(10))) func manyChangesAtOnceAreNoticed() async throws {
        let database = try TestDatabase()
        let heard = HeardKeys()
        let store = try DatabaseKeyStore(on: try database.server(), patience: .seconds(120), told: { heard.hear($0) })
        try database.connection().query(
            """
            INSERT INTO headgate.keys SELECT 'k' || n, sha256(n::text::bytea), sha256(n::text::bytea), '{}', n
                FROM generate_series(1, 3000) AS n
            """)
        try await until { heard.names.count == 3000 }
        #expect(try await store.list(limit: 5000).count == 3000)
    }

    @Test(.timeLimit(.minutes(10))) func keysAreReloadedOnceTheServerIsBack() async throws {
        let own = try TestServer()
        defer { own.end() }
        let database = try TestDatabase(on: own)
        let (heard, reports) = (HeardKeys(), Lines())
        let store = try DatabaseKeyStore(
            on: try database.server(), patience: .seconds(120), told: { heard.hear($0) }, report: { reports.add($0) })
        #expect(try await store.add(.sample("a", 1)))
        #expect(try await store.add(.sample("b", 2)))
        own.kill()
        try await until { !reports.all.isEmpty }
        // Keys are accepted as before the outage.
        #expect(heard.names == ["a", "b"] && reports.all[0].contains("keys are let in as they were"))
        await #expect(throws: KeyStoreFailure.self) { try await store.revoke("a") }
        own.start()
        // The store receives no notification of changes made before it reconnects.
        try database.connection().query("DELETE FROM headgate.keys WHERE name = 'a'")
        try await until { heard.names == ["b"] }
        #expect(!reports.all.joined().contains("s3cret"))
        #expect(try await store.find("b") == .sample("b", 2))
    }

    @Test(.timeLimit(.minutes(10))) func serverMissingAtTheStartIsAwaited() async throws {
        let own = try TestServer()
        defer { own.end() }
        let database = try TestDatabase(on: own)
        let first = try DatabaseKeyStore(on: try database.server(), patience: .seconds(120), told: { _ in })
        #expect(try await first.add(.sample("a", 1)))
        first.close()
        own.kill()
        let heard = HeardKeys()
        let store = try DatabaseKeyStore(on: try database.server(), patience: .seconds(120), told: { heard.hear($0) })
        #expect(!heard.isComplete)
        own.start()
        try await until { heard.isComplete }
        #expect(heard.names == ["a"])
        store.close()
    }

    @Test func permanentFailureIsReportedAtTheStart() throws {
        let database = try TestDatabase()
        let error = #expect(throws: StoreError.self) {
            try DatabaseKeyStore(on: try database.server(user: "owner:wrong"), told: { _ in })
        }
        #expect(error?.cause == .refused)
    }

    @Test func noKeyIsInTheTables() async throws {
        let database = try TestDatabase()
        let text = NewKey.make()
        let store = try DatabaseKeyStore(on: try database.server(), patience: .seconds(120), told: { _ in })
        #expect(try await store.add(ManagedKey(name: "laptop", digest: KeyDigest(of: text.utf8), created: 0)))
        let row = try database.connection().query("SELECT keys::text FROM headgate.keys").text(0, 0)
        #expect(row.contains(KeyDigest(of: text.utf8).hexadecimal) && !row.contains(text.dropFirst(3)))
    }

    @Test func textsWithNULAreRefused() async throws {
        let store = try DatabaseKeyStore(on: try TestDatabase().server(), patience: .seconds(120), told: { _ in })
        await #expect(throws: KeyStoreFailure.self) { try await store.add(.sample("a\0b")) }
        #expect(try await store.find("a\0b") == nil)
        #expect(try await store.list().isEmpty)
    }

    @Test func aClosedStoreReportsThat() async throws {
        let store = try DatabaseKeyStore(on: try TestDatabase().server(), patience: .seconds(120), told: { _ in })
        #expect(store.close())
        await #expect(throws: KeyStoreFailure.self) { try await store.add(.sample("a")) }
    }

    @Test func onlyOneOfTwoEqualAdditionsSucceeds() async throws {
        let database = try TestDatabase()
        let stores = try (0..<4).map { _ in
            try DatabaseKeyStore(on: try database.server(), patience: .seconds(120), told: { _ in })
        }
        for round in 0..<10 {
            let added = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (number, store) in stores.enumerated() {
                    // Two stores add an equal name, or an equal key under another name.
                    let name = number % 2 == 0 ? "k\(round)" : "l\(round)"
                    group.addTask { try await store.add(.sample(name, UInt8(round))) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(added == 1)
        }
    }
}
