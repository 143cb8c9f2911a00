import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@Suite struct HeadEncoderTests {
    private func encoded(
        _ response: HTTPResponse, _ framing: HeadEncoder.Framing, closes: Bool = false, requestID: String = ""
    ) -> [UInt8] {
        var output: [UInt8] = []
        HeadEncoder.append(
            ServerResponseHead(response), framing: framing, closes: closes,
            date: wire("\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT"), requestID: requestID, namesRequest: false,
            to: &output)
        return output
    }

    private func encoded(_ request: HTTPRequest, _ framing: HeadEncoder.Framing) -> [UInt8] {
        var output: [UInt8] = []
        HeadEncoder.append(request, framing: framing, to: &output)
        return output
    }

    @Test func responseIsTheseBytes() {
        let response = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"])
        let text =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nx-request-id: r\r\n"
        #expect(encoded(response, .fixed(120), requestID: "r") == wire(text + "Content-Length: 120\r\n\r\n"))
        #expect(
            encoded(response, .fixed(0), closes: true, requestID: "r")
                == wire(text + "Content-Length: 0\r\nConnection: close\r\n\r\n"))
        #expect(encoded(response, .chunked, requestID: "r") == wire(text + "Transfer-Encoding: chunked\r\n\r\n"))
        #expect(encoded(response, .none, closes: true, requestID: "r") == wire(text + "Connection: close\r\n\r\n"))
    }

    @Test func requestIsTheseBytes() {
        let request = HTTPRequest(
            method: .post, scheme: "https", authority: "a:1", path: "/v1?q", headerFields: [.accept: "*/*"])
        #expect(
            encoded(request, .fixed(7))
                == wire("POST /v1?q HTTP/1.1\r\nHost: a:1\r\nAccept: */*\r\nContent-Length: 7\r\n\r\n"))
        #expect(encoded(request, .none) == wire("POST /v1?q HTTP/1.1\r\nHost: a:1\r\nAccept: */*\r\n\r\n"))
    }

    @Test func outputIsAppended() {
        var output = wire("before")
        HeadEncoder.append(
            ServerResponseHead(HTTPResponse(status: .ok)), framing: .none, closes: false, date: wire("\r\nDate: d"),
            requestID: "", namesRequest: true, to: &output)
        #expect(output == wire("beforeHTTP/1.1 200 OK\r\nDate: d\r\n\r\n"))
    }

    @Test func addedLinesAreSentAndRead() {
        let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"]))
        let added = wire("\r\nx-cost: 0.1").withUnsafeBufferPointer(head.adding(lines:))
        var output: [UInt8] = []
        HeadEncoder.append(
            added, framing: .none, closes: false, date: [], requestID: "", namesRequest: false, to: &output)
        #expect(output == wire("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nx-cost: 0.1\r\n\r\n"))
        let fields: HTTPFields = [.contentType: "text/plain", HTTPField.Name("x-cost")!: "0.1"]
        #expect(added.response.headerFields == fields && head.response.headerFields.count == 1)
        #expect(wire("").withUnsafeBufferPointer(head.adding(lines:)) === head)
    }

    @Test func requestIDIsSentUnderBothNames() {
        var output: [UInt8] = []
        HeadEncoder.append(
            ServerResponseHead(HTTPResponse(status: .ok)), framing: .none, closes: false, date: [], requestID: "a-1",
            namesRequest: true, to: &output)
        #expect(output == wire("HTTP/1.1 200 OK\r\nx-request-id: a-1\r\nrequest-id: a-1\r\n\r\n"))
    }

    @Test(arguments: [0, 1, 9, 10, 99, 100, 101, 65_536, 999_999_999_999_999, Int.max])
    func lengthIsDecimal(_ count: Int) {
        let text = String(decoding: encoded(HTTPResponse(status: .ok), .fixed(count)), as: UTF8.self)
        #expect(text.hasSuffix("\r\nContent-Length: \(count)\r\n\r\n"))
    }

    @Test(arguments: [1, 9, 10, 15, 16, 17, 255, 256, 4095, 4096, 65_535, 65_536])
    func chunkHasItsSizeInHex(_ count: Int) throws {
        let data = [UInt8](repeating: 0x61, count: count)
        var output: [UInt8] = []
        data.withUnsafeBytes { HeadEncoder.appendChunk($0, to: &output) }
        #expect(output == wire(String(count, radix: 16) + "\r\n") + data + wire("\r\n"))
        HeadEncoder.appendLastChunk(to: &output)
        let read = RequestTranscript([head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + output])
        #expect(read.requests.first?.body == data)
        #expect(read.requests.first?.isComplete == true)
    }

    @Test(arguments: [0, 1, 15, 16, 255, 256, 300, 4096, 70_000], [1, 15, 16, 255, 256, 4095, 4096, 65_536])
    func chunkEncodedInPlaceIgnoresItsSizeEstimate(_ expected: Int, _ count: Int) {
        let data = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var whole = wire("before")
        data.withUnsafeBytes { HeadEncoder.appendChunk($0, to: &whole) }
        var output = wire("before")
        let written = HeadEncoder.appendChunk(about: expected, to: &output) { output in
            output.append(contentsOf: data.prefix(3))
            output.append(contentsOf: data.dropFirst(3))
        }
        #expect(output == whole)
        #expect(written == count)
    }

    @Test func emptyChunkIsNotWritten() {
        var output = wire("before")
        [UInt8]().withUnsafeBytes { HeadEncoder.appendChunk($0, to: &output) }
        #expect(HeadEncoder.appendChunk(about: 300, to: &output) { _ in } == 0)
        #expect(output == wire("before"))
    }

    @Test(arguments: ["a\r\nEvil: 1", "a\nEvil: 1", "a\rb", "a\u{00}b", "a\r\n\r\nGET / HTTP/1.1"])
    func lineEndInAValueCannotMakeALine(_ value: String) {
        let name = HTTPField.Name("X-A")
        var response = HTTPResponse(status: .init(code: 200, reasonPhrase: value))
        var request = HTTPRequest(method: .get, scheme: "http", authority: value, path: "/\(value)")
        if let name {
            response.headerFields[name] = value
            request.headerFields[name] = value
        }
        for bytes in [encoded(response, .none), encoded(request, .none)] {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            // There are a start line, two header lines (Date or Host, and X-A), the empty line, and nothing after it.
            #expect(lines.count == 5)
            #expect(lines.map { $0.last == 0x0D } == [true, true, true, true, false])
            #expect(lines.map { $0.filter { $0 == 0x0D || $0 == 0 }.count } == [1, 1, 1, 1, 0])
        }
    }

    @Test(arguments: 0..<UInt64(50))
    func randomHeadsParseBack(_ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let names = ["X-A", "x-b", "Accept", "Retry-After", "!#$%&'*+-.^_`|~9"].compactMap { HTTPField.Name($0) }
        var fields = HTTPFields()
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            let value = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                UInt8.random(in: 0x21...0x7E, using: &generator)
            }
            fields.append(
                HTTPField(
                    name: try #require(names.randomElement(using: &generator)),
                    value: String(decoding: value, as: UTF8.self)))
        }
        let body = (0..<Int.random(in: 0...100, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let closes = Bool.random(using: &generator)
        let status = Int.random(in: 200...599, using: &generator)
        let response = HTTPResponse(status: .init(code: status), headerFields: fields)
        let answer = readResponse(encoded(response, .fixed(body.count), closes: closes) + body)
        #expect(
            answer.refusal == nil && answer.isComplete && answer.closes == closes
                && answer.response?.status.code == status)
        #expect(answer.body == (status == 204 || status == 304 ? [] : body))
        let added: [HTTPField.Name] = [.date, .contentLength, .connection]
        #expect(answer.response?.headerFields.filter { !added.contains($0.name) } == Array(fields))

        let request = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost:1", path: "/a?b=\(seed)", headerFields: fields)
        var chunked = encoded(request, .chunked)
        body.withUnsafeBytes { HeadEncoder.appendChunk($0, to: &chunked) }
        HeadEncoder.appendLastChunk(to: &chunked)
        let read = try onlyRequest(chunked)
        #expect(read.body == body)
        #expect(
            read.request.method == .post && read.request.path == request.path && read.request.authority == "localhost:1"
        )
        #expect(read.request.headerFields.filter { $0.name != .transferEncoding } == Array(fields))
    }
}
