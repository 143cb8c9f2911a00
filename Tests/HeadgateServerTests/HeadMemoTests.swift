import HeadgateHTTP
import Testing

@testable import HeadgateServer

@Suite struct HeadMemoTests {
    private let memo = HeadMemo()

    private func input(_ number: Int = 0, length: Int = 285, padding: Int = 0) -> [UInt8] {
        Array(
            ("POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n"
                + "Authorization: Bearer key-\(number)\r\nX-Padding: \(String(repeating: "x", count: padding))\r\n\r\n")
                .utf8)
    }

    private func keep(_ input: [UInt8], times: Int = 2) throws -> Int {
        var (parser, offset, place) = (RequestHeadParser(), 0, 0)
        let head = try #require(try input.withUnsafeBytes { try parser.parse($0, &offset) })
        for _ in 0..<times { memo.keep(head, at: &place, (1, 2, 3, 4)) }
        return place
    }

    private func find(_ input: [UInt8], at place: Int = 0) -> RequestHead? {
        var place = place
        return input.withUnsafeBytes { memo.find($0, at: &place)?.head }
    }

    @Test func headIsMemoizedOnItsSecondArrival() throws {
        #expect(find(input()) == nil)
        _ = try keep(input(), times: 1)
        #expect(find(input()) == nil)
        _ = try keep(input(), times: 1)
        let head = try #require(find(input()))
        #expect(head.path == "/v1/chat/completions" && head.fields.value(of: .authorization) == "Bearer key-0")
        #expect(head.credential?.words.0 == 1 && head.credential?.words.3 == 4)
    }

    @Test func onlyTheBodyLengthCanDiffer() throws {
        _ = try keep(input(length: 285))
        let other = try #require(find(input(length: 907)))
        #expect(other.bodyLength == .fixed(907) && other.fields.value(of: .contentLength) == "907")
        #expect(find(input(length: 1285)) == nil)
        #expect(find(input(1)) == nil)
        #expect(find(Array(input().dropLast())) == nil)
    }

    /// A connection finds its own head, and a new connection the head of the last request.
    @Test func connectionsHaveSeparateHeads() throws {
        let places = try (0..<20).map { try keep(input($0)) }
        let found = (0..<20).filter { find(input($0), at: places[$0]) != nil }
        // Two heads can have the same place.
        #expect(found.count >= 15)
        #expect(find(input(found[0]), at: places[found[0]]) != nil)
        #expect(find(input(found[0]), at: places[found[1]]) != nil)
    }

    @Test func numberAndSizeOfHeadsAreBounded() throws {
        let places = try (0..<(3 * HeadMemo.capacity)).map { try keep(input($0)) }
        let kept = places.indices.filter { find(input($0), at: places[$0]) != nil }
        #expect(kept.count <= HeadMemo.capacity && kept.count > HeadMemo.capacity / 2)
        let longest = HeadMemo.longest - input().count
        _ = try keep(input(padding: longest + 8))
        #expect(find(input(padding: longest + 8)) == nil)
    }

    @Test func clearedMemoIsEmpty() throws {
        let place = try keep(input())
        memo.clear()
        #expect(find(input(), at: place) == nil)
        _ = try keep(input(), times: 1)
        #expect(find(input(), at: place) == nil)
    }

    @Test func longestHeadIsMemoizedAndNoLongerOne() throws {
        let fixed = input().count
        // The empty line at the end of the head is not stored.
        for (length, isKept) in [(HeadMemo.longest + 2, true), (HeadMemo.longest + 3, false)] {
            let long = input(padding: length - fixed)
            let place = try keep(long)
            #expect((find(long, at: place) != nil) == isKept)
        }
    }

    /// No byte of a head, which can contain a key, remains after another head has replaced it.
    @Test func replacedHeadIsOverwritten() throws {
        let long = input(padding: 3000)
        let place = try keep(long)
        let isThere = { [self] number in try keep(input(number)) == place && find(input(number), at: place) != nil }
        let other = try #require(try (1...100_000).first(where: isThere))
        #expect(find(long, at: place) == nil && find(input(other), at: place) != nil)
        let memory = try #require(
            Mirror(reflecting: memo).children.first { $0.label == "memory" }?.value as? UnsafeMutableRawPointer)
        let rest = UnsafeRawBufferPointer(start: memory + place * HeadMemo.longest, count: HeadMemo.longest)
            .dropFirst(input(other).count)
        #expect(rest.allSatisfy { $0 == 0 })
    }
}
