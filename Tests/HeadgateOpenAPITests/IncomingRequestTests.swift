import HTTPTypes
import HeadgateHTTP
import HeadgateOpenAPI
import Testing

@Suite struct IncomingRequestTests {
    private enum Colour: String, CaseIterable, ParameterValue {
        case red
        case blue = "dark-blue"
    }

    private func request(_ path: String, _ fields: HTTPFields = [:], body: String? = nil) -> IncomingRequest {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path, headerFields: fields)
        let ends = ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1")
        let metadata = ServerRequestMetadata(connection: ends, bodyLength: .fixed(0), context: NoContext())
        metadata.pathParameters = ["id": "7", "text": "a%20b"]
        return IncomingRequest(head, body.map { .bytes(Array($0.utf8)) }, metadata)
    }

    @Test func parametersHaveTheirTypes() throws {
        let request = request("/?n=-1.5e2&flag=true&c=dark-blue&t=1&t=2&x", [.age: "4"])
        #expect(try request.path("id") == 7)
        #expect(try request.path("text") == "a b")
        #expect(try request.requiredQuery("n") == -150.0)
        #expect(try request.query("flag") == true)
        #expect(try request.requiredQuery("c") == Colour.blue)
        #expect(try request.queryList("t") == [1, 2])
        #expect(try request.queryList("none") == nil as [Int]?)
        #expect(try request.requiredQuery("x") == "")
        #expect(try request.requiredHeader(.age) == 4)
    }

    @Test(arguments: [
        ("/?a=1", "1"), ("/?a", ""), ("/?a=", ""), ("/?a==", "="), ("/?b=2&a=1&a=3", "1"), ("/?&&a=1&", "1"),
        ("/?%61=1", "1"), ("/?%6=0&%zz=0&a=1", "1"), ("/?a=x+y%2B%26%3D", "x y+&="), ("/?a=%C3%A9&", "é"),
        ("/?A=1", nil), ("/?aa=1", nil), ("/?=a", nil), ("/?", nil), ("/", nil), ("/a=1", nil), ("/?b=a=1", nil),
    ])
    func firstValueOfANameIsItsText(path: String, expected: String?) throws {
        let all: [String]? = try request(path).queryList("a")
        #expect(try request(path).query("a") == expected)
        #expect(all?.first == expected)
    }

    @Test func nameOfAParameterCanBeAnyText() throws {
        let request = request("/?a+b=1&caf%C3%A9=2&x%2By=3")
        #expect(try request.requiredQuery("a b") == 1)
        #expect(try request.requiredQuery("café") == 2)
        #expect(try request.requiredQuery("x+y") == 3)
        #expect(try request.query("x y") == nil as Int?)
    }

    @Test(arguments: ["/?a=%", "/?a=%4", "/?a=%4g", "/?a=%00", "/?a=%FF", "/?a=%C3&a=1"])
    func brokenEscapeIsNotSkipped(path: String) {
        let expected = RequestViolation.invalidParameter(
            name: "a", in: .query, expected: "text in percent-encoded UTF-8")
        #expect(throws: expected) { let _: String? = try request(path).query("a") }
        #expect(throws: expected) { let _: String = try request(path).requiredQuery("a") }
        #expect(throws: expected) { let _: [String]? = try request(path).queryList("a") }
    }

    @Test func missingOrWrongParameterIsNamed() {
        let request = request("/?c=green&n=nan&large=1e999&t=1&t=b")
        let problems: [(() throws -> Void, String)] = [
            ({ let _: String = try request.requiredQuery("q") }, "The query parameter 'q' is missing."),
            ({ let _: [Int] = try request.requiredQueryList("q") }, "The query parameter 'q' is missing."),
            ({ let _: Int = try request.requiredHeader(.age) }, "The header parameter 'age' is missing."),
            ({ let _: Colour? = try request.query("c") }, "The query parameter 'c' is not one of 'red', 'dark-blue'."),
            ({ let _: Double? = try request.query("n") }, "The query parameter 'n' is not a number."),
            ({ let _: Double? = try request.query("large") }, "The query parameter 'large' is not a number."),
            ({ let _: [Int]? = try request.queryList("t") }, "The query parameter 't' is not an integer."),
            ({ let _: Int = try request.path("text") }, "The path parameter 'text' is not an integer."),
        ]
        for (read, message) in problems {
            let violation = #expect(throws: RequestViolation.self) { try read() }
            #expect(violation?.description == message)
        }
    }

    @Test func jsonBodyIsDecodedOrRefused() async throws {
        let type: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        #expect(try await request("/", type, body: "[1]").json() == [1])
        #expect(try await request("/", type).optionalJSON() == nil as [Int]?)
        await #expect(throws: RequestViolation.missingBody) { let _: [Int] = try await request("/", type).json() }
        await #expect(throws: RequestViolation.contentType(expected: "application/json")) {
            let _: [Int] = try await request("/", body: "[1]").json()
        }
        let violation = await #expect(throws: RequestViolation.self) {
            let _: [Int] = try await request("/", type, body: "[").json()
        }
        guard case .invalidBody? = violation else { return #expect(Bool(false), "not the body: \(violation as Any)") }
    }
}

final class NoContext: RequestContext {
    let requestID = ""

    func decide(_: RequestEnd) {}
    func complete(_: RequestEnd, bytesReceived _: Int, bytesSent _: Int, maximumQueuedBytes _: Int) {}
}
