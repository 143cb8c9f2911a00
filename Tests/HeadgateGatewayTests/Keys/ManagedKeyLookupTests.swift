import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ManagedKeyLookupTests {
    private static let now: Int64 = 1_800_000_000

    private func digest(_ text: String) -> KeyDigest { KeyDigest(of: text.utf8) }

    private func keys(_ all: [ManagedKey], reports: Locked<[String]> = Locked([])) -> ManagedKeys {
        let keys = ManagedKeys(report: { line in reports.withLock { $0.append(line) } })
        keys.hear(.all(all))
        return keys
    }

    @Test func aFormerKeyEndsWithItsGrace() throws {
        var key = ManagedKey(name: "a", digest: digest("old"), created: 0)
        key = key.rotated(to: digest("new"), until: Self.now + 10, at: Self.now)
        let lookup = ManagedKeyLookup(keys([key]), beside: [], groups: [])
        #expect(try lookup.key(digest("old"), at: Self.now + 9)?.name == "a")
        #expect(try lookup.key(digest("old"), at: Self.now + 10) == nil)
        #expect(try lookup.key(digest("new"), at: Self.now + 10)?.name == "a")
        // Objects that were created with the former key still belong to it.
        #expect(try lookup.key(digest("new"), at: Self.now)?.digest == digest("old"))
    }

    @Test func removedKeyDoesNotAffectTheOwnerOfItsFormerDigest() throws {
        var first = ManagedKey(name: "a", digest: digest("shared"), created: 0)
        first = first.rotated(to: digest("new"), until: Self.now + 10, at: Self.now)
        let second = ManagedKey(name: "b", digest: digest("shared"), created: 0)
        var table = ManagedKeyTable([first, second])
        table.change("a", to: nil)
        #expect(table[digest("shared")]?.subject.name == "b" && table[digest("new")] == nil)
    }

    /// The database has not replied since the process started.
    @Test func unknownSharedKeysNeitherAdmitNorFinallyRefuse() throws {
        let keys = ManagedKeys(areShared: true, report: { _ in })
        let lookup = ManagedKeyLookup(keys, beside: [], groups: [])
        #expect(keys.areUnknown && lookup.isCompiled)
        #expect(throws: GatewayError.self) { try lookup.key(digest("1"), at: Self.now) }
        // A key is required even if the configuration has none.
        let clientKeys = ClientKeys([], managed: lookup)
        #expect(!clientKeys.isKeyless)
        let configured = KeyConfiguration(name: "b", digest: digest("2").bytes)
        #expect(try ClientKeys([configured], managed: lookup).key(digest: digest("2"), at: Self.now)?.name == "b")
        keys.hear(.all([ManagedKey(name: "a", digest: digest("1"), created: 0)]))
        #expect(try lookup.key(digest("1"), at: Self.now)?.name == "a")
        #expect(try lookup.key(digest("3"), at: Self.now) == nil)
        #expect(!keys.areUnknown)
        // A key is still required after the last managed key is removed.
        keys.hear(.all([]))
        #expect(!ClientKeys([], managed: ManagedKeyLookup(keys, beside: [], groups: [])).isKeyless)
    }

    @Test func keyOfTheConfigurationWinsItsName() throws {
        let keys = keys([ManagedKey(name: "a", digest: digest("1"), created: 0)])
        let configured = KeyConfiguration(name: "a", digest: digest("2").bytes)
        #expect(try ManagedKeyLookup(keys, beside: [configured], groups: []).key(digest("1"), at: Self.now) == nil)
        #expect(keys.names(alsoOf: [configured]) == ["a"])
        // Without the configured key, the managed key has the name.
        #expect(try ManagedKeyLookup(keys, beside: [], groups: []).key(digest("1"), at: Self.now)?.name == "a")
    }

    @Test func settingsFollowTheServedConfiguration() throws {
        let reports = Locked<[String]>([])
        let keys = keys(
            [ManagedKey(name: "a", digest: digest("1"), settings: #"{"group":"team"}"#, created: 0)], reports: reports)
        let group = GroupConfiguration(name: "team", limits: UsageLimits(inFlight: 2))
        let with = ManagedKeyLookup(keys, beside: [], groups: [group])
        let without = ManagedKeyLookup(keys, beside: [], groups: [])
        #expect(try with.key(digest("1"), at: Self.now)?.limits.count == 1)
        // Without its group, the key would lose the group's limits.
        for _ in 0..<3 { #expect(try without.key(digest("1"), at: Self.now) == nil) }
        #expect(reports.withLock { $0.count } == 1)
        #expect(reports.withLock { $0[0] }.hasPrefix("the managed key 'a' is refused: group"))
        #expect(try with.key(digest("1"), at: Self.now) != nil)
    }

    /// The key is accepted, and each request is refused with the reason, so that the operator can add a ledger.
    @Test func strictBudgetWithoutALedgerIsReportedOnce() throws {
        let reports = Locked<[String]>([])
        let settings = #"{"budget":{"tokens":1,"every":"day","strict":true}}"#
        let keys = keys(
            [ManagedKey(name: "a", digest: digest("1"), settings: settings, created: 0)], reports: reports)
        let with = ManagedKeyLookup(keys, beside: [], groups: [], hasLedger: true)
        #expect(try with.key(digest("1"), at: Self.now) != nil && reports.withLock(\.isEmpty))
        let without = ManagedKeyLookup(keys, beside: [], groups: [], hasLedger: false)
        for _ in 0..<3 { #expect(try without.key(digest("1"), at: Self.now) != nil) }
        #expect(reports.withLock { $0.count } == 1)
        #expect(
            reports.withLock { $0[0] }.hasPrefix("the managed key 'a': budget: strict: true needs a ledger"))
    }

    @Test(arguments: [
        "", "[]", "{", #"{"future":1}"#, #"{"name":"b"}"#, #"{"models":["m"],"models":["*"]}"#,
        #"{"limits":{"in_flight":1,"in_flight":9}}"#,
    ])
    func keyWithUnreadableSettingsIsRefused(_ settings: String) throws {
        let keys = keys([ManagedKey(name: "a", digest: digest("1"), settings: settings, created: 0)])
        #expect(try ManagedKeyLookup(keys, beside: [], groups: []).key(digest("1"), at: Self.now) == nil)
    }

    /// A configuration that was compiled without managed keys has no limits for them.
    @Test func firstKeyWaitsForAConfigurationWithIt() throws {
        let keys = keys([])
        let before = ManagedKeyLookup(keys, beside: [], groups: [])
        keys.hear(.changed([("a", ManagedKey(name: "a", digest: digest("1"), created: 0))]))
        let error = #expect(throws: GatewayError.self) { try before.key(digest("1"), at: Self.now) }
        #expect(error?.status == 503 && error?.headerFields[.retryAfter] == "1")
        #expect(try before.key(digest("2"), at: Self.now) == nil)
        let after = ManagedKeyLookup(keys, beside: [], groups: [])
        #expect(after.isCompiled && !before.isCompiled)
        #expect(try after.key(digest("1"), at: Self.now)?.name == "a")
        // Managed keys stay compiled after the last one is removed.
        keys.areServed = true
        keys.hear(.all([]))
        #expect(ManagedKeyLookup(keys, beside: [], groups: []).isCompiled)
    }

    @Test func managedKeysPreventASoleCaller() {
        func snapshot(_ keys: ManagedKeys?) -> GatewaySnapshot {
            var parts = GatewayParts()
            parts.managedKeys = keys
            let configured = Array(InProcessGateway.keys.prefix(1))
            return GatewaySnapshot(
                Configuration(upstreams: [], models: [], keys: configured), upstreams: [], parts: parts)
        }
        #expect(snapshot(nil).relay.hasOneCaller && snapshot(keys([])).relay.hasOneCaller)
        #expect(!snapshot(keys([])).relay.keys.areLimited)
        let several = snapshot(keys([ManagedKey(name: "a", digest: digest("1"), created: 0)]))
        #expect(!several.relay.hasOneCaller && several.relay.keys.areLimited && several.servesManagedKeys)
    }

    @Test func wrongKeysAreSlowedWithManagedKeys() throws {
        let keys = keys([ManagedKey(name: "a", digest: digest("right"), created: 0)])
        let middleware = AuthenticationMiddleware(
            keys: ClientKeys(InProcessGateway.keys, managed: ManagedKeyLookup(keys, beside: [], groups: [])),
            wrongKeys: WrongKeys(), now: { Self.now * 1_000_000_000 })
        func status(_ key: String) -> Int {
            do {
                return try middleware.authenticate(HeadFields([.xAPIKey: key]), from: "203.0.113.9").name == "a"
                    ? 200 : 0
            } catch {
                return error.status
            }
        }
        #expect((0..<12).map { status("wrong-\($0)") } == [Int](repeating: 401, count: 10) + [429, 429])
        // A valid key is still accepted, and a revoked key is a wrong one.
        #expect(status("right") == 200)
        keys.hear(.changed([("a", nil)]))
        #expect(status("right") == 429)
    }
}
