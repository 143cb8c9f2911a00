import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct JSONBodyMiddlewareTests {
    private func exchange(_ fields: HTTPFields, _ length: BodyLength = .fixed(10), limit: Int = 10) async -> Exchange {
        await Exchange(JSONBodyMiddleware(limit: limit), .post, fields: fields, bodyLength: length)
    }

    @Test(arguments: [
        "application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=utf-8",
        "application/json ; x=y", "application/json\t", "application/json;",
    ])
    func jsonPasses(_ type: String) async {
        #expect(await exchange([.contentType: type]).status == 200)
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json", "application/jsonp",
        "application/json+x",
        "application/json, text/plain", "text/plain; application/json", "appli cation/json", "application/ json",
        "application/json x",
        "text/plain;x=application/json",
    ])
    func everyOtherTypeIsRefused(_ type: String) async {
        #expect(await exchange([.contentType: type]).status == 415)
    }

    @Test func missingTypeIsRefused() async {
        #expect(await exchange([:]).status == 415)
    }

    @Test func unsupportedCodingIsRefused() async {
        for coding in ["br", "gzip, br", "gzip, gzip", "compress"] {
            #expect(await exchange([.contentType: "application/json", .contentEncoding: coding]).status == 415)
        }
    }

    @Test(arguments: [
        ("Identity", nil), ("", nil), ("gzip", ContentCoding.gzip), ("deflate", .deflate), ("zstd", .zstd),
        ("identity, gzip", .gzip),
    ])
    func bodyReaderKnowsTheCoding(name: String, coding: ContentCoding?) async {
        let exchange = await exchange([.contentType: "application/json", .contentEncoding: name])
        #expect(exchange.status == 200 && exchange.metadata.bodyCoding == coding)
    }

    @Test func declaredLengthIsCheckedBeforeAByteIsRead() async {
        #expect(await exchange([.contentType: "application/json"], .fixed(11)).status == 413)
        #expect(await exchange([.contentType: "text/plain"], .fixed(11)).status == 415)
    }

    @Test func bodyIsReadOnlyAfterTheChecks() async {
        let json: HTTPFields = [.contentType: "application/json"]
        #expect(await exchange(json, .fixed(10)).metadata.bodyLimit == 10)
        #expect(await exchange(json, .chunked).metadata.bodyLimit == 10)
        #expect(await exchange(json, .fixed(11)).metadata.bodyLimit == 0)
        #expect(await exchange([:]).metadata.bodyLimit == 0)
    }
}
