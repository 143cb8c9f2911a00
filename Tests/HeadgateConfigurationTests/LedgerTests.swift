import HeadgateConfiguration
import Testing

@Suite struct LedgerConfigurationTests {
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
                "environment: error: HEADGATE_LEDGER: expected sqlite: and an absolute path, memory or none"
            ])
    }

    @Test(arguments: ["usage.db", "sqlite:a.db", "sqlite:/a/", "/a.db", "mysql://h"])
    func otherPlacesAreRefused(_ text: String) {
        BadInput(
            "\(Self.upstream)ledger: \(text)\n",
            "2:9: error: ledger: expected sqlite: and an absolute path, memory or none"
        ).check()
    }

    @Test func replicasAreToldThatPostgreSQLIsNotThereYet() {
        let found = issues("\(Self.upstream)ledger: postgresql://u:secret@h/db\n")
        #expect(
            found.count == 1 && found[0].contains("PostgreSQL is not supported yet") && !found[0].contains("secret"))
    }
}
