import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct FieldSectionTests {
    private func get(_ fields: String...) -> [UInt8] {
        wire((["GET / HTTP/1.1", "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    private func post(_ fields: String...) -> [UInt8] {
        wire((["POST / HTTP/1.1", "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    @Test(arguments: [
        "X-A : v", "X-A\t: v", " X-A: v", "\tX-A: v", "X-A", ": v", " : v", ":", "X A: v", "X-A: v\r\n folded",
        "X-A: v\r\n\tfolded",
        "X-A:\r\n v", "X-A: a\rb", "X-A: a\r", "X-A: a\nb", "X-A: a\n", "\nX-A: a", "X-A: \u{00}", "X-A: \u{7F}",
        "X-A: \u{0B}v",
        "X-\u{E9}: v", "X(A): v", "\"X\": v", "X@A: v", "X-A;: v",
    ])
    func malformedLineIsRefused(_ line: String) {
        #expect(refusalStatus(get(line)) == 400)
        #expect(refusalStatus(get("X-B: b", line, "X-C: c")) == 400)
    }

    @Test(arguments: ["X-A: v\r\n folded", "X-A: v\r\n\tfolded", "X-A: v\r\n folded: v"])
    func foldedLineIsNamedInTheRefusal(_ line: String) {
        #expect(readRequests(get(line, "X-C: c")).refusal?.explanation == "A header line is folded.")
    }

    @Test(arguments: [" Host: a", "\tHost: a", " ", "\t"])
    func firstFieldLineThatBeginsWithWhitespaceIsRefused(_ line: String) {
        #expect(refusalStatus(head("GET / HTTP/1.1", line)) == 400)
        #expect(refusalStatus(head("GET / HTTP/1.1", line, "Host: a")) == 400)
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func nameIsATokenForEveryByte(_ octet: UInt8) {
        let bytes = wire("GET / HTTP/1.1\r\nHost: a\r\nX") + [octet] + wire("A: v\r\n\r\n")
        // A colon ends the name early, so the line is valid.
        let isAllowed = isTokenOctet(octet) || octet == UInt8(ascii: ":")
        #expect(refusalStatus(bytes) == (isAllowed ? nil : 400))
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func valueHasNoControlButTab(_ octet: UInt8) {
        let bytes = wire("GET / HTTP/1.1\r\nHost: a\r\nX-A: b") + [octet] + wire("c\r\n\r\n")
        let isAllowed = octet == 0x09 || (octet >= 0x20 && octet != 0x7F)
        let transcript = readRequests(bytes)
        #expect(transcript.refusal?.status == (isAllowed ? nil : 400))
        guard isAllowed, let name = HTTPField.Name("X-A") else { return }
        let value = transcript.requests.first?.request.headerFields[name]
        #expect(value.map { Array($0.utf8) } == (octet < 0x80 ? wire("b") + [octet] + wire("c") : nil))
    }

    /// Values are checked in steps of eight bytes.
    @Test func deleteIsRefusedAtEachPlaceOfALongValue() {
        for position in 0..<200 {
            var value = wire(String(repeating: "v", count: 200))
            value[position] = 0x7F
            for name in ["X-A", "Authorization", "Host"] {
                let host = name == "Host" ? "" : "Host: a\r\n"
                let bytes = wire("GET / HTTP/1.1\r\n\(host)\(name): ") + value + wire("\r\n\r\n")
                #expect(refusalStatus(bytes) == 400)
            }
        }
    }

    @Test(arguments: [
        ("X-A:v", "v"), ("X-A: v", "v"), ("X-A: \t v \t ", "v"), ("X-A:", ""), ("X-A: \t ", ""),
        ("X-A:a \t b", "a \t b"), ("X-A::", ":"),
    ])
    func whitespaceAroundAValueIsTrimmed(_ line: String, _ value: String) throws {
        let fields = try onlyRequest(get(line)).request.headerFields
        #expect(fields.map(\.value) == [value])
    }

    @Test func namesAreComparedWithoutCase() throws {
        let request = try onlyRequest(
            wire("POST / HTTP/1.1\r\nHOST: a\r\ncOntent-LENGTH: 3\r\nx-API-key: k\r\nCONTENT-type: t\r\n\r\nabc"))
        #expect(request.body == wire("abc"))
        #expect(request.request.headerFields[.xAPIKey] == "k")
        #expect(request.request.headerFields[.contentType] == "t")
        #expect(request.request.authority == "a")
        #expect(request.request.headerFields[.host] == nil)
    }

    @Test func everyInternedNameIsItself() throws {
        let names: [HTTPField.Name] = [
            .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentEncoding, .contentType,
            .cookie, .date,
            .origin, .priority, .referer, .retryAfter, .server, .setCookie, .te, .trailer, .upgrade, .userAgent, .vary,
            .xAPIKey,
            .xRequestID, .secFetchSite, .xShouldRetry,
            .retryAfterMilliseconds,
        ]
        for name in names {
            let fields = try onlyRequest(get("\(name.rawName.uppercased()): v")).request.headerFields
            #expect(fields.map(\.name) == [name])
        }
    }

    @Test func orderAndRepetitionOfOtherFieldsArePreserved() throws {
        let fields = try onlyRequest(get("X-B: 1", "X-A: 2", "X-B: 3")).request.headerFields
        #expect(fields.map { "\($0.name.canonicalName)=\($0.value)" } == ["x-b=1", "x-a=2", "x-b=3"])
    }

    @Test(arguments: ["Authorization", "Content-Type", "x-api-key", "Origin", "Expect", "content-TYPE"])
    func fieldWithOneMeaningIsRefusedWhenRepeated(_ name: String) {
        let value = name == "Expect" ? "100-continue" : "v"
        #expect(refusalStatus(get("\(name): \(value)")) == nil)
        #expect(refusalStatus(get("\(name): \(value)", "\(name): \(value)")) == 400)
        #expect(refusalStatus(get("\(name): \(value)", "X-B: b", "\(name.uppercased()): w")) == 400)
        #expect(refusalStatus(get("\(name): \u{E9}", "\(name): \(value)")) == 400)
        #expect(refusalStatus(get("\(name): \(value)", "\(name): \u{E9}")) == 400)
    }

    /// Dropping the whole header would let a request with an `Origin` pass as one without.
    @Test(arguments: ["Authorization", "Content-Type", "x-api-key", "Origin", "Content-Encoding", "Sec-Fetch-Site"])
    func significantFieldIsKnownDespiteANonASCIIValue(_ name: String) throws {
        let fields = try onlyRequest(get("\(name): a\u{E9}b", "X-A: \u{E9}")).request.headerFields
        #expect(fields.map { "\($0.name.canonicalName)=\($0.value)" } == ["\(name.lowercased())="])
    }

    @Test(arguments: [
        "", "+1", "-1", " ", "1,1", "1, 1", "1 1", "0x1", "1a", "a", "1.0", "1;", "1234567890123456",
        "0000000000000001", "9223372036854775808",
        "18446744073709551617", "\u{B2}", "1\u{A0}", "1\t1", "\u{C2}\u{B9}",
    ])
    func contentLengthThatIsNotUpToFifteenDigitsIsRefused(_ value: String) {
        #expect(refusalStatus(post("Content-Length: \(value)")) == 400)
    }

    @Test func contentLengthIsSingle() {
        #expect(refusalStatus(post("Content-Length: 1", "Content-Length: 1")) == 400)
        #expect(refusalStatus(post("Content-Length: 0", "X-A: b", "content-length: 0")) == 400)
    }

    @Test(arguments: [("0", 0), ("007", 7), (" 5\t", 5), ("000000000000012", 12)])
    func contentLengthIsDecimal(_ value: String, _ count: Int) throws {
        let body = [UInt8](repeating: 0x0A, count: count)
        let request = try onlyRequest(post("Content-Length: \(value)") + body)
        #expect(request.bodyLength == .fixed(count))
        #expect(request.body == body)
    }

    @Test func contentLengthCanHaveFifteenDigits() throws {
        let transcript = everyWay(post("Content-Length: 999999999999999")) { RequestTranscript($0, bodyLimit: .max) }
        #expect(transcript.requests.first?.bodyLength == .fixed(999_999_999_999_999))
        #expect(refusalStatus(post("Content-Length: 999999999999999")) == 413)
    }

    @Test(arguments: [
        "gzip", "chunked, gzip", "gzip, chunked", "chunked, chunked", "chunked;a=b", "\"chunked\"", "xchunked",
        "chunkedx", "identity", "",
        ",chunked", "chunked,", "chun ked", "chun\u{E2}\u{84}\u{AA}ed", "\u{C2}\u{A0}chunked",
    ])
    func otherTransferCodingIsNotImplemented(_ value: String) {
        #expect(refusalStatus(post("Transfer-Encoding: \(value)")) == 501)
        #expect(refusalStatus(get("Transfer-Encoding: \(value)")).map { [400, 501].contains($0) } == true)
    }

    @Test func transferEncodingIsSingle() {
        #expect(refusalStatus(post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")) == 501)
        #expect(refusalStatus(post("Transfer-Encoding: gzip", "Transfer-Encoding: chunked")) == 501)
        #expect(refusalStatus(post("Transfer-Encoding: chunked", "Transfer-Encoding: gzip")) == 501)
    }

    @Test(arguments: ["chunked", "CHUNKED", "Chunked", " \tchunked\t "])
    func chunkedIsTheTransferCoding(_ value: String) throws {
        let request = try onlyRequest(post("Transfer-Encoding: \(value)") + wire("0\r\n\r\n"))
        #expect(request.bodyLength == .chunked)
    }

    @Test(arguments: ["chunked", "gzip", "identity"])
    func bothLengthsAreRefusedInEitherOrder(_ coding: String) {
        #expect(refusalStatus(post("Content-Length: 3", "Transfer-Encoding: \(coding)")) == 400)
        #expect(refusalStatus(post("Transfer-Encoding: \(coding)", "X-A: b", "Content-Length: 3")) == 400)
        #expect(refusalStatus(post("Content-Length: 0", "Transfer-Encoding: \(coding)")) == 400)
    }

    @Test(arguments: [
        (["close"], true), (["Close"], true), (["keep-alive, close"], true), (["close,keep-alive"], true),
        ([" , ,\tCLOSE ,"], true),
        (["keep-alive", "close"], true), (["close", "keep-alive"], true), (["keep-alive"], false), (["closed"], false),
        (["x-close"], false),
        (["\"close\""], false), (["close;q=1"], false), ([""], false), (["clo se"], false), (["upgrade"], false),
    ])
    func closeAnywhereInConnectionWins(_ values: [String], _ closes: Bool) throws {
        let lines = values.map { "Connection: \($0)\r\n" }.joined()
        #expect(try onlyRequest(wire("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")).closes == closes)
    }
}
