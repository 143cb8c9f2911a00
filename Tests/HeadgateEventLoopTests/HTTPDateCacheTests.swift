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
        #expect(cache.value(at: second) == text)
        #expect(cache.value(at: second) == text)
    }

    @Test func nextSecondIsFormattedAnew() {
        var cache = HTTPDateCache()
        #expect(cache.value(at: 0).hasSuffix("00:00:00 GMT"))
        #expect(cache.value(at: 1).hasSuffix("00:00:01 GMT"))
        #expect(cache.value(at: 0).hasSuffix("00:00:00 GMT"))
    }
}
