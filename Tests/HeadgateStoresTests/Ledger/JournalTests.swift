import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateStores

@Suite struct JournalStateTests {
    private static let all: [JournalState] = [.free, .taken, .begun, .prepared, .finished]

    @Test func slotsAreFilledInOrderAndFreedOnlyAtTheEnd() {
        let allowed = Self.all.flatMap { from in Self.all.filter { $0.follows(from) }.map { "\(from)>\($0)" } }
        #expect(
            Set(allowed) == [
                "free>taken", "taken>begun", "begun>prepared", "prepared>prepared", "begun>finished",
                "prepared>finished", "finished>free",
            ])
    }

    @Test func remainsAreWholeOnceTheResponseIsComplete() {
        #expect(Self.all.map(\.remains) == [.nothing, .nothing, .unfinished, .whole, .whole])
    }
}

@Suite struct JournalTests {
    private let scratch = Scratch()

    /// Many requests are open, as with many streams, and some end early.
    @Test func everySlotIsFoundAmongManyOpenRequests() throws {
        let journal = try journal(slots: 1024)
        let entry = LedgerEntry.sample()
        let places = try (0..<700).map { _ in try #require(journal.begin(entry)) }
        for place in places where place.index % 3 == 0 { journal.finish(entry, at: place) }
        for _ in 0..<3 {
            journal.release(journal.collect(10_000))
            #expect(journal.collect(10_000).isEmpty)
        }
        // 234 of the 700 requests have ended.
        for number in 0..<558 { #expect(journal.begin(entry) != nil, "\(number)") }
        #expect(journal.droppedCount == 0)
        #expect(journal.begin(entry) == nil && journal.begin(entry) == nil && journal.droppedCount == 2)
    }

    private func journal(slots: Int = 8) throws -> Journal {
        try Journal(prefix: scratch.path + "/usage.db.live-", slots: slots)
    }

    @Test func requestsAreCollectedOnceTheyAreFinished() throws {
        let journal = try journal()
        let first = try #require(journal.begin(.sample(model: "a")))
        let second = try #require(journal.begin(.sample(model: "b")))
        #expect(journal.collect(10).isEmpty && journal.pendingCount == 0)
        journal.prepare(.sample(model: "b"), at: second)
        #expect(journal.collect(10).isEmpty)
        journal.finish(.sample(model: "b"), at: second)
        let collected = journal.collect(10)
        #expect(collected.map(\.row.entry.model) == ["b"] && collected.map(\.row.sequence) == [2])
        // Collected entries stay until they are released.
        #expect(journal.collect(10).count == 1 && journal.pendingCount == 1)
        journal.release(collected)
        #expect(journal.collect(10).isEmpty && journal.pendingCount == 0 && !journal.isEmpty)
        journal.finish(.sample(model: "a"), at: first)
        journal.release(journal.collect(10))
        #expect(journal.isEmpty)
    }

    @Test func requestEndedAsPreparedIsComplete() throws {
        let journal = try journal()
        let place = try #require(journal.begin(.sample()))
        journal.prepare(.sample(cost: 9), at: place)
        #expect(journal.finish(at: place, endedAt: 1_800_000_000_007) == 1)
        let entry = try #require(journal.collect(10).first).row.entry
        #expect(entry.cost == 9 && entry.endedAt == 1_800_000_000_007 && entry.startedAt == 1_799_999_999_995)
    }

    @Test func fullJournalRefusesAndCounts() throws {
        let journal = try journal(slots: 2)
        let places = (0..<2).map { _ in journal.begin(.sample()) }
        #expect(places.allSatisfy { $0 != nil } && journal.begin(.sample()) == nil && journal.droppedCount == 1)
        journal.finish(.sample(), at: try #require(places[0]))
        journal.release(journal.collect(10))
        #expect(journal.begin(.sample()) != nil)
    }

    @Test func placesAreReusedWithoutLoss() throws {
        let journal = try journal(slots: 64)
        var held: [LedgerPlace] = []
        for round in 0..<500 {
            let place = try #require(journal.begin(.sample(model: "\(round)")))
            if round % 50 == 0 { held.append(place) } else { journal.finish(.sample(), at: place) }
            if round % 7 == 0 { journal.release(journal.collect(3)) }
            if round % 30 == 0 { journal.release(journal.collect(100)) }
        }
        for place in held { journal.finish(.sample(), at: place) }
        journal.release(journal.collect(100))
        #expect(journal.isEmpty && journal.pendingCount == 0 && journal.droppedCount == 0)
    }

    @Test func onlyJournalsOfDeadProcessesAreRead() async throws {
        var journal: Journal? = try journal()
        let (path, process) = (try #require(journal?.path), journal?.process)
        _ = journal?.begin(.sample(model: "begun", cost: 9))
        let prepared = try #require(journal?.begin(.sample(model: "prepared")))
        journal?.prepare(.sample(model: "prepared"), at: prepared)
        let finished = try #require(journal?.begin(.sample(model: "finished")))
        journal?.finish(.sample(model: "finished"), at: finished)
        #expect(JournalRemains(at: path) == nil)
        journal = nil
        // A program that another test is starting can hold the lock for a moment longer.
        var found: JournalRemains?
        try await until {
            found = JournalRemains(at: path)
            return found != nil
        }
        let remains = try #require(found)
        let entries = remains.entries.map(\.row.entry)
        #expect(entries.map(\.model) == ["begun", "prepared", "finished"])
        #expect(entries.map(\.outcome) == [LedgerEntry.unfinished, "finished", "finished"])
        #expect(entries[0].cost == 9 && remains.process == process && remains.isJournal)
        #expect(Set(remains.entries.map(\.row.sequence)).count == 3)
        // Another process finds the journal locked meanwhile; one that found it earlier finds it removed.
        #expect(JournalRemains(at: path) == nil)
    }

    /// The collecting thread can be faster than the counting one.
    @Test func pendingCountIsNeverNegative() throws {
        let journal = try Journal(slots: 16)
        let (isOver, finished) = (Locked(false), Latch())
        let lowest = Locked(0)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                journal.release(journal.collect(16))
                let count = journal.pendingCount
                lowest.withLock { $0 = min($0, count) }
            }
            finished.open()
        }
        for _ in 0..<200_000 {
            if let place = journal.begin(.sample()) { journal.finish(.sample(), at: place) }
        }
        isOver.withLock { $0 = true }
        finished.wait()
        #expect(lowest.withLock { $0 } == 0)
    }

    @Test func journalIsPrivate() throws {
        let journal = try journal()
        var status = stat()
        #expect(stat(journal.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func unfinishedNewJournalIsIgnored() throws {
        let path = scratch.path + "/usage.db.live-1.new"
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(JournalRemains(at: path) == nil)
        // The process that began this journal never finished it.
        let past = Date(timeIntervalSinceNow: -3600)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
        let remains = try #require(JournalRemains(at: path))
        #expect(remains.entries.isEmpty && remains.isJournal)
    }

    @Test(arguments: ["1": false, "1.new": true, "9f.new": true, "notes.new": false, "+1.new": false, ".new": false])
    func draftIsRecognizedByItsName(_ name: String, _ isDraft: Bool) {
        #expect(LedgerFiles.isDraft("/x/usage.db.live-" + name) == isDraft)
    }

    @Test func nonJournalHasNoEntries() throws {
        let path = scratch.path + "/usage.db.live-x"
        for contents in [Data(), Data("no journal".utf8), Data(repeating: 0xFF, count: 10_000)] {
            try contents.write(to: URL(fileURLWithPath: path))
            let remains = try #require(JournalRemains(at: path))
            #expect(remains.entries.isEmpty && !remains.isJournal)
        }
        #expect(JournalRemains(at: scratch.path + "/nothing") == nil)
    }

    /// Version 2, of older gateways: slots of 1,024 bytes with all texts.
    @Test func journalOfTheOlderVersionIsRead() throws {
        let path = scratch.path + "/usage.db.live-77"
        var octets = Data(count: 4096 + 3 * 4 + 3 * 1024)
        func put(_ number: some FixedWidthInteger, at place: Int) {
            withUnsafeBytes(of: number) { octets.replaceSubrange(place..<place + $0.count, with: $0) }
        }
        func put(_ texts: [String?], at place: Int) -> Int {
            var place = place
            for text in texts {
                put(UInt16(text?.utf8.count ?? 0xFFFF), at: place)
                octets.replaceSubrange(place + 2..<place + 2 + (text?.utf8.count ?? 0), with: Data((text ?? "").utf8))
                place += 2 + (text?.utf8.count ?? 0)
            }
            return place
        }
        put(0x3267_6A75_7367_6768 as UInt64, at: 0)
        put(0x77 as Int64, at: 8)
        put(3 as Int64, at: 16)
        let id = String(repeating: "0123456789", count: 9)
        for (index, state) in [JournalState.begun, .prepared, .free].enumerated() {
            put(state.rawValue, at: 4096 + 4 * index)
            let slot = 4096 + 3 * 4 + 1024 * index
            for (number, value) in [Int64(index + 1), 0, 1_799_999_999_995, 1_800_000_000_000, 30, 4, 0, 9].enumerated()
            {
                put(value, at: slot + 8 * number)
            }
            // The upstream has counted the prompt and completion tokens, and the cost is known.
            put(0b1011 as UInt8, at: slot + 64)
            let end = put([id, "createChatCompletion", "k", "m"], at: slot + 80)
            put(UInt16(end - slot), at: slot + 66)
            put(200 as Int32, at: slot + 72)
            put(1 as UInt16, at: slot + 76)
            put(0b11010 as UInt8, at: slot + 78)
            _ = put(["finished", "u", nil], at: end)
        }
        try octets.write(to: URL(fileURLWithPath: path))
        let remains = try #require(JournalRemains(at: path))
        #expect(remains.isJournal && remains.process == 0x77 && remains.entries.count == 2)
        let entries = remains.entries.map(\.row.entry)
        #expect(entries.map(\.outcome) == [LedgerEntry.unfinished, "finished"])
        #expect(entries.map(\.upstream) == [nil, "u"] && entries.map(\.status) == [0, 200])
        for entry in entries {
            #expect(entry.requestID == id && entry.operation == "createChatCompletion" && entry.key == "k")
            #expect(entry.model == "m" && entry.promptTokens == 30 && entry.completionTokens == 4 && entry.cost == 9)
            #expect(entry.startedAt == 1_799_999_999_995 && entry.endedAt == 1_800_000_000_000)
        }
        // The journal is written like the remains of any killed gateway.
        let database = try SQLiteDatabase(scratch.path + "/usage.db", schema: .ledger)
        try LedgerWriter(database).write(remains.entries, of: remains.process, batch: LedgerWriter.lastBatch)
        #expect(try database.number("SELECT count(*) FROM requests WHERE cost = 9") == 2)
        // A truncated journal has no entries, and is still recognized as a journal.
        let other = scratch.path + "/usage.db.live-78"
        try octets.dropLast().write(to: URL(fileURLWithPath: other))
        let rest = try #require(JournalRemains(at: other))
        #expect(rest.isJournal && rest.entries.isEmpty)
    }
}
