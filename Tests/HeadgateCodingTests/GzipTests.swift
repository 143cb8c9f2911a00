import HeadgateHTTP
import Testing

@testable import HeadgateCoding

@Suite struct GzipTests {
    @Test(arguments: [0, 1, 1000, 1_000_000]) func encodedTextIsDecodedAgain(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let encoded = try #require(Gzip.encoded(bytes))
        let decoder = try #require(ContentDecoder(.gzip, maximumSize: 1 << 30))
        var decoded: [UInt8] = []
        var offset = 0
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let written = try encoded.withUnsafeBytes { input in
                try piece.withUnsafeMutableBytes { try decoder.decode(input, &offset, into: $0) }
            }
            guard written > 0 else { break }
            decoded += piece[..<written]
        }
        try decoder.finish()
        #expect(decoded == bytes)
    }

    @Test func textBecomesShorter() throws {
        let text = Array(String(repeating: #"{"key":"gen_ai.operation.name"}"#, count: 100).utf8)
        #expect(try #require(Gzip.encoded(text)).count < text.count / 10)
    }
}
