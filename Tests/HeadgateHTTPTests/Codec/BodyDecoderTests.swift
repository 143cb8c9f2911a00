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

    /// Returns the bytes, whether they had to be gathered, and the bytes after them.
    private func taken(_ decoder: inout BodyDecoder, _ bytes: [UInt8]) -> [String] {
        var gathered = Array("old".utf8)
        var offset = 0
        let portion = bytes.withUnsafeBytes { decoder.take($0, &offset, gathering: &gathered) }
        let octets =
            switch portion.octets {
            case .none: "none"
            case .together(let range): "together \(String(decoding: bytes[range], as: UTF8.self))"
            case .gathered: "gathered \(String(decoding: gathered, as: UTF8.self))"
            }
        let following =
            switch portion.following {
            case .more: "more"
            case .end: "end at \(offset)"
            case .fault(let error): "fault \(error.status)"
            }
        return [octets, following]
    }

    @Test func chunksOfOneInputAreDecodedTogether() throws {
        var decoder = try BodyDecoder(.chunked, limit: 12)
        #expect(taken(&decoder, wire("2\r\na")) == ["together a", "more"])
        #expect(taken(&decoder, wire("b\r")) == ["together b", "more"])
        #expect(taken(&decoder, wire("\n1;x=y\r\nc\r\n00000002\r\nde\r\n1\r\nf\r")) == ["gathered cdef", "more"])
        #expect(taken(&decoder, wire("\nA")) == ["none", "more"])
        #expect(taken(&decoder, wire("\r\n")) == ["none", "fault 413"])
    }

    @Test func bytesBeforeAFaultOrTheEndAreDelivered() throws {
        var decoder = try BodyDecoder(.chunked, limit: 100)
        #expect(taken(&decoder, wire("2\r\nab\r\n1\r\nc\r\n0\r\n\r\nGET")) == ["gathered abc", "end at 18"])
        for bad in ["000000001\r\nc", "1\nc", "\r\nc", "g\r\nc", "1 \r\nc", "-1\r\n", "1\r\nc\n\r\n"] {
            var decoder = try BodyDecoder(.chunked, limit: 100)
            let first = bad.hasSuffix("\n\r\n") ? "gathered abc" : "together ab"
            #expect(taken(&decoder, wire("2\r\nab\r\n" + bad)) == [first, "fault 400"], "\(bad)")
        }
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
