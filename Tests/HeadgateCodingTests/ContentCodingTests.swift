import HeadgateCoding
import HeadgateHTTP
import Testing

@Suite struct ContentCodingTests {
    @Test(arguments: [
        ("", ContentCoding.identity), ("identity", .identity), ("gzip", .gzip), ("x-gzip", .gzip), ("GZIP", .gzip),
        (" deflate ", .deflate), ("zstd", .zstd), ("identity, gzip", .gzip), ("gzip,", .gzip),
    ])
    func codingsAreReadAsRFC9110Says(value: String, coding: ContentCoding) {
        #expect(ContentCoding(value) == coding)
    }

    @Test(arguments: ["br", "compress", "gzip, zstd", "gzip, gzip", "deflate, gzip", "gzip;q=1", "gz ip", "gzipp"])
    func unknownCodingIsUnsupported(value: String) {
        #expect(ContentCoding(value) == nil)
    }

    @Test func identityNeedsNoDecoder() {
        #expect(ContentDecoder(.identity, maximumSize: 1) == nil)
        #expect(ContentDecoder(.gzip, maximumSize: 1) != nil)
    }
}
