import Foundation
import HeadgateGateway
import Testing

@testable import HeadgateStores

@Suite struct LedgerSlotTests {
    private func written(_ entry: LedgerEntry, _ sequence: Int64 = 7) -> (entry: LedgerEntry, sequence: Int64)? {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: LedgerSlot.size + 16, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: LedgerSlot.size + 16)
        LedgerSlot.write(entry, sequence, to: memory)
        // Not one octet behind it.
        #expect((0..<16).allSatisfy { memory.load(fromByteOffset: LedgerSlot.size + $0, as: UInt8.self) == 0xA5 })
        return LedgerSlot.read(memory)
    }

    @Test func whatIsWrittenIsRead() {
        var entry = LedgerEntry.sample()
        #expect(written(entry)?.entry == entry && written(entry, .max)?.sequence == .max)
        entry.upstreamModel = "ü-😀"
        entry.isStream = true
        entry.source = .partial
        entry.cost = .max
        entry.promptTokens = -1
        #expect(written(entry)?.entry == entry)
        let empty = LedgerEntry()
        #expect(written(empty)?.entry == empty)
    }

    @Test func longTextsAreCutAtTheEndOfACharacter() throws {
        var entry = LedgerEntry.sample()
        let long = String(repeating: "a", count: 255) + "é" + String(repeating: "😀", count: 500)
        entry.requestID = long
        entry.model = long
        entry.key = long
        entry.upstream = long
        entry.upstreamModel = long
        let read = try #require(written(entry)).entry
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
        for place in places where place.index % 3 == 0 { journal.change(entry, at: place, to: .finished) }
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
        journal.change(.sample(model: "b"), at: second, to: .prepared)
        #expect(journal.collect(10).isEmpty)
        journal.change(.sample(model: "b"), at: second, to: .finished)
        let collected = journal.collect(10)
        #expect(collected.map(\.entry.model) == ["b"] && collected.map(\.sequence) == [2])
        // They stay until they are let go of.
        #expect(journal.collect(10).count == 1 && journal.pendingCount == 1)
        journal.letGo(collected)
        #expect(journal.collect(10).isEmpty && journal.pendingCount == 0 && !journal.isEmpty)
        journal.change(.sample(model: "a"), at: first, to: .finished)
        journal.letGo(journal.collect(10))
        #expect(journal.isEmpty)
    }

    @Test func fullJournalRefusesAndCounts() throws {
        let journal = try journal(slots: 2)
        let places = (0..<2).map { _ in journal.begin(.sample()) }
        #expect(places.allSatisfy { $0 != nil } && journal.begin(.sample()) == nil && journal.droppedCount == 1)
        journal.change(.sample(), at: try #require(places[0]), to: .finished)
        journal.letGo(journal.collect(10))
        #expect(journal.begin(.sample()) != nil)
    }

    @Test func placesAreUsedAgainAndNoneIsForgotten() throws {
        let journal = try journal(slots: 64)
        var held: [LedgerPlace] = []
        for round in 0..<500 {
            let place = try #require(journal.begin(.sample(model: "\(round)")))
            if round % 50 == 0 { held.append(place) } else { journal.change(.sample(), at: place, to: .finished) }
            if round % 7 == 0 { journal.letGo(journal.collect(3)) }
            if round % 30 == 0 { journal.letGo(journal.collect(100)) }
        }
        for place in held { journal.change(.sample(), at: place, to: .finished) }
        journal.letGo(journal.collect(100))
        #expect(journal.isEmpty && journal.pendingCount == 0 && journal.droppedCount == 0)
    }

    @Test func remainsOfTheDeadAreReadAndThoseOfTheLivingAreNot() throws {
        var journal: Journal? = try journal()
        let path = try #require(journal?.path)
        _ = journal?.begin(.sample(model: "begun", cost: 9))
        let prepared = try #require(journal?.begin(.sample(model: "prepared")))
        journal?.change(.sample(model: "prepared"), at: prepared, to: .prepared)
        let finished = try #require(journal?.begin(.sample(model: "finished")))
        journal?.change(.sample(model: "finished"), at: finished, to: .finished)
        #expect(Journal.remains(at: path) == nil)
        journal = nil
        let remains = try #require(Journal.remains(at: path))
        #expect(remains.map(\.entry.model) == ["begun", "prepared", "finished"])
        #expect(remains.map(\.entry.outcome) == [LedgerEntry.unfinished, "finished", "finished"])
        #expect(remains[0].entry.cost == nil && Set(remains.map(\.process)).count == 1)
        #expect(Set(remains.map(\.sequence)).count == 3)
    }

    @Test func journalIsForItsOwnerAlone() throws {
        let journal = try journal()
        var status = stat()
        #expect(stat(journal.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func journalThatIsJustBeingMadeIsLeftAlone() throws {
        let path = scratch.path + "/usage.db.live-1.new"
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(Journal.remains(at: path) == nil)
        // Whoever began this one did not come to its end.
        let past = Date(timeIntervalSinceNow: -3600)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
        #expect(Journal.remains(at: path)?.isEmpty == true)
    }

    @Test func whatIsNoJournalHasNothing() throws {
        let path = scratch.path + "/usage.db.live-x"
        for contents in [Data(), Data("no journal".utf8), Data(repeating: 0xFF, count: 10_000)] {
            try contents.write(to: URL(fileURLWithPath: path))
            #expect(Journal.remains(at: path)?.isEmpty == true)
        }
        #expect(Journal.remains(at: scratch.path + "/nothing") == nil)
    }
}
