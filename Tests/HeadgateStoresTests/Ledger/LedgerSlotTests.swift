import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

@Suite struct LedgerSlotTests {
    private func written(
        _ entry: LedgerEntry, _ sequence: Int64 = 7, hasNames: Bool = true
    ) throws -> (entry: LedgerEntry, sequence: Int64) {
        let loose = LooseSlot(hasNames: hasNames)
        loose.slot.begin(entry, sequence)
        loose.slot.end(entry)
        #expect(loose.isKept)
        let row = try #require(loose.row())
        return (row.entry, row.sequence)
    }

    @Test(arguments: [true, false]) func writtenEntryIsReadBack(hasNames: Bool) throws {
        var entry = LedgerEntry.sample()
        #expect(try written(entry, hasNames: hasNames).entry == entry)
        #expect(try written(entry, .max, hasNames: hasNames).sequence == .max)
        entry.upstreamModel = "ü-😀"
        entry.isStream = true
        entry.source = .partial
        #expect(try written(entry, hasNames: hasNames).entry == entry)
        let empty = LedgerEntry()
        #expect(try written(empty, hasNames: hasNames).entry == empty)
    }

    @Test(arguments: [43, 44, 45, 200]) func idOfAnyLengthIsWhole(_ length: Int) throws {
        var entry = LedgerEntry.sample()
        entry.requestID = String((0..<length).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
        #expect(try written(entry).entry == entry)
    }

    @Test func numbersAreReadInTheirRanges() throws {
        var entry = LedgerEntry.sample(cost: .max)
        (entry.promptTokens, entry.completionTokens, entry.endedAt) = (-1, .max, .max)
        #expect(try written(entry).entry == entry.inRange)
    }

    /// Budgets are charged this use for a request whose gateway was killed.
    @Test func requestInFlightHasItsAssumedUse() throws {
        let loose = LooseSlot()
        var entry = LedgerEntry.sample(cost: 7)
        (entry.promptTokens, entry.completionTokens, entry.source, entry.isStream) = (30, 4096, .estimated, true)
        loose.slot.begin(entry, 1)
        let begun = try #require(loose.row(isFinished: false)).entry
        #expect(begun.promptTokens == 30 && begun.completionTokens == 4096 && begun.cost == 7)
        #expect(begun.source == .estimated && begun.isStream && begun.outcome == LedgerEntry.unfinished)
    }

    @Test func unsentRequestHasNoModel() throws {
        let loose = LooseSlot()
        var entry = LedgerEntry.sample(model: "m")
        (entry.promptTokens, entry.completionTokens, entry.cachedTokens, entry.cost) = (nil, nil, nil, nil)
        loose.slot.begin(entry, 1)
        let begun = try #require(loose.row(isFinished: false)).entry
        #expect(begun.model == "m" && begun.outcome == LedgerEntry.unfinished && begun.cost == nil)
        #expect(begun.upstream == nil && begun.status == 0 && begun.promptTokens == nil && begun.key == "k")
        var end = LedgerEntry.sample(model: "")
        (end.promptTokens, end.completionTokens, end.cachedTokens, end.cost) = (nil, nil, nil, nil)
        loose.slot.end(end)
        #expect(try #require(loose.row(isFinished: true)).entry.model.isEmpty)
        // An entry that was being written when the gateway was killed does not count.
        #expect(try #require(loose.row(isFinished: false)).entry == begun)
    }

    @Test func slotOfAnEarlierRequestLeavesNothing() throws {
        let loose = LooseSlot()
        let slot = loose.slot
        slot.begin(.sample(model: "a"), 1)
        slot.end(.sample())
        slot.setBatch(9)
        var next = LedgerEntry.sample(model: "b", endedAt: 77)
        next.promptTokens = nil
        slot.begin(next, 2)
        let row = try #require(loose.row(isFinished: false))
        #expect(row.batch == 0 && row.sequence == 2 && row.endedAt == 77 && row.promptTokens == nil)
    }

    @Test(arguments: [true, false]) func longTextsAreCutAtTheEndOfACharacter(hasNames: Bool) throws {
        var entry = LedgerEntry.sample()
        let long = String(repeating: "a", count: 255) + "é" + String(repeating: "😀", count: 500)
        entry.requestID = long
        entry.model = long
        entry.key = long
        entry.upstream = long
        entry.upstreamModel = long
        let read = try written(entry, hasNames: hasNames).entry
        #expect(read.requestID == String(repeating: "a", count: 255))
        for text in [read.requestID, read.model, read.key ?? "", read.upstream ?? "", read.upstreamModel ?? ""] {
            #expect(long.hasPrefix(text) && !text.contains("\u{FFFD}"))
        }
    }

    @Test func invalidBytesHaveNoRequest() throws {
        let loose = LooseSlot()
        func row(_ octet: UInt8, at places: Range<Int>) -> LedgerRow? {
            loose.slot.begin(.sample(), 1)
            loose.slot.end(.sample())
            for place in places { loose.slot.memory.storeBytes(of: octet, toByteOffset: place, as: UInt8.self) }
            return loose.row()
        }
        #expect(row(45, at: LedgerSlot.Place.idLength..<80) == nil)
        for place in [LedgerSlot.Place.begun, LedgerSlot.Place.ended] {
            #expect(row(0xFF, at: place..<place + 4) == nil && row(0x08, at: place..<place + 4) == nil)
        }
        // These bytes are not names.
        loose.slot.texts.initializeMemory(as: UInt8.self, repeating: 0xFE, count: LedgerSlot.textsSize)
        #expect(row(0, at: LedgerSlot.Place.begun..<LedgerSlot.Place.begun + 4) == nil)
        #expect(row(7, at: 0..<8) != nil)
    }
}

@Suite struct LedgerNamesTests {
    @Test func namesAreWrittenOnce() throws {
        let loose = LooseSlot()
        let names = loose.memory.names
        let place = names.place(of: "a", "b", nil)
        #expect(place != 0 && names.place(of: "a", "b", nil) == place)
        let others = [names.place(of: "a", "b", ""), names.place(of: "ab", nil, nil), names.place(of: "a", nil, "b")]
        #expect(!others.contains(place) && Set(others).count == 3)
        var texts = try #require(names.texts(at: place))
        let read = (0..<3).map { _ in texts.next().map { String(decoding: $0, as: UTF8.self) } }
        #expect(read == ["a", "b", ""])
    }

    /// Very many keys and models fill the table.
    @Test func requestsAreCompleteIfTheNameTableIsFull() throws {
        let loose = LooseSlot()
        var isFull = false
        for number in 0..<20_000 {
            var entry = LedgerEntry.sample(key: "key-\(number)", model: "model-\(number)")
            (entry.upstream, entry.upstreamModel) = ("upstream-\(number)", String(repeating: "x", count: 200))
            loose.slot.begin(entry, 1)
            loose.slot.end(entry)
            let row = try #require(loose.row())
            guard row.entry == entry else {
                Issue.record("\(number): \(row.entry)")
                return
            }
            isFull = row.commonKind == nil
        }
        #expect(isFull && loose.isKept)
    }

    @Test func concurrentLoopsShareEqualNames() async throws {
        let loose = LooseSlot()
        nonisolated(unsafe) let names = loose.memory.names
        let places = await withTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<2000).map { names.place(of: "\($0)", "key", "model") } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(places.count == 4 && places.allSatisfy { $0 == places[0] && !$0.contains(0) })
        for (number, place) in places[0].enumerated() {
            var texts = try #require(names.texts(at: place))
            #expect(texts.next().map { String(decoding: $0, as: UTF8.self) } == "\(number)")
        }
    }
}
