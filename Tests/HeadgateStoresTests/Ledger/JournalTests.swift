import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateStores

@Suite struct LedgerSlotTests {
    private func written(_ entry: LedgerEntry, _ sequence: Int64 = 7) throws -> (entry: LedgerEntry, sequence: Int64) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: LedgerSlot.size + 16, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: LedgerSlot.size + 16)
        LedgerSlot(memory: memory).begin(entry, sequence)
        LedgerSlot(memory: memory).end(entry)
        // Not one octet behind it.
        #expect((0..<16).allSatisfy { memory.load(fromByteOffset: LedgerSlot.size + $0, as: UInt8.self) == 0xA5 })
        let row = try #require(LedgerRow(memory, isFinished: true))
        return (row.entry, row.sequence)
    }

    @Test func whatIsWrittenIsRead() throws {
        var entry = LedgerEntry.sample()
        #expect(try written(entry).entry == entry && written(entry, .max).sequence == .max)
        entry.upstreamModel = "ü-😀"
        entry.isStream = true
        entry.source = .partial
        #expect(try written(entry).entry == entry)
        let empty = LedgerEntry()
        #expect(try written(empty).entry == empty)
    }

    @Test func numbersAreReadInTheirRanges() throws {
        var entry = LedgerEntry.sample(cost: .max)
        (entry.promptTokens, entry.completionTokens, entry.endedAt) = (-1, .max, .max)
        #expect(try written(entry).entry == entry.inRange)
    }

    /// What budgets are charged for a request whose gateway was killed.
    @Test func requestThatIsUnderWayHasWhatItIsTakenToUse() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: LedgerSlot.size, alignment: 8)
        defer { memory.deallocate() }
        var entry = LedgerEntry.sample(cost: 7)
        (entry.promptTokens, entry.completionTokens, entry.source, entry.isStream) = (30, 4096, .estimated, true)
        LedgerSlot(memory: memory).begin(entry, 1)
        let begun = try #require(LedgerRow(memory, isFinished: false)).entry
        #expect(begun.promptTokens == 30 && begun.completionTokens == 4096 && begun.cost == 7)
        #expect(begun.source == .estimated && begun.isStream && begun.outcome == LedgerEntry.unfinished)
    }

    @Test func requestThatHasNotGoneToItsModelHasNone() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: LedgerSlot.size, alignment: 8)
        defer { memory.deallocate() }
        var entry = LedgerEntry.sample(model: "m")
        (entry.promptTokens, entry.completionTokens, entry.cachedTokens, entry.cost) = (nil, nil, nil, nil)
        LedgerSlot(memory: memory).begin(entry, 1)
        let begun = try #require(LedgerRow(memory, isFinished: false)).entry
        #expect(begun.model == "m" && begun.outcome == LedgerEntry.unfinished && begun.cost == nil)
        #expect(begun.upstream == nil && begun.status == 0 && begun.promptTokens == nil && begun.key == "k")
        var end = LedgerEntry.sample(model: "")
        (end.promptTokens, end.completionTokens, end.cachedTokens, end.cost) = (nil, nil, nil, nil)
        LedgerSlot(memory: memory).end(end)
        #expect(try #require(LedgerRow(memory, isFinished: true)).entry.model.isEmpty)
        // What was being written when the gateway was killed does not count.
        #expect(try #require(LedgerRow(memory, isFinished: false)).entry == begun)
    }

    @Test func slotOfAnEarlierRequestLeavesNothing() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: LedgerSlot.size, alignment: 8)
        defer { memory.deallocate() }
        let slot = LedgerSlot(memory: memory)
        slot.begin(.sample(model: "a"), 1)
        slot.end(.sample())
        slot.setBatch(9)
        var next = LedgerEntry.sample(model: "b", endedAt: 77)
        next.promptTokens = nil
        slot.begin(next, 2)
        let row = try #require(LedgerRow(memory, isFinished: false))
        #expect(row.batch == 0 && row.sequence == 2 && row.endedAt == 77 && row.promptTokens == nil)
    }

    @Test func longTextsAreCutAtTheEndOfACharacter() throws {
        var entry = LedgerEntry.sample()
        let long = String(repeating: "a", count: 255) + "é" + String(repeating: "😀", count: 500)
        entry.requestID = long
        entry.model = long
        entry.key = long
        entry.upstream = long
        entry.upstreamModel = long
        let read = try written(entry).entry
        #expect(read.requestID == String(repeating: "a", count: 255))
        for text in [read.requestID, read.model, read.key ?? "", read.upstream ?? "", read.upstreamModel ?? ""] {
            #expect(long.hasPrefix(text) && !text.contains("\u{FFFD}"))
        }
    }
}

@Suite struct JournalStateTests {
    private static let all: [JournalState] = [.free, .taken, .begun, .prepared, .finished]

    @Test func slotIsFilledInOneDirectionAndFreedAtTheEndAlone() {
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

    /// As many streams have, of which some end sooner than others.
    @Test func everySlotIsFoundHoweverManyRequestsGoOn() throws {
        let journal = try journal(slots: 1024)
        let entry = LedgerEntry.sample()
        let places = try (0..<700).map { _ in try #require(journal.begin(entry)) }
        for place in places where place.index % 3 == 0 { journal.finish(entry, at: place) }
        for _ in 0..<3 {
            journal.letGo(journal.collect(10_000))
            #expect(journal.collect(10_000).isEmpty)
        }
        // 234 of the 700 are over.
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
        // They stay until they are let go of.
        #expect(journal.collect(10).count == 1 && journal.pendingCount == 1)
        journal.letGo(collected)
        #expect(journal.collect(10).isEmpty && journal.pendingCount == 0 && !journal.isEmpty)
        journal.finish(.sample(model: "a"), at: first)
        journal.letGo(journal.collect(10))
        #expect(journal.isEmpty)
    }

    @Test func requestThatEndsAsItWasPreparedIsWhole() throws {
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
        journal.letGo(journal.collect(10))
        #expect(journal.begin(.sample()) != nil)
    }

    @Test func placesAreUsedAgainAndNoneIsForgotten() throws {
        let journal = try journal(slots: 64)
        var held: [LedgerPlace] = []
        for round in 0..<500 {
            let place = try #require(journal.begin(.sample(model: "\(round)")))
            if round % 50 == 0 { held.append(place) } else { journal.finish(.sample(), at: place) }
            if round % 7 == 0 { journal.letGo(journal.collect(3)) }
            if round % 30 == 0 { journal.letGo(journal.collect(100)) }
        }
        for place in held { journal.finish(.sample(), at: place) }
        journal.letGo(journal.collect(100))
        #expect(journal.isEmpty && journal.pendingCount == 0 && journal.droppedCount == 0)
    }

    @Test func remainsOfTheDeadAreReadAndThoseOfTheLivingAreNot() async throws {
        var journal: Journal? = try journal()
        let (path, process) = (try #require(journal?.path), journal?.process)
        _ = journal?.begin(.sample(model: "begun", cost: 9))
        let prepared = try #require(journal?.begin(.sample(model: "prepared")))
        journal?.prepare(.sample(model: "prepared"), at: prepared)
        let finished = try #require(journal?.begin(.sample(model: "finished")))
        journal?.finish(.sample(model: "finished"), at: finished)
        #expect(JournalRemains(at: path) == nil)
        journal = nil
        // A program that another test is just starting may hold the lock for a moment longer.
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
        // Whoever looks meanwhile finds it locked, and whoever has found it before finds it removed.
        #expect(JournalRemains(at: path) == nil)
    }

    /// Whoever collects may be faster than whoever counts.
    @Test func countOfWhatIsPendingIsNeverBelowNone() throws {
        let journal = try Journal(slots: 16)
        let (isOver, finished) = (Locked(false), Latch())
        let lowest = Locked(0)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                journal.letGo(journal.collect(16))
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

    @Test func journalIsForItsOwnerAlone() throws {
        let journal = try journal()
        var status = stat()
        #expect(stat(journal.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func journalThatIsJustBeingMadeIsLeftAlone() throws {
        let path = scratch.path + "/usage.db.live-1.new"
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(JournalRemains(at: path) == nil)
        // Whoever began this one did not come to its end.
        let past = Date(timeIntervalSinceNow: -3600)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
        let remains = try #require(JournalRemains(at: path))
        #expect(remains.entries.isEmpty && remains.isJournal)
    }

    @Test(arguments: ["1": false, "1.new": true, "9f.new": true, "notes.new": false, "+1.new": false, ".new": false])
    func draftIsKnownByItsName(_ name: String, _ isDraft: Bool) {
        #expect(LedgerFiles.isDraft("/x/usage.db.live-" + name) == isDraft)
    }

    @Test func whatIsNoJournalHasNothing() throws {
        let path = scratch.path + "/usage.db.live-x"
        for contents in [Data(), Data("no journal".utf8), Data(repeating: 0xFF, count: 10_000)] {
            try contents.write(to: URL(fileURLWithPath: path))
            let remains = try #require(JournalRemains(at: path))
            #expect(remains.entries.isEmpty && !remains.isJournal)
        }
        #expect(JournalRemains(at: scratch.path + "/nothing") == nil)
    }
}
