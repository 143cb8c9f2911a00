import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway

/// What the server asks about a stream while it runs.
@Suite struct GatewayStreamsTests {
    private let gateway = InProcessGateway().gateway
    private let stream = HTTPResponse(status: .ok, headerFields: EventStream.headerFields)
    private let others = [
        HTTPResponse(status: .ok), HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
        HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]),
    ]

    @Test func heartbeatIsACommentAndOnlyForStreams() {
        #expect(gateway.heartbeat(for: stream) == Array(": ping\n\n".utf8))
        for other in others { #expect(gateway.heartbeat(for: other) == nil) }
    }

    @Test func farewellIsOneErrorEventAndOnlyForStreams() throws {
        let text = String(decoding: try #require(gateway.farewell(for: stream)), as: UTF8.self)
        #expect(text.hasPrefix(#"data: {"error":{"message":"#) && text.hasSuffix("}}\n\n"))
        #expect(text.contains(#""code":"gateway_shutdown""#) && !text.contains("[DONE]"))
        #expect(text.filter { $0 == "\n" }.count == 2)
        for other in others { #expect(gateway.farewell(for: other) == nil) }
    }
}
