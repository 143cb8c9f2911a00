import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Heartbeats and final events of streams.
@Suite struct GatewayStreamsTests {
    private let inProcess = InProcessGateway()
    private var gateway: Gateway { inProcess.gateway }
    private let stream = ServerResponseHead(HTTPResponse(status: .ok, headerFields: EventStream.headerFields))
    private let others = [
        HTTPResponse(status: .ok), HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
        HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]),
    ].map(ServerResponseHead.init)

    /// Sends a request, and returns its metadata after the response.
    private func metadata(
        _ path: String, _ method: HTTPRequest.Method = .post, fields: HTTPFields = [:]
    ) async -> InProcessMetadata {
        let ends = ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "")
        let metadata = InProcessMetadata(
            connection: ends, bodyLength: .fixed(0), context: RequestRecord(clock: { 0 }))
        let head = RequestHead(
            HTTPRequest(method: method, scheme: nil, authority: "a", path: path, headerFields: fields))
        _ = await inProcess.response(to: head, body: nil, metadata)
        metadata.record.facts.requestID = "req-1"
        return metadata
    }

    @Test func heartbeatIsACommentAndOnlyForStreams() {
        for head in [stream, EventStream.head] {
            #expect(gateway.heartbeat(for: head) == Array(": ping\n\n".utf8))
        }
        for other in others { #expect(gateway.heartbeat(for: other) == nil) }
    }

    @Test func finalEventAtAShutdownIsAnErrorAndOnlyForStreams() async throws {
        let metadata = await metadata("/v1/chat/completions")
        let text = String(decoding: try #require(gateway.finalEvents(for: stream, metadata: metadata)), as: UTF8.self)
        #expect(text.hasPrefix(#"data: {"error":{"message":"#) && text.hasSuffix("}}\n\n"))
        #expect(text.contains(#""code":"gateway_shutdown""#) && !text.contains("[DONE]"))
        #expect(text.filter { $0 == "\n" }.count == 2)
        for other in others { #expect(gateway.finalEvents(for: other, metadata: metadata) == nil) }
    }

    @Test func finalEventIsInTheDialectOfItsRoute() async throws {
        let message = gateway.finalEvents(for: stream, metadata: await metadata("/v1/messages"))
        let text = String(decoding: try #require(message), as: UTF8.self)
        #expect(text.hasPrefix(#"event: error\#ndata: {"type":"error","error":{"type":"overloaded_error","#))
        #expect(text.hasSuffix(#""request_id":"req-1"}"# + "\n\n"))
        let response = gateway.finalEvents(for: stream, metadata: await metadata("/v1/responses"))
        let failed = String(decoding: try #require(response), as: UTF8.self)
        #expect(failed.hasPrefix(#"event: response.failed\#ndata: {"type":"response.failed","#))
    }

    @Test func storedResponsesFinalEventHasTheResponsesFormat() async throws {
        let events = gateway.finalEvents(for: stream, metadata: await metadata("/responses/resp_1?stream=true", .get))
        let text = String(decoding: try #require(events), as: UTF8.self)
        #expect(text.hasPrefix("event: response.failed\n"))
    }

    @Test func sharedRouteUsesTheRequestsDialect() async {
        #expect(await metadata("/v1/models", .get).dialect == .openAI)
        #expect(await metadata("/v1/models", .get, fields: [.anthropicVersion: "2023-06-01"]).dialect == .anthropic)
        #expect(await metadata("/models/a/b", .get, fields: [.anthropicVersion: "2023-06-01"]).dialect == .anthropic)
        #expect(await metadata("/v1/chat/completions", fields: [.anthropicVersion: "2023-06-01"]).dialect == .openAI)
        #expect(await metadata("/v1/nothing").dialect == nil)
        #expect(await metadata("/v1/messages", .put).dialect == nil)
    }

    @Test func finalEventOfAResponseContinuesItsSequenceAndHasItsID() async throws {
        let metadata = await metadata("/v1/responses")
        let transform = TypedStreamTransform(options: Relayed.responses(publicModel: "public"))
        metadata.record.track(transform)
        var relayed: [UInt8] = []
        _ = Array(Typed.events(Array(Typed.response.prefix(3))).utf8).withUnsafeBytes {
            transform.receive($0, into: &relayed)
        }
        let events = gateway.finalEvents(for: stream, metadata: metadata)
        let text = String(decoding: try #require(events), as: UTF8.self)
        #expect(text.contains(#""sequence_number":3,"response":{"id":"resp_1","#), "\(text)")
        #expect(text.contains(#""model":"public""#))
    }

    @Test(arguments: [
        ("/v1/chat/completions", #"{"error":{"message":"#), ("/v1/messages", #"{"type":"error","error":{"type":"#),
    ])
    func requestEndedByAShutdownGetsAnErrorInItsDialect(path: String, beginning: String) async throws {
        let request = RequestHead(HTTPRequest(method: .post, scheme: nil, authority: "a", path: path))
        let response = gateway.shutdownResponse(to: request, metadata: await metadata(path))
        #expect(response.head.status == 503)
        #expect(response.head.response.headerFields[.retryAfter] == "1")
        guard case .bytes(let bytes)? = response.body else {
            Issue.record("no body")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix(beginning) && text.contains("shutting down"))
    }
}
