import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateOpenAPI

/// Parameters that a client writes and a server reads back.
@Suite struct ParameterStyleTests {
    private struct Filter: Codable, Hashable, JSONWritable {
        var name: String?
        var sizes: [Int]?
        var range: Range?

        func write(to json: inout JSONText) throws { try json.encode(self) }
    }

    private struct Range: Codable, Hashable { var gte: Int? }

    private static let operation = APIOperation(
        id: "a", method: .get, path: "/things/{id}", responseContentTypes: [])

    private func sent(_ write: (inout OutgoingRequest) throws -> Void) rethrows -> (HTTPRequest, IncomingRequest) {
        var outgoing = OutgoingRequest(Self.operation)
        try write(&outgoing)
        let request = outgoing.request
        let ends = ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1")
        let metadata = ServerRequestMetadata(connection: ends, bodyLength: .fixed(0), context: NoContext())
        metadata.pathParameters = ["id": String((request.path ?? "").dropFirst("/things/".count).prefix { $0 != "?" })]
        return (request, IncomingRequest(request, outgoing.body, metadata))
    }

    @Test(arguments: [
        (ParameterStyle.exploded, "name=a%20%26%20b&range%5Bgte%5D=3&sizes=1&sizes=2"),
        (.deepObject, "f%5Bname%5D=a%20%26%20b&f%5Brange%5D%5Bgte%5D=3&f%5Bsizes%5D%5B0%5D=1&f%5Bsizes%5D%5B1%5D=2"),
        (
            .json,
            "f=%7B%22name%22%3A%22a%20%26%20b%22%2C%22range%22%3A%7B%22gte%22%3A3%7D%2C%22sizes%22%3A%5B1%2C2%5D%7D"
        ),
    ])
    func objectInAQuery(style: ParameterStyle, query: String) throws {
        let filter = Filter(name: "a & b", sizes: [1, 2], range: Range(gte: 3))
        let (request, incoming) = try sent { try $0.query("f", filter, style) }
        #expect(request.path == "/things/{id}?" + query)
        #expect(try incoming.requiredQuery("f", style) == filter)
    }

    @Test(arguments: [
        (ParameterStyle.commas, "f=1,22,3"), (.spaces, "f=1%2022%203"), (.bars, "f=1%7C22%7C3"),
        (.exploded, "f=1&f=22&f=3"), (.deepObject, "f%5B0%5D=1&f%5B1%5D=22&f%5B2%5D=3"),
    ])
    func listInAQuery(style: ParameterStyle, query: String) throws {
        let (request, incoming) = try sent { try $0.query("f", [1, 22, 3], style) }
        #expect(request.path == "/things/{id}?" + query)
        #expect(try incoming.requiredQuery("f", style) == [1, 22, 3])
        let one = try sent { try $0.query("f", [7], style) }.1
        #expect(try one.requiredQuery("f", style) == [7])
        #expect(try sent { _ in }.1.query("f", style) as [Int]? == nil)
    }

    @Test func emptyObjectIsAbsentNextToOtherItems() throws {
        let incoming = sent { $0.query("page", 2) }.1
        #expect(try incoming.query("f", .exploded) as Filter? == nil)
        #expect(try incoming.query("f", .exploded) as OpenAPIValueContainer? == nil)
        let part = sent { outgoing in
            outgoing.query("page", 2)
            outgoing.query("name", "a")
        }.1
        #expect(try part.query("f", .exploded) == Filter(name: "a"))
    }

    @Test func oftenRepeatedNameIsReadInLinearTime() {
        let pairs = (0..<300_000).map { ("a", "\($0)") }
        #expect(FormValue.members(of: pairs)["a"]?.texts.count == 300_000)
        let nested = (0..<100_000).map { ("a[k\($0)]", "x") }
        #expect(FormValue.members(of: nested)["a"]?.texts.count == 200_000)
    }

    @Test(arguments: [
        (ParameterStyle.matrix, ";id=1.5,a%2Cb", ";id=7", ";id=name,x%2Ey,range,gte,3"),
        (.explodedMatrix, ";id=1.5;id=a%2Cb", ";id=7", ";name=x%2Ey;range%5Bgte%5D=3"),
        (.label, ".1.5,a%2Cb", ".7", ".name,x%2Ey,range,gte,3"),
        (.explodedLabel, ".1.5.a%2Cb", ".7", ".name=x%2Ey.range%5Bgte%5D=3"),
    ])
    func segmentOfAPath(style: ParameterStyle, list: String, number: String, object: String) throws {
        let (request, incoming) = try sent { try $0.path("id", ["1.5", "a,b"], style) }
        #expect(request.path == "/things/" + list.replacing("1.5", with: "1%2E5"))
        #expect(try incoming.path("id", style) == ["1.5", "a,b"])
        let one = try sent { try $0.path("id", 7, style) }
        #expect(try one.0.path == "/things/" + number && one.1.path("id", style) == 7)
        let filter = Filter(name: "x.y", range: Range(gte: 3))
        let other = try sent { try $0.path("id", filter, style) }
        #expect(other.0.path == "/things/" + object)
        if style == .explodedMatrix || style == .explodedLabel { #expect(try other.1.path("id", style) == filter) }
    }

    @Test(arguments: ["7", ";x=7", "", ".7;id=8"])
    func segmentOfAnotherStyleIsRefused(text: String) throws {
        for style in [ParameterStyle.matrix, .label] where !(style == .label && text.hasPrefix(".")) {
            let incoming = sent { $0.path("id", "x") }.1
            incoming.exchange.metadata.pathParameters = ["id": text]
            #expect(throws: RequestViolation.self) { _ = try incoming.path("id", style) as String }
        }
    }

    @Test(arguments: [
        (ParameterStyle.label, [""]), (.label, ["."]), (.label, []), (.explodedLabel, [""]),
        (.explodedLabel, ["", ""]),
    ])
    func segmentOfDotsIsNotSent(style: ParameterStyle, values: [String]) {
        #expect(throws: EncodingError.self) { _ = try sent { try $0.path("id", values, style) } }
    }

    @Test func pathHeaderAndCookie() throws {
        let (request, incoming) = try sent { request in
            try request.path("id", [1, 2], .commas)
            try request.header(.age, ["b": 2, "a": 1], .assignments)
            request.cookie("session", "x; y")
            try request.cookie("seen", [3, 4], .commas)
        }
        #expect(request.path == "/things/1,2" && request.headerFields[.age] == "a=1,b=2")
        #expect(request.headerFields[.cookie] == "session=x%3B%20y; seen=3,4")
        #expect(try incoming.path("id", .commas) == [1, 2])
        #expect(try incoming.requiredHeader(.age, .assignments) == ["a": 1, "b": 2])
        #expect(try incoming.requiredCookie("session") == "x; y" && incoming.requiredCookie("seen", .commas) == [3, 4])
        #expect(try incoming.cookie("none") == nil as String?)
    }

    /// Each value is escaped separately, so that none of its characters is a separator.
    @Test func separatorsInsideValuesArePreserved() throws {
        let texts = ["a,b", "100%", "é=c & d", "%2C", "+"]
        let members = ["a,b": "c,d", "e=f": "g=h"]
        let (request, incoming) = try sent { request in
            try request.path("id", texts, .commas)
            try request.query("list", texts, .commas)
            try request.query("members", members, .assignments)
            try request.query("deep", texts, .exploded)
            try request.header(.age, texts, .commas)
            try request.header(.via, members, .assignments)
            try request.cookie("seen", texts, .commas)
        }
        #expect(request.path?.hasPrefix("/things/a%2Cb,100%25,%C3%A9%3Dc%20%26%20d,%252C,%2B?list=a%2Cb,") == true)
        #expect(request.headerFields[.age] == "a%2Cb,100%25,é=c & d,%252C,+")
        #expect(request.headerFields[.via] == "a%2Cb=c%2Cd,e%3Df=g=h")
        #expect(try incoming.path("id", .commas) == texts && incoming.query("list", .commas) == texts)
        #expect(try incoming.query("deep", .exploded) == texts && incoming.query("members", .assignments) == members)
        #expect(try incoming.header(.age, .commas) == texts && incoming.header(.via, .assignments) == members)
        #expect(try incoming.cookie("seen", .commas) == texts)
    }

    /// A URL has neither spaces nor bars, so escaped ones would be ambiguous.
    @Test(arguments: [ParameterStyle.spaces, .bars])
    func ambiguousSeparatorIsAnError(style: ParameterStyle) throws {
        #expect(throws: EncodingError.self) { try sent { try $0.query("f", ["a b|c"], style) } }
        let incoming = try sent { try $0.query("f", ["a,b", "c"], style) }.1
        #expect(try incoming.query("f", style) == ["a,b", "c"])
    }

    /// Other clients escape the commas too, or escape nothing.
    @Test func spellingsOfOthersAreRead() throws {
        let (_, numbers) = sent { $0.query("f", "1,2") }
        #expect(try numbers.query("f", .commas) == [1, 2])
        let (_, text) = sent { $0.query("f", "1,2") }
        #expect(try text.query("f", .commas) == ["1,2"])
        let (_, header) = sent { $0.header(.age, "100%,b") }
        #expect(try header.header(.age, .commas) == ["100%", "b"])
        let spaces = ServerRequestMetadata(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1"),
            bodyLength: .fixed(0), context: NoContext())
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/?f=a+b&g=%zz,a&h=a|b")
        let incoming = IncomingRequest(request, nil, spaces)
        #expect(try incoming.query("f", .spaces) == ["a", "b"] && incoming.query("h", .bars) == ["a", "b"])
        let violation = RequestViolation.invalidParameter(name: "g", in: .query, expected: "what the document says")
        #expect(throws: violation) { _ = try incoming.query("g", .commas) as [String]? }
    }

    @Test func invalidParameterIsAViolation() throws {
        let incoming = sent { request in
            request.query("f", "x")
            request.cookie("c", "x")
        }.1
        let violation = RequestViolation.invalidParameter(name: "f", in: .query, expected: "what the document says")
        #expect(throws: violation) { _ = try incoming.query("f", .commas) as [Int]? }
        #expect(throws: RequestViolation.missingParameter(name: "g", in: .query)) {
            _ = try incoming.requiredQuery("g", .deepObject) as Filter
        }
        #expect(throws: RequestViolation.invalidParameter(name: "c", in: .cookie, expected: Int.expectation)) {
            _ = try incoming.cookie("c") as Int?
        }
    }

    /// Names with absurdly many brackets do not exhaust the stack.
    @Test func hostileNamesAreRead() throws {
        let pairs = [
            ("f" + String(repeating: "[a]", count: 10_000), "1"), ("[", "2"), ("]", "3"), ("f[", "4"), ("f", "5"),
        ]
        #expect(FormValue.members(of: pairs)["["] == .text("2"))
        #expect(FormValue.members(of: [("f[]", "1"), ("f[]", "2")]) == ["f": .list([.text("1"), .text("2")])])
    }

    @Test func formIsReadBackUnchanged() async throws {
        let filter = Filter(name: "é+", sizes: [1, 2], range: Range(gte: -1))
        let (request, incoming) = try sent { try $0.urlEncodedForm(filter, nested: ["sizes"]) }
        #expect(request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        let text = String(decoding: try await incoming.body().collect(upTo: 1000), as: UTF8.self)
        #expect(text == "name=%C3%A9%2B&range%5Bgte%5D=-1&sizes%5B0%5D=1&sizes%5B1%5D=2")
        #expect(try await incoming.urlEncodedForm() == filter)
    }
}
