import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateStores

@Suite struct PostgreSQLSchemaTests {
    private func prepare(_ server: PostgreSQLServer) throws { try PostgreSQLSchema.prepare(try server.connect()) }

    private func cause(_ body: () throws -> Void) -> StoreError.Cause? {
        do { try body() } catch { return (error as? StoreError)?.cause }
        return nil
    }

    @Test func tablesAreCreatedOnceByManyGateways() async throws {
        let database = try TestDatabase()
        // Each gateway checks and finds no tables before one of them creates the tables. The gateways run on threads,
        // which other tests do not block.
        let (failures, ends) = (Locked<[String]>([]), (0...6).map { _ in Latch() })
        let gate = try database.server()
        let arguments = PostgreSQLSchema.Lock.schema.arguments
        func run(_ end: Latch, _ body: @escaping @Sendable () throws -> Void) {
            Thread.detachNewThread {
                do { try body() } catch { failures.withLock { $0.append("\(error)") } }
                end.open()
            }
        }
        let isLocked = Latch()
        run(ends[0]) {
            let first = try gate.connect()
            try first.query("SELECT pg_advisory_lock(\(arguments))")
            isLocked.open()
            let waiting = """
                SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            while failures.withLock(\.isEmpty), try first.query(waiting).integer(0, 0) < 6 {}
            try first.query("SELECT pg_advisory_unlock(\(arguments))")
        }
        for end in ends[1...] {
            let server = try database.server()
            run(end) {
                let connection = try server.connect()
                isLocked.wait()
                try PostgreSQLSchema.prepare(connection)
            }
        }
        for end in ends { try await until { end.wait(atMost: .zero) } }
        #expect(failures.withLock(\.self) == [])
        #expect(try database.number("SELECT version FROM headgate.schema_version") == 1)
        try prepare(try database.server())
    }

    @Test func newerTablesAreRefusedAndStayAsTheyAre() throws {
        let database = try TestDatabase()
        try prepare(try database.server())
        try database.connection().query("UPDATE headgate.schema_version SET version = 99")
        let error = #expect(throws: StoreError.self) { try prepare(try database.server()) }
        #expect(error?.cause == .newer && error.map { "\($0)" }?.contains("newer Headgate (its version is 99") == true)
        #expect(try database.number("SELECT version FROM headgate.schema_version") == 99)
        #expect(throws: StoreError.self) { try DatabaseKeyStore(on: try database.server(), told: { _ in }) }
    }

    /// Grants as documented.
    static let grants = [
        "GRANT USAGE ON SCHEMA headgate TO ROLE", "GRANT SELECT ON headgate.schema_version TO ROLE",
        "GRANT SELECT, INSERT, DELETE ON headgate.requests TO ROLE",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON headgate.keys, headgate.former_keys, headgate.revoked_keys "
            + "TO ROLE",
    ]

    @Test func roleWithoutCreateRightsUsesExistingTables() async throws {
        let database = try TestDatabase()
        let role = try database.role("least")
        let server = try database.server(user: "\(role):pw")
        #expect(cause { try prepare(server) } == .noTables)
        #expect(cause { _ = try PostgreSQLProbe(server).look() } == .noTables)
        #expect(try PostgreSQLProbe(database.server()).look().contains("makes its tables"))
        _ = try PostgreSQLProbe(database.server()).prepare()
        #expect(cause { try prepare(server) } == .forbidden)
        let owner = try database.connection()
        for grant in Self.grants { try owner.query(grant.replacing("ROLE", with: role)) }
        try prepare(server)
        #expect(try PostgreSQLProbe(server).look().contains("may use its tables"))
        let scratch = Scratch()
        let ledger = try JournaledLedger(
            on: server, folder: scratch.path, kept: 1000, slots: 64, forgetting: .milliseconds(5), now: { 5000 },
            report: { _ in })
        ledger.note(.sample(model: "old", endedAt: 1000))
        ledger.note(.sample(endedAt: 5000))
        #expect(try await ledger.rows(.model, since: 0, count: 1).map(\.name) == ["m"])
        try await until { try database.number("SELECT count(*) FROM headgate.requests") == 1 }
        let store = try DatabaseKeyStore(on: server, told: { _ in })
        #expect(try await store.add(.sample("a", 1)))
        _ = try await store.rotate("a", to: .sample(2), until: 9, at: 1)
        #expect(try await store.revoke("a"))
        try owner.query("REVOKE INSERT, DELETE ON headgate.keys FROM \(role)")
        let error = #expect(throws: StoreError.self) { try PostgreSQLProbe(server).look() }
        #expect(error?.reason == "it lacks INSERT on headgate.keys, DELETE on headgate.keys")
    }

    /// Other users can create objects in the database.
    @Test func foreignObjectsAreNotTakenForTheGateways() throws {
        let database = try TestDatabase()
        let owner = try database.connection()
        try owner.query("CREATE TABLE public.requests (a int)")
        try owner.query("CREATE FUNCTION public.octet_length(text) RETURNS int LANGUAGE sql AS 'SELECT 1 / 0'")
        try owner.query(
            "ALTER DATABASE \(owner.query("SELECT current_database()").text(0, 0)) SET search_path = public")
        try prepare(try database.server())
        #expect(try database.connection().query("SHOW search_path").text(0, 0) == "pg_catalog, pg_temp")
    }
}
