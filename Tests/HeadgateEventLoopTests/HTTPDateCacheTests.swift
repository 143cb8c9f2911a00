import Testing

@testable import HeadgateEventLoop

@Suite struct HTTPDateCacheTests {
    @Test func nextSecondIsFormattedAgain() {
        var cache = HTTPDateCache()
        for (second, end) in [(0, "00:00:00 GMT"), (1, "00:00:01 GMT"), (0, "00:00:00 GMT")] {
            #expect(String(decoding: cache.line(at: Int64(second)), as: UTF8.self).hasSuffix(end))
        }
    }
}
