import Testing

@testable import HeadgateEventLoop

@Suite struct HTTPDateCacheTests {
    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        ] as [(Int64, String)])
    func dateHasTheFixedFormat(_ second: Int64, _ text: String) {
        var cache = HTTPDateCache()
        #expect(HTTPDateCache.format(second) == text)
        #expect(cache.line(at: second) == Array("\r\nDate: \(text)".utf8))
        #expect(cache.line(at: second) == Array("\r\nDate: \(text)".utf8))
    }

    @Test func nextSecondIsFormattedAnew() {
        var cache = HTTPDateCache()
        for (second, end) in [(0, "00:00:00 GMT"), (1, "00:00:01 GMT"), (0, "00:00:00 GMT")] {
            #expect(String(decoding: cache.line(at: Int64(second)), as: UTF8.self).hasSuffix(end))
        }
    }
}
