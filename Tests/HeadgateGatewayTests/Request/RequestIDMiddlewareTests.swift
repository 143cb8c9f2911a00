import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateRelay

@Suite struct RequestIDMiddlewareTests {
    private func exchange(_ presented: String?) async -> Exchange {
        var fields: HTTPFields = [:]
        fields[.xRequestID] = presented
        return await Exchange(RequestIDMiddleware(generator: RequestIDGenerator(now: { 0 })), fields: fields)
    }

    @Test(arguments: ["a", "req_123", "0af7651916cd43dd-8448.EB211c80319c", String(repeating: "x", count: 128)])
    func wellFormedIDIsPreserved(_ id: String) async {
        let exchange = await exchange(id)
        #expect(exchange.metadata.record.facts.requestID == id)
    }

    @Test(arguments: [
        nil, "", "a b", "a\"b", "a,b", "é", "a/b", "[", "`", "{", "@", ":", String(repeating: "x", count: 129),
    ])
    func everyOtherIDIsReplaced(_ id: String?) async {
        let exchange = await exchange(id)
        let given = exchange.metadata.record.facts.requestID
        #expect(given.utf8.count == 36 && given != id)
    }
}
