import Testing

@testable import HeadgateDialects

@Suite("The writer of Responses streams")
struct ResponsesStreamWriterTests {
    private static let start = ResponseEvent.started(id: "up", model: "m")

    @Test("writes a text byte by byte")
    func golden() throws {
        let stream = try WrittenResponsesStream([
            Self.start, .text("a\"é\n"), .text(""), .text("b"), .usage(TokenUsage(input: 3, output: 2)),
            .finished(.stop), .usage(TokenUsage(cachedInput: 1, output: 4)), .ended, .ended,
        ])
        let echo =
            #""instructions":null,"max_output_tokens":null,"max_tool_calls":null,"metadata":{},"#
            + #""parallel_tool_calls":true,"prompt_cache_key":null,"reasoning":{"effort":null,"summary":null},"#
            + #""safety_identifier":null,"temperature":null,"text":{"format":{"type":"text"}},"tool_choice":"auto","#
            + #""tools":[],"top_p":null,"user":null"#
        func response(_ status: String, _ completed: String, _ output: String, _ usage: String) -> String {
            #""response":{"id":"resp_x1","object":"response","created_at":1700000000,"status":"\#(status)","#
                + #""completed_at":\#(completed),"background":false,"error":null,"incomplete_details":null,"#
                + #""model":"smart","output":[\#(output)],"previous_response_id":null,"store":false,"#
                + #""truncation":"disabled","usage":\#(usage),\#(echo)}"#
        }
        let usage =
            #"{"input_tokens":3,"input_tokens_details":{"cached_tokens":1,"cache_write_tokens":0},"output_tokens":4,"#
            + #""output_tokens_details":{"reasoning_tokens":0},"total_tokens":7}"#
        let part = #"{"type":"output_text","text":"a\"é\nb","annotations":[],"logprobs":[]}"#
        let item =
            #"{"id":"msg_x1_0","type":"message","status":"completed","role":"assistant","content":[\#(part)]}"#
        let place = #""item_id":"msg_x1_0","output_index":0,"content_index":0"#
        let expected = [
            ("response.created", response("in_progress", "null", "", "null")),
            ("response.in_progress", response("in_progress", "null", "", "null")),
            (
                "response.output_item.added",
                #""output_index":0,"item":{"id":"msg_x1_0","type":"message","status":"in_progress","#
                    + #""role":"assistant","content":[]}"#
            ),
            (
                "response.content_part.added",
                #"\#(place),"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}"#
            ),
            ("response.output_text.delta", #"\#(place),"delta":"a\"é\n","logprobs":[]"#),
            ("response.output_text.delta", #"\#(place),"delta":"b","logprobs":[]"#),
            ("response.output_text.done", #"\#(place),"text":"a\"é\nb","logprobs":[]"#),
            ("response.content_part.done", #"\#(place),"part":\#(part)"#),
            ("response.output_item.done", #""output_index":0,"item":\#(item)"#),
            ("response.completed", response("completed", "1700000000", item, usage)),
        ]
        var text = ""
        for (number, (type, members)) in expected.enumerated() {
            text += "event: \(type)\ndata: {\"type\":\"\(type)\",\"sequence_number\":\(number),\(members)}\n\n"
        }
        #expect(stream.text == text + "data: [DONE]\n\n")
        stream.checkWhole()
    }

    @Test("gives reasoning a summary and its seal, and ends each item when another kind begins")
    func reasoning() throws {
        let stream = try WrittenResponsesStream([
            Self.start, .reasoning("th"), .reasoning("ink"), .reasoningSeal(ReasoningSeal(.messages, "S")),
            .reasoningSeal(ReasoningSeal(.responses, "H")), .text("a"), .reasoning("more"), .text("b"),
            .refusal("no"), .finished(.stop), .ended,
        ])
        stream.checkWhole()
        #expect(
            stream.steps.prefix(7) == [
                "0 output_item.added", "0 reasoning_summary_part.added", "0 reasoning_summary_text.delta",
                "0 reasoning_summary_text.delta", "0 reasoning_summary_text.done", "0 reasoning_summary_part.done",
                "0 output_item.done",
            ])
        let summary: JSONValue = [["type": "summary_text", "text": "think"]]
        #expect(
            stream.output[0] == [
                "id": "rs_x1_0", "type": "reasoning", "summary": summary, "encrypted_content": "headgate:messages::S",
            ])
        #expect(stream.output[1] == ["id": "rs_x1_1", "type": "reasoning", "summary": [], "encrypted_content": "H"])
        #expect(
            stream.output.map { $0["type"]?.string } == ["reasoning", "reasoning", "message", "reasoning", "message"])
        // This mark is for the next request; no provider accepts it.
        #expect(stream.output[3]["encrypted_content"] == "headgate:chat::")
        #expect(stream.output[4]["content"]?.array?.map { $0["type"] } == ["output_text", "refusal"])
        #expect(stream.steps.suffix(5).first == "4 content_part.added")
    }

    @Test("separates calls with alternating fragments, under the client's names")
    func calls() throws {
        var context = ResponseContext.example
        context.toolNames = ["a_b": "a.b"]
        context.echo = ResponsesEcho.members(
            of: JSONObject([
                .init(
                    name: "tools",
                    value: [["type": "namespace", "name": "ns", "tools": [["type": "function", "name": "inner"]]]])
            ]))
        let stream = try WrittenResponsesStream(
            [
                Self.start, .text("t"), .toolCall(index: 0, id: "c0", name: "a_b", isCustom: false),
                .toolArguments(index: 0, #"{"x"#), .toolCall(index: 1, id: "c1", name: "inner", isCustom: false),
                .toolArguments(index: 1, "{"), .toolArguments(index: 0, #"":1}"#), .toolArguments(index: 1, "}"),
                .toolCall(index: 2, id: "", name: "f", isCustom: false), .toolArguments(index: 9, "lost"),
                .finished(.toolCalls), .ended,
            ], context)
        stream.checkWhole()
        #expect(
            stream.output.dropFirst() == [
                [
                    "id": "fc_x1_1", "type": "function_call", "status": "completed", "call_id": "c0", "name": "a.b",
                    "arguments": #"{"x":1}"#,
                ],
                [
                    "id": "fc_x1_2", "type": "function_call", "status": "completed", "call_id": "c1", "name": "inner",
                    "namespace": "ns", "arguments": "{}",
                ],
                [
                    "id": "fc_x1_3", "type": "function_call", "status": "completed", "call_id": "call_x1_3",
                    "name": "f", "arguments": "{}",
                ],
            ])
        #expect(stream.response["status"] == "completed")
    }

    @Test(
        "gives free-text tools their text, whether or not the upstream wraps it",
        arguments: [
            (false, ["{\"input\":\"*** Be", "gin\\n\"}"], "*** Begin\n"), (true, ["*** Be", "gin\n"], "*** Begin\n"),
            (false, ["{\"input\":\"cut"], "{\"input\":\"cut"), (false, ["{\"other\":1}"], "{\"other\":1}"),
            (false, [], ""),
        ])
    func customTools(isCustom: Bool, pieces: [String], text: String) throws {
        var context = ResponseContext.example
        context.customTools = ["apply_patch"]
        let stream = try WrittenResponsesStream(
            [Self.start, .toolCall(index: 0, id: "c", name: "apply_patch", isCustom: isCustom)]
                + pieces.map { .toolArguments(index: 0, $0) } + [.finished(.toolCalls), .ended], context)
        stream.checkWhole()
        #expect(
            stream.output == [
                [
                    "id": "ctc_x1_0", "type": "custom_tool_call", "status": "completed", "call_id": "c",
                    "name": "apply_patch", "input": .string(text),
                ]
            ])
        #expect(stream.types.contains("response.custom_tool_call_input.done"))
    }

    @Test(
        "writes the reason for the end",
        arguments: [
            (ResponseEnd.stop, "completed", nil), (.stopSequence("x"), "completed", nil),
            (.toolCalls, "completed", nil), (.length, "incomplete", "max_output_tokens"),
            (.refused, "incomplete", "content_filter"), (.paused, "incomplete", "max_output_tokens"),
        ] as [(ResponseEnd, String, String?)])
    func ends(end: ResponseEnd, status: String, reason: String?) throws {
        let stream = try WrittenResponsesStream([Self.start, .text("a"), .finished(end), .ended])
        stream.checkWhole()
        #expect(stream.types.last == "response.\(status)")
        #expect(stream.response["status"]?.string == status)
        #expect(stream.response["incomplete_details"]?["reason"]?.string == reason)
        #expect(stream.output[0]["status"]?.string == status)
        #expect(stream.response["completed_at"] == (reason == nil ? .integer(1_700_000_000) : .null))
    }

    @Test("marks the truncated item: the last one")
    func cut() throws {
        let calls: [ResponseEvent] = [
            .toolCall(index: 0, id: "a", name: "f", isCustom: false),
            .toolCall(index: 1, id: "b", name: "f", isCustom: false), .toolArguments(index: 1, #"{"x"#),
        ]
        for (last, statuses) in [
            ([], ["completed", "incomplete"]), ([.text("t")], ["completed", "completed", "incomplete"]),
        ] as [([ResponseEvent], [String])] {
            let stream = try WrittenResponsesStream([Self.start] + calls + last + [.finished(.length), .ended])
            stream.checkWhole()
            #expect(stream.output.map { $0["status"]?.string } == statuses)
            #expect(stream.output.compactMap { $0["arguments"]?.string } == ["{}", #"{"x"#])
        }
    }

    @Test("completes a stream that the upstream ends without a reason, and one without content")
    func bareEnd() throws {
        for events in [[Self.start, .text("a"), .ended], [.ended]] {
            let stream = try WrittenResponsesStream(events)
            stream.checkWhole()
            #expect(stream.types.last == "response.completed")
            #expect(stream.response["usage"] == .some(nil))
        }
    }

    @Test("writes nothing for an error, which is the gateway's to report")
    func failure() throws { #expect(try WrittenResponsesStream([.failed]).text == "") }

    @Test("repeats the request in its events")
    func echo() throws {
        let body = try JSONValue(
            Array(
                #"""
                {"model":"up","input":"long","instructions":"i","tools":[{"type":"function","name":"f"}],"top_p":0.5,
                 "tool_choice":"required","reasoning":{"effort":"low"},"text":{"verbosity":"low"},"metadata":{"a":"b"}}
                """#.utf8))
        var context = ResponseContext.example
        context.echo = ResponsesEcho.members(of: try #require(body.object))
        let response = try WrittenResponsesStream([.ended], context).response
        #expect(response["model"] == "smart")
        #expect(response["input"] == nil)
        for name in ["instructions", "tools", "top_p", "tool_choice", "metadata"] {
            #expect(response[name] == body[name])
        }
        #expect(response["reasoning"] == ["effort": "low", "summary": nil])
        #expect(response["text"] == ["verbosity": "low", "format": ["type": "text"]])
    }

    @Test("holds no more than its cap")
    func cap() throws {
        var writer = ResponsesStreamWriter(.example, mostHeld: 1000)
        var output: [UInt8] = []
        for _ in 0..<7 { try writer.write(.text(String(repeating: "a", count: 100)), to: &output) }
        #expect(throws: ResponseFault.oversize) {
            try writer.write(.text(String(repeating: "a", count: 100)), to: &output)
        }
        // An item counts as 256 bytes.
        for (most, fits) in [(956, true), (955, false)] {
            var exact = ResponsesStreamWriter(.example, mostHeld: most)
            for _ in 0..<6 { try exact.write(.text(String(repeating: "a", count: 100)), to: &output) }
            let last: Void? = try? exact.write(.text(String(repeating: "a", count: 100)), to: &output)
            #expect((last != nil) == fits)
        }
        var calls = ResponsesStreamWriter(.example, mostHeld: 1000)
        #expect(throws: ResponseFault.oversize) {
            for index in 0..<4 {
                try calls.write(.toolCall(index: index, id: "", name: "", isCustom: false), to: &output)
            }
        }
    }
}
