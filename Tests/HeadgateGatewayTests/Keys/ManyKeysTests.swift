import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateStores

/// A hundred thousand managed keys.
@Suite(.serialized) struct ManyKeysTests {
    private static let count = 100_000
    private static let now: Int64 = 1_800_000_000

    private func name(_ number: Int) -> String { "key-\(number + 100_000)" }

    private func digest(_ number: Int) throws -> KeyDigest {
        // The digests differ in their first bytes, as real digests do.
        try #require(KeyDigest(bytes: Array("\(number + 100_000)".utf8) + Array(repeating: 0x30, count: 26)))
    }

    private func keys() -> ManagedKeys { ManagedKeys(report: { Issue.record("\($0)") }) }

    /// A release build takes a tenth of this time: docs/keys.md.
    @Test func keysAreReadInSeconds() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/keys.db"
        let database = try SQLiteDatabase(file, schema: .keys)
        try database.execute(
            """
            INSERT INTO keys
            WITH RECURSIVE number(i) AS (SELECT 100000 UNION ALL SELECT i + 1 FROM number WHERE i < 199999)
            SELECT 'key-' || i, CAST(i || printf('%026d', 0) AS BLOB), CAST(i || printf('%026d', 0) AS BLOB),
                '{"limits":{"requests":"60/m"},"budget":{"usd":"20","every":"month"}}', 0 FROM number
            """)
        let keys = keys()
        var store: DatabaseKeyStore?
        let taken = try ContinuousClock().measure { store = try DatabaseKeyStore(file: file, told: { keys.hear($0) }) }
        defer { store?.close() }
        #expect(keys.table.withLock(\.count) == Self.count && taken < .seconds(5), "\(taken)")
        let lookup = ManagedKeyLookup(keys, beside: [], groups: [])
        for number in [0, 1, Self.count / 2, Self.count - 1] {
            let key = try #require(try lookup.key(try digest(number), at: Self.now))
            #expect(key.name == name(number) && key.limits.count == 1)
        }
        #expect(try lookup.key(try digest(Self.count), at: Self.now) == nil)
    }

    /// Looks up the same few keys among a hundred or a thousand times as many.
    @Test func keysAreFoundInConstantTime() throws {
        func lookup(_ count: Int) throws -> ManagedKeyLookup {
            let all = try (0..<count).map { ManagedKey(name: name($0), digest: try digest($0), created: 0) }
            let keys = self.keys()
            keys.hear(.all(all))
            return ManagedKeyLookup(keys, beside: [], groups: [])
        }
        let digests = try (0..<100).map(digest)
        func time(_ lookup: ManagedKeyLookup) throws -> Duration {
            var shortest = Duration.seconds(3600)
            for _ in 0..<9 {
                let started = ContinuousClock.now
                for _ in 0..<20 {
                    for digest in digests { #expect(try lookup.key(digest, at: Self.now) != nil) }
                }
                let taken = ContinuousClock.now - started
                shortest = min(shortest, taken)
            }
            return shortest
        }
        let (few, many) = (try time(try lookup(100)), try time(try lookup(Self.count)))
        #expect(many < few * 5, "\(few) and \(many)")
    }
}
