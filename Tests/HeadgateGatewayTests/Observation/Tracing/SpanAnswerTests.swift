import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct SpanAnswerTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, in nanoseconds since 1970.
    private static let now: Int64 = 784_111_777_000_000_000

    private func answer(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> SpanAnswer {
        var fields = HTTPFields()
        fields[.retryAfter] = retryAfter
        let head = ResponseHead(HTTPResponse(status: .init(code: status), headerFields: fields))
        return SpanAnswer(head, Array(body.utf8), at: SpanAnswerTests.now)
    }

    @Test(arguments: ["", "{}", #"{"partialSuccess":{}}"#, "no JSON", #"{"partialSuccess":null}"#, "[]"])
    func successAcceptsAllSpans(_ body: String) {
        #expect(answer(200, body) == .taken(rejected: 0, message: ""))
        #expect(answer(202, body) == .taken(rejected: 0, message: ""))
    }

    @Test(arguments: ["\"3\"", "3"]) func rejectedSpansAreReadAsTextOrNumber(_ count: String) {
        let body = #"{"a":[1],"partialSuccess":{"rejectedSpans":\#(count),"errorMessage":"too long"}}"#
        #expect(answer(200, body) == .taken(rejected: 3, message: "too long"))
    }

    @Test(arguments: [429, 502, 503, 504]) func transientStatusesAreRetried(_ status: Int) {
        #expect(answer(status) == .failed("status \(status)"))
        #expect(answer(status, retryAfter: "7") == .failed("status \(status)", pause: .seconds(7)))
        #expect(answer(status, retryAfter: "-7") == .failed("status \(status)"))
        let date = "Sun, 06 Nov 1994 08:50:37 GMT"
        #expect(answer(status, retryAfter: date) == .failed("status \(status)", pause: .seconds(60)))
    }

    @Test(arguments: [301, 400, 401, 404, 413, 500, 501]) func otherStatusesAreFinal(_ status: Int) {
        #expect(answer(status, retryAfter: "7") == .refused("status \(status)"))
    }
}
