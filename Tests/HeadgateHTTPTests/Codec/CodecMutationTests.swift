import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

/// Valid messages with a few random changes: the output must not depend on the split of the bytes.
@Suite struct CodecMutationTests {
    private static let interesting: [UInt8] = wire("\r\n\r\n\n\r :;=,\t\"\\/0159afAF#?*%.\u{00}\u{7F}\u{80}\u{FF}[]@-+")

    private static let requests: [[UInt8]] = [
        head("GET /v1/models?x=y HTTP/1.1", "Host: localhost:8686", "Accept: */*", "Connection: keep-alive"),
        head("POST /v1/chat HTTP/1.1", "Host: a", "Content-Type: application/json", "Content-Length: 11")
            + wire("{\"a\":\"b\\n\"}"),
        head("POST /c HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Expect: 100-continue")
            + wire("5;n=v\r\nhello\r\nA\r\n0123456789\r\n0;e=\"q\\\"\"\r\nX-T: u\r\n\r\n"),
        head("OPTIONS http://[::1]:80/ HTTP/1.1", "Host: [::1]:80", "Origin: http://x", "Authorization: Bearer k"),
        wire("\r\n") + head("HEAD / HTTP/1.0", "Connection: close, x", "Content-Length: 0"),
        head("POST /d HTTP/1.1", "Host: a", "Content-Length: 0", "X-A:\t \u{E9} "),
    ]

    private static let responses: [[UInt8]] = [
        head("HTTP/1.1 100 Continue") + head("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Type: text/plain")
            + wire("hello"),
        head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + wire("3\r\nabc\r\n5;x\r\ndata:\r\n0\r\n\r\n"),
        head("HTTP/1.0 429 Too Many", "Retry-After: 3") + wire("until the end"),
        head("HTTP/1.1 204 No Content", "Connection: close"),
        head("HTTP/1.1 103 Early Hints", "Link: a") + head("HTTP/1.1 304 Not Modified", "Content-Length: 9"),
    ]

    private func mutate(_ bytes: inout [UInt8], _ corpus: [[UInt8]], _ generator: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 1...12, using: &generator))
            let octet = CodecMutationTests.interesting.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: bytes.insert(octet, at: place)
            case 1: if place < bytes.count { bytes[place] = octet }
            case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &generator) }
            case 3: bytes.removeSubrange(place..<end)
            case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 5: bytes.insert(contentsOf: (corpus.randomElement(using: &generator) ?? []).suffix(20), at: place)
            default: bytes.append(contentsOf: corpus.randomElement(using: &generator) ?? [])
            }
        }
    }

    private func cut(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...40, using: &generator))
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }

    @Test(arguments: 0..<UInt64(8))
    func changedRequestsMeanTheSameHoweverTheyAreCut(_ seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        var refused = 0
        for _ in 0..<300 {
            var bytes = CodecMutationTests.requests.randomElement(using: &generator) ?? []
            mutate(&bytes, CodecMutationTests.requests, &generator)
            let whole = RequestTranscript([bytes])
            refused += whole.refusal == nil ? 0 : 1
            for pieces in [bytes.map { [$0] }, cut(bytes, &generator), cut(bytes, &generator)]
            where RequestTranscript(pieces) != whole {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }
        #expect((1..<300).contains(refused))
    }

    @Test(arguments: 0..<UInt64(8))
    func changedResponsesMeanTheSameHoweverTheyAreCut(_ seed: UInt64) {
        var generator = SeededGenerator(state: seed &+ 1000)
        var refused = 0
        for _ in 0..<300 {
            var bytes = CodecMutationTests.responses.randomElement(using: &generator) ?? []
            mutate(&bytes, CodecMutationTests.responses, &generator)
            let whole = ResponseTranscript([bytes])
            refused += whole.refusal == nil ? 0 : 1
            for pieces in [bytes.map { [$0] }, cut(bytes, &generator), cut(bytes, &generator)]
            where ResponseTranscript(pieces) != whole {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }
        #expect((1..<300).contains(refused))
    }

    @Test func noiseIsRefusedOrWaitsButIsNeverARequest() {
        var generator = SeededGenerator(state: 7)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 1...200, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let whole = RequestTranscript([bytes])
            if !whole.requests.isEmpty || RequestTranscript(bytes.map { [$0] }) != whole { Issue.record("\(bytes)") }
        }
    }
}
