import HeadgateConfiguration
import HeadgateEventLoop
import Testing

@testable import HeadgateStores

@Suite struct PostgreSQLConnectionTests {
    private func cause(_ body: () throws -> Void) -> StoreError.Cause? {
        do { try body() } catch { return (error as? StoreError)?.cause }
        return nil
    }

    @Test func valuesAreReadBackUnchanged() throws {
        let connection = try TestDatabase().connection()
        let rows = try connection.query(
            "SELECT $1::bigint, $2::text, $3::text, $4::bigint[] = ARRAY[1, NULL, -3]::bigint[], $5::text[]",
            [
                .integer(.min), .text("'ü\"\\ ${x}"), .null, .integers([1, nil, -3]),
                .texts(["a,\"b\\{}".utf8, "".utf8, "NULL".utf8].map(Array.init)),
            ])
        #expect(rows.count == 1 && rows.integer(0, 0) == .min && rows.text(0, 1) == "'ü\"\\ ${x}")
        #expect(rows.optionalText(0, 2) == nil && rows.flag(0, 3))
        #expect(rows.text(0, 4) == #"{"a,\"b\\{}","","NULL"}"#)
    }

    @Test func charactersThatPostgreSQLRejectsAreReplaced() throws {
        let rows = try TestDatabase().connection().query(
            "SELECT t FROM unnest($1::text[]) AS t", [.texts([[0x61, 0, 0x62], [0xFF, 0x7A], [0xC3]])])
        #expect((0..<3).map { rows.text($0, 0) } == ["a\u{FFFD}b", "\u{FFFD}z", "\u{FFFD}"])
    }

    @Test func wrongPasswordIsReportedWithoutIt() throws {
        let database = try TestDatabase()
        for user in ["owner:hunter%3Atwo", "nobody:hunter%3Atwo"] {
            let server = try database.server(user: user)
            let error = #expect(throws: StoreError.self) { try server.connect() }
            let words = error.map { "\($0)" } ?? ""
            #expect(error?.cause == .refused && error?.isLasting == true)
            #expect(words.contains("authentication failed") && !words.contains("hunter"))
        }
        #expect(
            try database.server(user: "u:hunter%3Atwo").shown("a hunter:two b hunter%3Atwo\nc")
                == "a <redacted> b <redacted> c")
    }

    @Test func missingServerIsReported() throws {
        let url = try PostgreSQLURL(parsing: "postgresql://u:hunter2@/d?host=/nowhere")
        let error = #expect(throws: StoreError.self) { try PostgreSQLServer(url).connect() }
        #expect(error?.cause == .unreachable && error?.isLasting == false)
        #expect(error.map { "\($0)" }?.contains("hunter2") == false)
    }

    @Test func databaseOfAnotherEncodingIsRefused() throws {
        let database = try TestDatabase(encoding: "LATIN1")
        #expect(cause { _ = try database.connection() } == .notUTF8)
    }

    @Test func causesAreDistinguished() throws {
        let connection = try TestDatabase().connection()
        #expect(cause { try connection.query("SELECT nonsense") } == .failed)
        #expect(cause { try connection.query("SELECT pg_sleep(60)", within: .milliseconds(50)) } == .cancelled)
        #expect(!connection.isBroken)
        #expect(cause { try connection.query("SELECT pg_terminate_backend(pg_backend_pid())") } == .unreachable)
        #expect(connection.isBroken)
        #expect(cause { try connection.query("SELECT 1") } == .unreachable)
    }

    @Test func cancelledCallerStopsWaiting() throws {
        let connection = try TestDatabase().connection()
        #expect(
            cause { try connection.query("SELECT pg_sleep(60)", within: .seconds(60), until: { true }) } == .cancelled)
        #expect(connection.isBroken)
    }

    @Test func transactionIsAtomic() throws {
        let database = try TestDatabase()
        let connection = try database.connection()
        try connection.query("CREATE TABLE public.t (a int)")
        #expect(throws: StoreError.self) {
            try connection.transaction { () throws(StoreError) in
                try connection.query("INSERT INTO public.t VALUES (1)")
                try connection.query("SELECT 1 / 0")
            }
        }
        #expect(try database.number("SELECT count(*) FROM public.t") == 0)
        try connection.transaction { () throws(StoreError) in try connection.query("INSERT INTO public.t VALUES (1)") }
        #expect(try database.number("SELECT count(*) FROM public.t") == 1)
    }

    @Test func lostConnectionIsReestablished() throws {
        let link = PostgreSQLLink(to: try TestDatabase().server())
        func number() throws -> Int64 {
            try link.retrying { (connection) throws(StoreError) in
                try connection.query("SELECT pg_backend_pid()").integer(0, 0)
            }
        }
        let first = try number()
        #expect(try number() == first)
        _ = try? link.open().query("SELECT pg_terminate_backend(pg_backend_pid())")
        #expect(try number() != first)
        // The next use of the connection finds its end.
        try TestDatabase(on: link.server.testServer).connection().query("SELECT pg_terminate_backend(\(number()))")
        _ = try number()
    }

    @Test func missingServerIsRetriedWithGrowingPauses() throws {
        var patience = PostgreSQLServer.Patience()
        patience.pause = (.seconds(50), .seconds(3600))
        let url = try PostgreSQLURL(parsing: "postgresql://u@/d?host=/nowhere")
        let link = PostgreSQLLink(to: PostgreSQLServer(url, patience: patience))
        #expect(link.pause == .zero)
        #expect(cause { _ = try link.open() } == .unreachable)
        let pause = link.pause
        #expect(pause > .seconds(40) && pause <= .seconds(50))
        // The server is not called during the pause.
        link.server.change(to: try PostgreSQLURL(parsing: "postgresql://u@/d?host=/elsewhere"))
        #expect(cause { _ = try link.open() } == .unreachable)
        #expect(link.pause <= pause)
    }
}

extension PostgreSQLServer {
    fileprivate var testServer: TestServer { get throws { try TestServer.shared.get() } }
}
