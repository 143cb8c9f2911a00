import Foundation
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct SpanDocumentTests {
    private static let context = TraceContext(
        traceID: TraceID(high: 1, low: 2), spanID: SpanID(number: 3), isSampled: true, state: "a=1")

    private func document(_ spans: [Span], resource: [(name: String, value: String)] = []) throws -> NSDictionary {
        let bytes = SpanDocument.bytes(of: spans, resource: resource)
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
    }

    private func spans(_ document: NSDictionary) throws -> [NSDictionary] {
        let resource = try #require((document["resourceSpans"] as? [NSDictionary])?.first)
        let scope = try #require((resource["scopeSpans"] as? [NSDictionary])?.first)
        return try #require(scope["spans"] as? [NSDictionary])
    }

    @Test func everyMemberIsThatOfTheProtocol() throws {
        var span = Span(
            "chat \"m\"", .client, Self.context, parent: SpanID(number: 4), start: 1_800_000_000_000_000_001)
        span.end = 1_800_000_000_000_000_002
        span.set("text", "a\nb")
        span.set("number", 5)
        span.set("fraction", .fraction(0.5))
        span.set("flag", .flag(true))
        span.set("texts", .texts(["x", "y"]))
        span.set("none", Int?.none)
        span.set("empty", "")
        span.events = [SpanEvent(name: "first_content", time: 7)]
        span.error = "status_500"
        let written = try spans(try document([span]))
        let expected: NSDictionary = [
            "traceId": "00000000000000010000000000000002", "spanId": "0000000000000003",
            "parentSpanId": "0000000000000004", "traceState": "a=1", "flags": 257, "name": "chat \"m\"", "kind": 3,
            "startTimeUnixNano": "1800000000000000001", "endTimeUnixNano": "1800000000000000002",
            "attributes": [
                ["key": "text", "value": ["stringValue": "a\nb"]], ["key": "number", "value": ["intValue": "5"]],
                ["key": "fraction", "value": ["doubleValue": 0.5]], ["key": "flag", "value": ["boolValue": true]],
                [
                    "key": "texts",
                    "value": ["arrayValue": ["values": [["stringValue": "x"], ["stringValue": "y"]]]],
                ],
            ],
            "events": [["timeUnixNano": "7", "name": "first_content", "attributes": [String]()]],
            "status": ["code": 2, "message": "status_500"],
        ]
        #expect(written == [expected])
    }

    @Test func spanWithoutParentOrFailureOmitsThem() throws {
        var context = Self.context
        context.state = ""
        var root = Span("GET /v1/models", .server, context, parent: nil, start: 5)
        root.end = 4
        let written = try #require(try spans(try document([root])).first)
        #expect(written["parentSpanId"] == nil && written["traceState"] == nil)
        #expect(written["status"] as? NSDictionary == [:])
        // Clocks can be set back, but spans never end before they begin.
        #expect(written["endTimeUnixNano"] as? String == "5")
        #expect(written["flags"] as? Int == 0x101)
        var remote = Span("x", .server, context, parent: SpanID(number: 9), start: 1)
        remote.isParentRemote = true
        #expect(try spans(try document([remote]))[0]["flags"] as? Int == 0x301)
    }

    @Test func resourceIsWrittenOnce() throws {
        let span = Span("x", .server, Self.context, parent: nil, start: 1)
        let document = try document([span, span], resource: [("service.name", "gate")])
        #expect(try spans(document).count == 2)
        let resource = (document["resourceSpans"] as? [NSDictionary])?.first?["resource"] as? NSDictionary
        #expect(resource == ["attributes": [["key": "service.name", "value": ["stringValue": "gate"]]]])
    }
}
