import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import Testing

@testable import HeadgateStores

/// Contract of every key store.
@Suite struct KeyStoreContractTests {
    enum Kind: CaseIterable {
        case memory
        case sqlite
        case postgreSQL
    }

    private let scratch = Scratch()
    private static let now: Int64 = 1_800_000_000

    private func store(_ kind: Kind, _ heard: HeardKeys = HeardKeys()) throws -> any KeyStore {
        switch kind {
        case .memory: MemoryKeyStore(told: { heard.hear($0) })
        case .sqlite: try DatabaseKeyStore(file: scratch.path + "/keys.db", told: { heard.hear($0) })
        case .postgreSQL:
            try DatabaseKeyStore(on: TestDatabase().server(), patience: .seconds(120), told: { heard.hear($0) })
        }
    }

    @Test(arguments: Kind.allCases) func addedKeyIsFound(_ kind: Kind) async throws {
        let store = try store(kind)
        let key = ManagedKey.sample("laptop", settings: #"{"models":["gpt-*"],"limits":{"requests":"60/m"}}"#)
        #expect(try await store.add(key))
        #expect(try await store.find("laptop") == key)
        #expect(try await store.find("Laptop") == nil)
        #expect(try await store.list() == [key])
    }

    @Test(arguments: Kind.allCases) func namesAndKeysAreUnique(_ kind: Kind) async throws {
        let heard = HeardKeys()
        let store = try store(kind, heard)
        #expect(try await store.add(.sample("laptop", 1)))
        #expect(try await !store.add(.sample("laptop", 2)))
        #expect(try await !store.add(.sample("desktop", 1)))
        _ = try await store.rotate("laptop", to: .sample(3), until: Self.now + 60, at: Self.now)
        #expect(try await !store.add(.sample("desktop", 1)))
        #expect(try await store.list().map(\.name) == ["laptop"])
        #expect(heard.names == ["laptop"])
    }

    @Test(arguments: Kind.allCases) func aRotatedKeyKeepsItsIdentity(_ kind: Kind) async throws {
        let store = try store(kind)
        #expect(try await store.add(.sample("laptop", 1, settings: #"{"admin":true}"#)))
        let key = try await store.rotate("laptop", to: .sample(2), until: Self.now + 3600, at: Self.now)
        #expect(key?.digest == .sample(2) && key?.identity == .sample(1) && key?.settings == #"{"admin":true}"#)
        #expect(key?.former == [ManagedKey.Former(.sample(1), until: Self.now + 3600)])
        #expect(try await store.find("laptop") == key)
        #expect(try await store.list() == [key].compactMap(\.self))
        #expect(try await store.rotate("other", to: .sample(3), until: 0, at: Self.now) == nil)
    }

    @Test(arguments: Kind.allCases) func anotherRotationEndsEarlierKeysWithIt(_ kind: Kind) async throws {
        let store = try store(kind)
        #expect(try await store.add(.sample("laptop", 1)))
        _ = try await store.rotate("laptop", to: .sample(2), until: Self.now + 3600, at: Self.now)
        let second = try await store.rotate("laptop", to: .sample(3), until: Self.now + 60, at: Self.now)
        #expect(second?.former.map(\.end) == [Self.now + 60, Self.now + 60])
        let last = try await store.rotate("laptop", to: .sample(4), until: Self.now, at: Self.now)
        #expect(last?.former == [])
        #expect(try await store.find("laptop")?.former == [])
    }

    @Test(arguments: Kind.allCases) func aRevokedKeyIsGone(_ kind: Kind) async throws {
        let heard = HeardKeys()
        let store = try store(kind, heard)
        #expect(try await store.add(.sample("laptop", 1)))
        _ = try await store.rotate("laptop", to: .sample(2), until: Self.now + 3600, at: Self.now)
        #expect(try await store.revoke("laptop"))
        #expect(heard.names.isEmpty)
        #expect(try await !store.revoke("laptop"))
        #expect(try await store.find("laptop") == nil)
        #expect(try await store.list().isEmpty)
        // The name and the digests of the revoked key are free again.
        #expect(try await store.add(.sample("laptop", 1)))
        #expect(try await store.find("laptop")?.former == [])
    }

    @Test(arguments: Kind.allCases) func pagesAreInTheOrderOfNames(_ kind: Kind) async throws {
        let store = try store(kind)
        for (number, name) in ["b", "a-1", "B", "a", "a.2", "c"].enumerated() {
            #expect(try await store.add(.sample(name, UInt8(number))))
        }
        #expect(try await store.list(limit: 2).map(\.name) == ["B", "a"])
        #expect(try await store.list(after: "a", limit: 3).map(\.name) == ["a-1", "a.2", "b"])
        // The key before the page need not exist.
        #expect(try await store.list(after: "bb").map(\.name) == ["c"])
        #expect(try await store.list(after: "c").isEmpty)
    }

    @Test(arguments: Kind.allCases) func gatewayIsNotifiedBeforeTheCallerOfAChange(_ kind: Kind) async throws {
        let heard = HeardKeys()
        let store = try store(kind, heard)
        #expect(heard.isComplete && heard.names.isEmpty)
        for number in 0..<50 {
            #expect(try await store.add(.sample("key-\(number)", UInt8(number))))
            #expect(heard.names.contains("key-\(number)"))
        }
        let rotated = try await store.rotate("key-7", to: .sample(200), until: Self.now + 9, at: Self.now)
        #expect(heard["key-7"] == rotated)
        #expect(try await store.revoke("key-8"))
        #expect(heard["key-8"] == nil && heard.names.count == 49)
    }

    @Test(arguments: Kind.allCases) func namesAndSettingsOfAnyTextAreStored(_ kind: Kind) async throws {
        let store = try store(kind)
        let key = ManagedKey.sample("'; DROP TABLE keys; --", settings: #"{"models":["ü\u0000'\""]}"#)
        #expect(try await store.add(key))
        #expect(try await store.find(key.name) == key)
        #expect(try await store.revoke(key.name))
    }

    @Test(arguments: Kind.allCases) func randomChangesAddUp(_ kind: Kind) async throws {
        let heard = HeardKeys()
        let store = try store(kind, heard)
        var random = SystemRandomNumberGenerator()
        var expected: [String: ManagedKey] = [:]
        for step in 0..<400 {
            let name = "key-\(Int.random(in: 0..<20, using: &random))"
            let digest = KeyDigest(of: "\(step)".utf8)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let key = ManagedKey(name: name, digest: digest, created: Int64(step))
                #expect(try await store.add(key) == (expected[name] == nil))
                expected[name] = expected[name] ?? key
            case 1:
                let end = Self.now + Int64.random(in: -5...100, using: &random)
                expected[name] = expected[name]?.rotated(to: digest, until: end, at: Self.now)
                let key = try await store.rotate(name, to: digest, until: end, at: Self.now)
                #expect(key?.sorted == expected[name]?.sorted)
            default:
                #expect(try await store.revoke(name) == (expected.removeValue(forKey: name) != nil))
            }
        }
        #expect(try await store.list().map(\.sorted) == expected.values.map(\.sorted).sorted { $0.name < $1.name })
        #expect(heard.all.mapValues(\.sorted) == expected.mapValues(\.sorted))
    }
}

/// State of the keys according to the news of a store.
final class HeardKeys: Sendable {
    private struct State {
        var isComplete = false
        var keys: [String: ManagedKey] = [:]
        var last = ContinuousClock.now
    }

    private let state = Locked(State())

    func hear(_ news: KeyStoreNews) {
        state.withLock { state in
            state.last = .now
            switch news {
            case .all(let keys):
                state.keys = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
                state.isComplete = true
            case .changed(let changes): for (name, key) in changes { state.keys[name] = key }
            }
        }
    }

    var all: [String: ManagedKey] { state.withLock { $0.keys } }
    var names: Set<String> { Set(all.keys) }
    /// Whether the store has sent all keys.
    var isComplete: Bool { state.withLock { $0.isComplete } }
    /// Time of the store's last news.
    var last: ContinuousClock.Instant { state.withLock { $0.last } }
    subscript(name: String) -> ManagedKey? { all[name] }
}

extension KeyDigest {
    static func sample(_ number: UInt8) -> KeyDigest { KeyDigest(of: [number]) }
}

extension ManagedKey {
    static func sample(_ name: String, _ number: UInt8 = 0, settings: String = "{}") -> ManagedKey {
        ManagedKey(name: name, digest: .sample(number), settings: settings, created: 1_700_000_000)
    }

    /// This key with its former digests sorted, because their order is undefined.
    var sorted: ManagedKey {
        var key = self
        key.former.sort { $0.digest.hexadecimal < $1.digest.hexadecimal }
        return key
    }
}

/// Calls of a store from tasks.
extension KeyStore {
    func add(_ key: ManagedKey) async throws -> Bool {
        try await withCheckedContinuation { continuation in
            add(key) { continuation.resume(returning: $0) }
        }.get()
    }

    func rotate(_ name: String, to digest: KeyDigest, until end: Int64, at now: Int64) async throws -> ManagedKey? {
        try await withCheckedContinuation { continuation in
            rotate(name, to: digest, until: end, at: now) { continuation.resume(returning: $0) }
        }.get()
    }

    func revoke(_ name: String) async throws -> Bool {
        try await withCheckedContinuation { continuation in
            revoke(name) { continuation.resume(returning: $0) }
        }.get()
    }

    func find(_ name: String) async throws -> ManagedKey? {
        try await withCheckedContinuation { continuation in
            find(name) { continuation.resume(returning: $0) }
        }.get()
    }

    func list(after name: String = "", limit: Int = 1000) async throws -> [ManagedKey] {
        try await withCheckedContinuation { continuation in
            list(after: name, limit: limit) { continuation.resume(returning: $0) }
        }.get()
    }
}
