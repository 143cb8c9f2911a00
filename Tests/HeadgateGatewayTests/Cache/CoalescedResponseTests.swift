import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A response for several readers.
@Suite struct CoalescedResponseTests {
    private static let head = CachedHead(
        response: ServerResponseHead(HTTPResponse(status: .ok)), hasRequestID: false, isDocument: false)

    private func append(_ octets: Int, to response: inout CoalescedResponse, wake: @escaping @Sendable () -> Void = {})
        -> Bool
    {
        response.append(Array(repeating: 7, count: octets), at: 0, whenThereIsRoom: wake).hasRoom
    }

    private func read(_ reader: Int, of response: inout CoalescedResponse) -> Int? {
        guard case (.chunks(let chunks), let writer) = response.read(reader, {}) else { return nil }
        writer?()
        return chunks.reduce(0) { $0 + $1.bytes.count }
    }

    @Test func lateReaderGetsTheWholeResponse() {
        var response = CoalescedResponse(limit: 100)
        let early = response.join()
        _ = response.open(Self.head)
        #expect(append(10, to: &response) && read(early, of: &response) == 10)
        let late = response.join()
        #expect(append(5, to: &response))
        #expect(read(early, of: &response) == 5 && read(late, of: &response) == 15)
    }

    @Test func waitingReaderIsWokenOnce() {
        var response = CoalescedResponse(limit: 100)
        let reader = response.join()
        let wakes = Locked(0)
        _ = response.read(reader) { wakes.withLock { $0 += 1 } }
        for wake in response.append([1], at: 0, whenThereIsRoom: {}).wakes { wake() }
        for wake in response.append([1], at: 0, whenThereIsRoom: {}).wakes { wake() }
        #expect(wakes.withLock { $0 } == 1)
    }

    @Test func longResponseIsRetainedOnlyForLaggingReaders() {
        var response = CoalescedResponse(limit: 100)
        let (fast, slow) = (response.join(), response.join())
        #expect(append(90, to: &response) && read(fast, of: &response) == 90)
        #expect(append(10, to: &response) && read(fast, of: &response) == 10)
        #expect(read(slow, of: &response) == 100 && response.isWhole)
        #expect(append(1, to: &response) && !response.isWhole && response.size == 1)
        #expect(read(fast, of: &response) == 1 && read(slow, of: &response) == 1 && response.size == 0)
    }

    @Test func laggingReaderIsDroppedWithAnErrorAndDelaysNoOne() {
        var response = CoalescedResponse(limit: 100)
        let (fast, slow) = (response.join(), response.join())
        for _ in 0..<10 { #expect(append(10, to: &response) && read(fast, of: &response) == 10) }
        #expect(append(1, to: &response) && response.size == 1 && !response.isWhole)
        guard case (.fellBehind, nil) = response.read(slow, {}) else {
            Issue.record("the slow reader was not told")
            return
        }
        #expect(read(fast, of: &response) == 1)
        _ = response.finish(.complete)
        _ = response.leave(fast)
        #expect(!response.isOver)
        _ = response.leave(slow)
        #expect(response.isOver)
    }

    @Test func writerKeepsPaceWithTheFastestReader() {
        var response = CoalescedResponse(limit: 100)
        let (first, second) = (response.join(), response.join())
        let wakes = Locked(0)
        #expect(!append(101, to: &response) { wakes.withLock { $0 += 1 } })
        #expect(read(first, of: &response) == 101 && wakes.withLock { $0 } == 1)
        #expect(read(second, of: &response) == 101 && response.size == 0)
    }

    @Test(arguments: [(100, true), (101, false)]) func writerIsAtMostAWindowAhead(_ octets: Int, _ hasRoom: Bool) {
        var response = CoalescedResponse(limit: 100)
        _ = response.join()
        response.giveWay()
        #expect(append(octets, to: &response) == hasRoom)
    }

    @Test(arguments: [(32 << 10, true), ((32 << 10) + 1, false)])
    func writerContinuesAtHalfAWindow(_ left: Int, _ continues: Bool) {
        var response = CoalescedResponse(limit: 1 << 20)
        let reader = response.join()
        response.giveWay()
        let wakes = Locked(0)
        #expect(append(40 << 10, to: &response))
        #expect(!append(left, to: &response) { wakes.withLock { $0 += 1 } })
        #expect(read(reader, of: &response) == 40 << 10)
        #expect(wakes.withLock { $0 } == (continues ? 1 : 0))
    }

    @Test func departingReaderDelaysNoOne() {
        var response = CoalescedResponse(limit: 100)
        let (first, second) = (response.join(), response.join())
        let wakes = Locked(0)
        #expect(!append(101, to: &response) { wakes.withLock { $0 += 1 } })
        response.leave(first)?()
        #expect(wakes.withLock { $0 } == 0)
        #expect(read(second, of: &response) == 101 && wakes.withLock { $0 } == 1 && response.size == 0)
    }

    @Test func readerGetsALongResponseInPieces() {
        var response = CoalescedResponse(limit: 1 << 20)
        let reader = response.join()
        for _ in 0..<4 { #expect(append(40 << 10, to: &response)) }
        // A read never returns two of these chunks.
        for _ in 0..<4 { #expect(read(reader, of: &response) == 40 << 10) }
    }

    @Test func writerEndsAfterTheLastReader() {
        var response = CoalescedResponse(limit: 100)
        let (first, second) = (response.join(), response.join())
        let ends = Locked(0)
        response.begin { ends.withLock { $0 += 1 } }
        response.leave(first)?()
        #expect(ends.withLock { $0 } == 0)
        response.leave(second)?()
        response.leave(second)?()
        #expect(ends.withLock { $0 } == 1)
    }

    @Test func endFollowsAllWrittenBytes() {
        var response = CoalescedResponse(limit: 100)
        let reader = response.join()
        #expect(append(10, to: &response))
        _ = response.finish(.complete)
        #expect(read(reader, of: &response) == 10)
        guard case (.end(.complete), _) = response.read(reader, {}) else {
            Issue.record("the end did not come")
            return
        }
        _ = response.leave(reader)
        #expect(response.isOver)
    }
}
