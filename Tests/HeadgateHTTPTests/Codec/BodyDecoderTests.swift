import HeadgateHTTP
import Testing

@Suite struct BodyDecoderTests {
    private func steps(_ decoder: inout BodyDecoder, _ bytes: [UInt8]) throws -> [BodyDecoder.Step] {
        var steps: [BodyDecoder.Step] = []
        var offset = 0
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        while true {
            let step = try decoder.next(UnsafeRawBufferPointer(memory), &offset)
            steps.append(step)
            guard case .data = step else { return steps }
        }
    }

    @Test func fixedBodyEndsAtItsLength() throws {
        var decoder = try BodyDecoder(.fixed(5), limit: 5)
        #expect(try steps(&decoder, wire("ab")) == [.data(0..<2), .needsMore])
        #expect(try steps(&decoder, []) == [.needsMore])
        #expect(try steps(&decoder, wire("cdeGET")) == [.data(0..<3), .end])
        #expect(try steps(&decoder, wire("GET")) == [.end])
        #expect(!decoder.endsWithConnection)
    }

    @Test func emptyFixedBodyEndsWithoutInput() throws {
        var decoder = try BodyDecoder(.fixed(0), limit: 0)
        #expect(try steps(&decoder, []) == [.end])
        #expect(try steps(&decoder, wire("GET")) == [.end])
    }

    @Test func declaredLengthAboveTheLimitIsRefusedBeforeAnyInput() {
        #expect(throws: HTTPSyntaxError.bodyTooLarge(limit: 4)) { try BodyDecoder(.fixed(5), limit: 4) }
        #expect(throws: HTTPSyntaxError.bodyTooLarge(limit: 0)) {
            try BodyDecoder(.fixed(999_999_999_999_999), limit: 0)
        }
    }

    @Test func chunkedBodyStaysAtItsEnd() throws {
        var decoder = try BodyDecoder(.chunked, limit: 10)
        #expect(try steps(&decoder, wire("2\r\nab\r\n0\r\n\r\nGET")) == [.data(3..<5), .end])
        #expect(try steps(&decoder, []) == [.end])
        #expect(try steps(&decoder, wire("GET")) == [.end])
    }

    @Test func bodyUntilEndTakesEverything() throws {
        var decoder = try BodyDecoder(.untilEnd, limit: 5)
        #expect(try steps(&decoder, []) == [.needsMore])
        #expect(try steps(&decoder, wire("abc")) == [.data(0..<3), .needsMore])
        #expect(try steps(&decoder, wire("de")) == [.data(0..<2), .needsMore])
        #expect(decoder.endsWithConnection)
        #expect(throws: HTTPSyntaxError.bodyTooLarge(limit: 5)) { try steps(&decoder, wire("f")) }
    }

    @Test func refusalOfABodyIsA413() {
        #expect(HTTPSyntaxError.bodyTooLarge(limit: 5).status == 413)
    }

    @Test func fixedBodiesEndWhereTheNextRequestBegins() throws {
        let next = head("GET /next HTTP/1.1", "Host: a")
        let inner = head("GET /smuggled HTTP/1.1", "Host: a")
        let request = try onlyRequest(head("POST / HTTP/1.1", "Host: a", "Content-Length: \(inner.count)") + inner)
        #expect(request.body == inner)
        let short = readRequests(
            head("POST / HTTP/1.1", "Host: a", "Content-Length: \(inner.count + next.count + 1)") + inner + next)
        #expect(short.requests.map(\.isComplete) == [false])
    }
}
