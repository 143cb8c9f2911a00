import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateStores

/// A database that accepts writes, and fails reads on demand.
private final class ForgetfulDatabase: KeyDatabase {
    let name = "keys.db"
    let isReadable: Locked<Bool>
    private var keys: [String: ManagedKey] = [:]
    private var hasTold = false

    init(_ isReadable: Locked<Bool>) { self.isReadable = isReadable }

    func add(_ key: ManagedKey) -> Bool {
        keys[key.name] = key
        return true
    }

    func addAll(_ keys: [ManagedKey]) -> (added: Int, different: Int) { (0, keys.count) }

    func rotate(_ name: String, to digest: KeyDigest, until end: Int64, at now: Int64) -> ManagedKey? { keys[name] }

    func revoke(_ name: String) -> Bool { keys.removeValue(forKey: name) != nil }

    func find(_ name: String) -> ManagedKey? { keys[name] }

    func list(after name: String, limit: Int) -> [ManagedKey] { Array(keys.values) }

    func revokedSettings() -> [String: String] { [:] }

    func revokedKeys() -> [RevokedKey] { [] }

    func addRevoked(_ keys: [RevokedKey]) -> Int { 0 }

    func news(hasWritten: Bool) throws(StoreError) -> KeyStoreNews? {
        guard isReadable.withLock(\.self) else { throw StoreError(.busy, name) }
        guard hasWritten || !hasTold else { return nil }
        hasTold = true
        return .all(Array(keys.values))
    }

    func rest(_ wakeUp: WakeUp) { wakeUp.wait(atMost: .milliseconds(5)) }
}

@Suite struct KeyThreadTests {
    private func ask(
        _ thread: KeyThread, _ work: @escaping @Sendable (any KeyDatabase) throws(StoreError) -> Bool
    ) async -> Result<Bool, KeyStoreFailure> {
        await withCheckedContinuation { continuation in
            thread.append(isWriting: true, { continuation.resume(returning: $0) }, work)
        }
    }

    @Test func revocationIsConfirmedOnlyOnceTheKeyIsRefused() async throws {
        let (isReadable, heard, reports) = (Locked(true), HeardKeys(), Lines())
        let thread = try KeyThread(
            ForgetfulDatabase(isReadable), told: { heard.hear($0) }, report: { reports.add($0) })
        let added = await ask(thread) { database throws(StoreError) in try database.add(.sample("a", 1)) }
        #expect(try added.get() && heard.names == ["a"])
        isReadable.withLock { $0 = false }
        // The revocation is written, but this gateway cannot read the current state.
        let revoked = await ask(thread) { database throws(StoreError) in try database.revoke("a") }
        #expect(throws: KeyStoreFailure.self) { try revoked.get() }
        #expect(heard.names == ["a"])
        #expect(reports.all.count == 1 && reports.all[0].hasSuffix("keys are let in as they were"))
        isReadable.withLock { $0 = true }
        try await until { heard.names.isEmpty }
        try await until { reports.all.count == 2 }
        #expect(reports.all.last == "keys.db: managed keys are read again")
        #expect(thread.close())
    }
}
