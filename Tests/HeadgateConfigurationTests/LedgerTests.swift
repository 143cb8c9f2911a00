import HeadgateConfiguration
import HeadgateTesting
import Testing

@Suite struct LedgerConfigurationTests {
    private static let expected =
        "expected sqlite: and an absolute path, postgresql://user@host/database, memory or none"
    private static let upstream = "upstreams: {a: {kind: openai, base_url: \"http://127.0.0.1:9/v1\"}}\n"

    private func ledger(_ text: String, _ environment: [String: String] = [:]) throws -> LedgerConfiguration {
        try parse(LedgerConfigurationTests.upstream + text, environment: environment).ledger
    }

    @Test func placesAreRead() throws {
        #expect(try ledger("") == LedgerConfiguration(place: .standard, lifetime: .seconds(90 * 86_400)))
        #expect(try ledger("ledger: none").place == .none && ledger("ledger: memory").place == .memory)
        #expect(try ledger("ledger: sqlite:/a/b.db").place == .file("/a/b.db"))
        #expect(try ledger("ledger_keep: 12h").lifetime == .seconds(43_200))
    }

    @Test func environmentReplacesTheFile() throws {
        #expect(try ledger("ledger: memory", ["HEADGATE_LEDGER": "none"]).place == .none)
        #expect(try ledger("ledger: memory", ["HEADGATE_LEDGER": ""]).place == .memory)
        #expect(issues(Self.upstream + "ledger: x", environment: ["HEADGATE_LEDGER": "none"]).count == 1)
        #expect(
            issues(Self.upstream, environment: ["HEADGATE_LEDGER": "usage.db"]) == [
                "environment: error: HEADGATE_LEDGER: \(Self.expected)"
            ])
    }

    @Test(arguments: ["usage.db", "sqlite:a.db", "sqlite:/a/", "/a.db", "mysql://h"])
    func otherPlacesAreRefused(_ text: String) {
        BadInput(
            "\(Self.upstream)ledger: \(text)\n",
            "2:9: error: ledger: \(Self.expected)"
        ).check()
    }

    @Test(arguments: [
        "postgresql://headgate@db.lan/usage", "postgres://headgate@[::1]:5433/usage?sslmode=verify-full",
        "postgresql://a,b:5433/usage?target_session_attrs=read-write", "postgresql:///usage?host=/run/postgresql",
        "postgresql://u@%2Frun%2Fpostgresql/usage", "postgresql://h?dbname=usage",
    ]) func databasesAreRead(_ text: String) throws {
        guard case .postgreSQL(let url) = try ledger("ledger: \(text)").place else {
            Issue.record("it is none")
            return
        }
        #expect(url.reveal() == text && !url.holdsPassword)
    }

    @Test func placeIgnoresUserAndPassword() throws {
        let texts = ["u:p%40ss@h:5432", "v:other@h:5432", "h:5432"].map { "postgresql://\($0)/d?sslmode=require" }
        let places = try texts.map { try PostgreSQLURL(parsing: $0).place }
        #expect(places == Array(repeating: "postgresql://h:5432/d", count: 3))
        #expect(try PostgreSQLURL(parsing: "postgresql:///d?host=/a&user=u").place == "postgresql:///d?host=/a")
    }

    @Test func passwordsAreNeverShown() throws {
        let text = "postgresql://u:s%40cret@h/d?sslmode=require&password=hidden"
        let url = try PostgreSQLURL(parsing: text)
        #expect(url.passwords == [Secret("s%40cret"), Secret("s@cret"), Secret("hidden"), Secret("hidden")])
        var dumped = ""
        dump(url, to: &dumped)
        #expect(!"\(url) \(dumped)".contains("cret") && !dumped.contains("hidden"))
        for (file, environment) in [
            ("ledger: \(text)", [:]), ("ledger: postgresql://u:${PG}@h/d", ["PG": "s%40cret"]),
            ("", ["HEADGATE_LEDGER": text]),
        ] {
            let folder = try TemporaryFolder()
            let path = try folder.file("h.yaml", Self.upstream + file)
            let shown = try Configuration.explain(path: path, environment: environment)
                .first { $0.path == "ledger" }?.value
            #expect(shown?.hasPrefix("postgresql://u:<redacted>@h/d") == true && shown?.contains("hidden") == false)
        }
    }

    @Test(arguments: [
        ("postgresql://u:sec:ret@h/d", "a ':' in the password"), ("postgresql://u:sec@ret@h/d", "more than one '@'"),
        ("postgresql://u:secret%@h/d", "without two hexadecimal digits"),
        ("postgresql://u:secret@h", "names no database"),
        ("postgresql://u:secret@h:x/d", "expected a port"), ("postgresql://u:secret@h:0/d", "expected a port"),
        ("postgresql://u:secret@h/d/e", "one name of a database"),
        ("postgresql://u:secret@h/d?x=secret", "does not know"),
        ("postgresql://u:secret@h/d?sslmode", "name=value"), ("postgresql:u:secret@h/d", "expected postgresql://"),
        ("postgresql://u:secret@[::1/d", "lacks its ']'"), ("postgresql://u:secret%00@h/d", "control character"),
    ]) func invalidDatabasesAreReportedWithoutPasswords(_ text: String, _ words: String) {
        let found = issues("\(Self.upstream)ledger: \"\(text)\"\n")
        #expect(found.count == 1 && found[0].contains("2:9: error: ledger: ") && found[0].contains(words))
        #expect(!found[0].contains("ret"))
    }

    @Test func placeIsReadDespiteOtherMistakes() throws {
        let text = "upstreams: {a: {kind: openai, api_key: \"${MISSING}\"}}\nledger: memory\n"
        #expect(!issues(text).isEmpty)
        let folder = try TemporaryFolder()
        let path = try folder.file("h.yaml", text)
        #expect(try Configuration.ledgerPlace(path: path, environment: [:]) == .memory)
        #expect(try Configuration.ledgerPlace(path: nil, environment: ["HEADGATE_LEDGER": "none"]) == .none)
        #expect(throws: ConfigurationError.self) {
            try Configuration.ledgerPlace(path: nil, environment: ["HEADGATE_LEDGER": "x"])
        }
    }
}
