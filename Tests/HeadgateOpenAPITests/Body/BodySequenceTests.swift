import HeadgateHTTP
import HeadgateOpenAPI
import Testing

@Suite struct BodySequenceTests {
    @Test func bodyCanComeFromAnySequence() async throws {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        for text in ["a", "", "bc"] { continuation.yield(Array(text.utf8)) }
        continuation.finish()
        var chunks: [String] = []
        for try await chunk in HTTPBody(stream) { chunks.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(chunks == ["a", "bc"])
    }

    @Test func wholeBodyCanBeReadTwice() async throws {
        let body = HTTPBody("abc")
        for _ in 1...2 {
            var count = 0
            for try await chunk in body { count += chunk.count }
            #expect(count == 3)
        }
    }
}
