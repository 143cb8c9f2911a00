import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import Testing

@testable import HeadgateStores

@Suite struct SQLiteKeyStoreTests {
    private let scratch = Scratch()
    private var file: String { scratch.path + "/keys.db" }

    private func store(_ news: NewsQueue? = nil, reports: Lines = Lines()) throws -> DatabaseKeyStore {
        var told: (@Sendable (KeyStoreNews) -> Void)?
        if let news { told = { news.add($0) } }
        return try DatabaseKeyStore(file: file, every: .milliseconds(1), told: told, report: { reports.add($0) })
    }

    @Test func fileIsCreatedOnlyWithTheFirstKey() async throws {
        let prepared = Lines()
        let store = try DatabaseKeyStore(file: file, prepare: { prepared.add("made") }, told: { _ in })
        #expect(try await store.list().isEmpty)
        #expect(try await store.find("laptop") == nil)
        #expect(try await !store.revoke("laptop"))
        #expect(try await store.rotate("laptop", to: .sample(1), until: 0, at: 0) == nil)
        #expect(!FileManager.default.fileExists(atPath: file) && prepared.all.isEmpty)
        #expect(try await store.add(.sample("laptop")))
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600 && prepared.all == ["made"])
    }

    @Test func keysOutliveTheStore() async throws {
        let first = try store()
        #expect(try await first.add(.sample("laptop", 1)))
        let key = try await first.rotate("laptop", to: .sample(2), until: 50, at: 0)
        // The close waits for a disk that can be busy.
        while !first.close() {}
        let news = NewsQueue()
        let second = try store(news)
        #expect(news.all.first?.keys == [key].compactMap(\.self))
        second.close()
    }

    /// A command beside a gateway makes such changes, and so does another gateway of the same user.
    @Test func changesOfOthersAreReported() async throws {
        let news = NewsQueue()
        let watching = try store(news)
        let other = try store()
        #expect(try await other.add(.sample("a", 1)))
        // The file can have been read before the key was in it.
        await news.wait { $0.keys == [.sample("a", 1)] || $0.changes?["a"] == .some(.sample("a", 1)) }
        #expect(try await other.add(.sample("b", 2)))
        await news.wait { $0.changes?["b"] == .some(.sample("b", 2)) }
        let rotated = try await other.rotate("a", to: .sample(3), until: 9, at: 0)
        await news.wait { $0.changes?["a"] == .some(rotated) }
        #expect(try await other.revoke("a"))
        await news.wait { $0.changes?["a"] == .some(nil) }
        // The watching store can still make its own changes.
        #expect(try await watching.add(.sample("c", 4)))
        #expect(try await other.find("c") == .sample("c", 4))
    }

    /// Each thread checks the file while the other creates it.
    @Test func fileIsMadeByTwoAtOnce() {
        let failures = Lines()
        for number in 0..<50 {
            let file = scratch.path + "/\(number).db"
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                do {
                    _ = try SQLiteDatabase(file, schema: .keys)
                } catch {
                    failures.add("\(error)")
                }
            }
        }
        #expect(failures.all.isEmpty, "\(failures.all)")
    }

    @Test func storeThatMissedManyChangesReloadsAllKeys() throws {
        let other = KeyFile(self.file, prepare: {})
        let isAdded = try other.write(makingFile: true, else: false) { (database) throws(StoreError) in
            try database.insert(.sample("a", 1))
        }
        #expect(isAdded)
        let file = KeyFile(self.file, prepare: {})
        #expect(try file.everything().keys == [.sample("a", 1)])
        // One transaction has all changes, because each transaction waits for the disk.
        try other.write(makingFile: false, else: ()) { (database) throws(StoreError) in
            for _ in 0..<600 {
                _ = try database.revokeKey("a")
                _ = try database.insert(.sample("a", 1))
            }
        }
        #expect(try file.news(hasWritten: false)?.keys == [.sample("a", 1)])
        #expect(try file.news(hasWritten: false)?.keys == nil)
    }

    @Test func keysOfARemovedFileAreRefused() async throws {
        let news = NewsQueue()
        let first = try store()
        #expect(try await first.add(.sample("a", 1)))
        first.close()
        let watching = try store(news)
        for end in ["", "-wal", "-shm"] { unlink(file + end) }
        await news.wait { $0.keys == [] }
        #expect(try await watching.add(.sample("b", 2)))
        await news.wait { $0.keys == [.sample("b", 2)] || $0.changes?["b"] != nil }
    }

    /// The use of revoked keys remains charged to their groups after a restart.
    @Test func keysInGroupsThatWereRevokedAreRemembered() async throws {
        let store = try store()
        for (name, settings) in [("a", #"{"group":"team"}"#), ("b", "{}"), ("c", #"{"group":"other"}"#)] {
            #expect(
                try await store.add(
                    ManagedKey(name: name, digest: KeyDigest(of: name.utf8), settings: settings, created: 0)))
        }
        for name in ["a", "b"] { #expect(try await store.revoke(name)) }
        #expect(store.revoked.isEmpty)
        while !store.close() {}
        #expect(try self.store().revoked == ["a": #"{"group":"team"}"#])
        // Revoked keys are remembered for as long as a budget reaches back.
        let database = try SQLiteDatabase(file, schema: .keys)
        try database.execute("UPDATE revoked SET at = at - 33 * 86400")
        let last = try self.store()
        #expect(try await last.revoke("c"))
        while !last.close() {}
        #expect(try self.store().revoked == ["c": #"{"group":"other"}"#])
    }

    @Test func fileOfANewerVersionIsRefused() throws {
        do {
            let database = try SQLiteDatabase(file, schema: .keys)
            try database.set("user_version", to: 99)
        }
        let error = #expect(throws: StoreError.self) { try store(NewsQueue()) }
        #expect(error?.cause == .newer)
        #expect(error.map { "\($0)" }?.contains("was written by a newer Headgate") == true)
        // Opening the store for writes fails too.
        #expect(throws: StoreError.self) { try store() }
    }

    @Test func fileOfAnotherKindIsRefused() throws {
        _ = try SQLiteDatabase(file, schema: .ledger)
        #expect(throws: StoreError.self) { try store(NewsQueue()) }
    }

    @Test func noKeyIsInTheFile() async throws {
        let text = NewKey.make()
        let store = try store()
        let key = ManagedKey(name: "laptop", digest: KeyDigest(of: text.utf8), created: 0)
        #expect(try await store.add(key))
        let other = NewKey.make()
        _ = try await store.rotate("laptop", to: KeyDigest(of: other.utf8), until: 9, at: 0)
        for end in ["", "-wal"] {
            let contents = try Data(contentsOf: URL(fileURLWithPath: file + end))
            for secret in [text, String(text.dropFirst(3)), other] {
                #expect(contents.firstRange(of: Data(secret.utf8)) == nil)
            }
        }
        store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).firstRange(of: Data(text.utf8)) == nil)
    }

    @Test func aClosedStoreReportsThat() async throws {
        let store = try store()
        store.close()
        await #expect(throws: KeyStoreFailure.self) { try await store.add(.sample("a")) }
    }
}

/// News of a store, for which a test can wait.
private final class NewsQueue: Sendable {
    private let news = Locked<[KeyStoreNews]>([])
    private let stream: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation

    init() { (stream, arrived) = AsyncStream.makeStream() }

    func add(_ item: KeyStoreNews) {
        news.withLock { $0.append(item) }
        arrived.yield()
    }

    var all: [KeyStoreNews] { news.withLock { $0 } }

    /// Waits until matching news has arrived.
    func wait(for isWanted: (KeyStoreNews) -> Bool) async {
        // News that an earlier wait has seen does not arrive again.
        if all.contains(where: isWanted) { return }
        for await _ in stream where all.contains(where: isWanted) { return }
    }
}

extension KeyStoreNews {
    fileprivate var keys: [ManagedKey]? { if case .all(let keys) = self { keys } else { nil } }

    fileprivate var changes: [String: ManagedKey?]? {
        if case .changed(let changes) = self {
            Dictionary(uniqueKeysWithValues: changes.map { ($0.name, $0.key) })
        } else {
            nil
        }
    }
}
