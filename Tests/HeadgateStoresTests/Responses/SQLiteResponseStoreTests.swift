import Foundation
import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

struct SQLiteResponseStoreTests {
    private let scratch = Scratch()

    @Test func storedResponseSurvivesARestart() async throws {
        let first = try scratch.store()
        first.keep(.turn("a"), until: 10)
        first.close()
        #expect(try await scratch.store().find("a") == .turn("a"))
    }

    @Test func itsFilesArePrivate() async throws {
        let store = try scratch.store()
        store.keep(.turn("a"), until: 10)
        _ = try await store.find("a")
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path) {
            var status = stat()
            #expect(stat(scratch.path + "/" + name, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test func expiredResponsesAreRemovedAtTheStart() async throws {
        let first = try scratch.store()
        first.keep(.turn("a"), until: 10)
        first.keep(.turn("b"), until: 20)
        first.close()
        let second = try scratch.store(now: 10)
        #expect(try await second.find("a") == nil)
        #expect(try await second.find("b") != nil)
        second.close()
        let database = try SQLiteDatabase(scratch.file, schema: .responses)
        #expect(try database.number("SELECT count(*) FROM responses") == 1)
        #expect(try database.number("SELECT count(*) FROM contents") == 1)
        #expect(try database.number("SELECT octets FROM totals") == Int64(LocalResponse.turn("b").size))
    }

    @Test func earliestExpiringResponsesAreEvicted() async throws {
        let text = String(repeating: "x", count: 100)
        let store = try scratch.store(largest: 1_000)
        for number in 0..<20 { store.keep(.turn("\(number)", input: text, document: ""), until: 100 + Int64(number)) }
        #expect(try await store.find("19") != nil)
        #expect(try await store.find("0") == nil)
        #expect(store.health.lost == 0)
        store.close()
        let database = try SQLiteDatabase(scratch.file, schema: .responses)
        #expect(try database.number("SELECT octets FROM totals") <= 1_000)
    }

    @Test func largestOwnersResponsesAreEvicted() async throws {
        let text = String(repeating: "x", count: 100)
        let store = try scratch.store(largest: 3_000)
        try await store.make("small", owner: 2, [.said("a")], until: 50)
        store.keep(.turn("old", owner: 2, input: text), until: 50)
        for number in 0..<20 { store.keep(.turn("\(number)", input: text), until: 100 + Int64(number)) }
        for number in 0..<20 {
            _ = try await store.ask(.creation(.made("c\(number)"), [], until: 200), "c\(number)")
        }
        #expect(try await store.find("old") != nil)
        #expect(try await store.conversation("small") != nil)
        #expect(try await store.conversation("c19") != nil)
        #expect(try await store.find("0") == nil)
        #expect(store.health.removed > 0 && store.health.lost == 0)
        store.close()
        let database = try SQLiteDatabase(scratch.file, schema: .responses)
        #expect(try database.number("SELECT octets FROM totals") <= 3_000)
        #expect(
            try database.number("SELECT sum(octets) FROM owners") == database.number("SELECT octets FROM totals"))
    }

    @Test func evictionIsReportedOnce() {
        let removals = Tally()
        #expect(removals.untold() == nil)
        removals.add(3)
        removals.add(4)
        #expect(removals.untold() == 7 && removals.untold() == nil && removals.count == 7)
    }

    @Test func deletedContentIsGoneFromTheWALToo() throws {
        let database = try SQLiteDatabase(scratch.file, schema: .responses)
        _ = try database.insert(.made("c"), until: 10)
        let log = scratch.file + "-wal"
        #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0 > 0)
        try database.emptyLog()
        #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int == 0)
    }

    @Test func closeWaitsForPendingWrites() async throws {
        var store: SQLiteResponseStore? = try scratch.store()
        let ending = try #require(store?.ending)
        store?.keep(.turn("a"), until: 10)
        #expect(!ending.isOver)
        store = nil
        ending.close()
        #expect(ending.isOver)
        #expect(try await scratch.store().find("a") == .turn("a"))
    }

    @Test func aFullDiskLosesNewResponsesAndKeepsStoredOnes() async throws {
        let reports = Lines()
        let store = try scratch.store(mostPages: 20, reports: reports)
        store.keep(.turn("a"), until: 10)
        let long = String(repeating: "x", count: 200_000)
        for number in 0..<3 { store.keep(.turn("long\(number)", document: long), until: 10) }
        #expect(try await store.find("a") != nil)
        #expect(try await store.find("long0") == nil)
        #expect(store.health == ResponseStoreHealth(isWorking: false, lost: 3))
        #expect(reports.all == ["\(scratch.file): there is no space left for it: make room on its disk"])
        store.keep(.turn("b"), until: 10)
        #expect(try await store.find("b") != nil)
        #expect(store.health == ResponseStoreHealth(isWorking: true, lost: 3))
    }

    @Test func aForeignLockLosesNewResponsesAndHidesNone() async throws {
        let reports = Lines()
        let store = try scratch.store(reports: reports)
        store.keep(.turn("a"), until: 10)
        _ = try await store.find("a")
        let other = try SQLiteDatabase(scratch.file, schema: .responses)
        try other.execute("BEGIN IMMEDIATE")
        store.keep(.turn("b"), until: 10)
        #expect(try await store.find("a") != nil)
        #expect(try await store.find("b") == nil)
        #expect(store.health == ResponseStoreHealth(isWorking: false, lost: 1))
        #expect(reports.all.count == 1 && reports.all.first?.contains("keeps it locked") == true)
        try other.execute("ROLLBACK")
        store.keep(.turn("c"), until: 10)
        #expect(try await store.find("c") != nil)
    }

    @Test func lateWritesAreRefusedAndCounted() async throws {
        let reports = Lines()
        let store = try scratch.store(limits: DatabaseThread.Limits(jobs: 0), reports: reports)
        store.keep(.turn("a"), until: 10)
        #expect(store.health == ResponseStoreHealth(isWorking: false, lost: 1))
        await #expect(throws: ResponseStoreFailure()) { try await store.find("a") }
        #expect(reports.all.count == 1)
    }

    @Test func aClosedStoreReportsThat() async throws {
        let store = try scratch.store()
        store.close()
        await #expect(throws: ResponseStoreFailure()) { try await store.find("a") }
    }

    @Test func manyAtOnceAreAllStored() async throws {
        let store = try scratch.store()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    store.keep(.turn("\(number)"), until: 10)
                    let found = try await store.find("\(number)")
                    #expect(found != nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(store.health == ResponseStoreHealth())
    }
}
