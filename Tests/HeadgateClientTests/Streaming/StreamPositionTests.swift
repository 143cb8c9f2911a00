import Foundation
import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateClient

/// Positions that an app stores, and from which it continues after a restart.
@Suite struct StreamPositionTests {
    /// Stream on the Responses route with two calls, one in pieces and one whole.
    private static let calls = [
        #""response.created","response":{"id":"r","model":"m","created_at":7,"status":"in_progress"}"#,
        #""response.in_progress","response":{"id":"r","model":"m","created_at":7,"status":"in_progress"}"#,
        #""response.output_text.delta","output_index":0,"delta":"Let me see.""#,
        #""response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"t1","name":"sky"}"#,
        #""response.function_call_arguments.delta","output_index":1,"delta":"{\"city\":""#,
        #""response.function_call_arguments.delta","output_index":1,"delta":"\"Rome\"}""#,
        #""response.function_call_arguments.done","output_index":1,"arguments":"{\"city\":\"Rome\"}""#,
        #""response.output_item.added","output_index":2,"item":{"type":"function_call","call_id":"t2","name":"time"}"#,
        #""response.function_call_arguments.done","output_index":2,"arguments":"{\"zone\":1}""#,
        #""response.completed","response":{"id":"r","model":"m","status":"completed","usage":{"input_tokens":3}}"#,
    ]

    /// Stream on the Messages route.
    private static let blocks = [
        #""message_start","message":{"id":"r","model":"m","usage":{"input_tokens":7,"output_tokens":1}}"#,
        #""content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"sky","input":{}}"#,
        #""content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"city\":"}"#,
        #""content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"Rome\"}"}"#,
        #""content_block_stop","index":0"#,
        #""message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}"#,
        #""message_stop""#,
    ]

    private static func events(_ members: [String]) -> [[UInt8]] {
        members.enumerated().map { Array("id: \($0)\ndata: {\"type\":\($1)}\n\n".utf8) }
    }

    private func response(_ chunks: [[UInt8]], end: PlannedResponse.End = .complete) -> PlannedResponse {
        var response = PlannedResponse(chunks: chunks, end: end)
        response.fields[.xRequestID] = "req-1"
        return response
    }

    /// Breaks a stream after each of its events, which arrive one by one or all at once, and continues from the stored
    /// position.
    @Test(arguments: [ChatRoute.responses, .messages], [true, false])
    func storedPositionContinuesLikeAnUnbrokenStream(_ route: ChatRoute, _ comesOneByOne: Bool) async throws {
        let events = Self.events(route == .responses ? Self.calls : Self.blocks)
        let request = ChatRequest(model: "m", messages: [.user("p")], route: route)
        var whole: [ChatCompletionChunk] = []
        let unbroken = try client(of: InMemoryTransport(response(events))).chat.stream(request)
        for try await piece in unbroken { whole.append(piece) }
        try #require(whole.count > 5)

        for split in 1..<whole.count {
            let first = comesOneByOne ? Array(events[..<split]) : [Array(events.joined())]
            let transport = InMemoryTransport(
                response(first, end: .fail(.truncatedBody)), response(Array(events[split...])))
            let chat = try client(of: transport).chat
            var iterator = chat.stream(request).makeAsyncIterator()
            var pieces: [ChatCompletionChunk] = []
            while pieces.count < split, let piece = try await iterator.next() { pieces.append(piece) }
            let stored = try JSONEncoder().encode(try #require(iterator.position))
            let position = try JSONDecoder().decode(StreamPosition.self, from: stored)
            for try await piece in chat.resume(position, route: route) { pieces.append(piece) }
            #expect(pieces == whole, "broken after \(split) of \(whole.count) pieces")
        }
    }

    /// Resumes from a position that knows only ids.
    @Test func callsOfAResumedStreamAreNotDuplicated() async throws {
        let events = Self.events(Self.calls)
        for split in 1..<events.count {
            let transport = InMemoryTransport(response(Array(events[split...])))
            let position = StreamPosition(streamID: "req-1", lastEventID: "\(split - 1)")
            var assembly = ToolCallAssembly()
            for fragment in Self.fragments(before: split) { assembly.add(fragment) }
            for try await piece in try client(of: transport).chat.resume(position, route: .responses) {
                for fragment in piece.choices.first?.delta.toolCalls ?? [] { assembly.add(fragment) }
            }
            // Between the first event of a call and its arguments, only a stored position knows the call.
            let expected = split == 8 ? ["{\"city\":\"Rome\"}", ""] : ["{\"city\":\"Rome\"}", "{\"zone\":1}"]
            #expect(assembly.calls.map(\.arguments) == expected, "after \(split) events")
        }
    }

    private static func fragments(before split: Int) -> [ToolCallFragment] {
        let all: [Int: ToolCallFragment] = [
            3: .init(index: 1, id: "t1", name: "sky"), 4: .init(index: 1, arguments: "{\"city\":"),
            5: .init(index: 1, arguments: "\"Rome\"}"), 7: .init(index: 2, id: "t2", name: "time"),
            8: .init(index: 2, arguments: "{\"zone\":1}"),
        ]
        return all.filter { $0.key < split }.sorted { $0.key < $1.key }.map(\.value)
    }

    @Test func endOfAResumedStreamKnowsItsCalls() async throws {
        let output = #""output":[{"type":"function_call","call_id":"t1","name":"sky","arguments":"{}"}]"#
        let last = #""response.completed","response":{"id":"r","status":"completed",\#(output)}"#
        let transport = InMemoryTransport(response(Self.events([last])))
        let position = StreamPosition(streamID: "req-1", lastEventID: "6")
        var reasons: [FinishReason?] = []
        for try await piece in try client(of: transport).chat.resume(position, route: .responses) {
            reasons.append(piece.choices.first?.finishReason)
        }
        #expect(reasons == [.toolCalls])
    }
}
