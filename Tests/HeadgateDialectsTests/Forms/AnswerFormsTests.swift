import Testing

@testable import HeadgateDialects

/// Conversions between the two forms of a response.
@Suite struct AnswerFormsTests {
    private static let formats: [(WireFormat, AnswerFormat)] = [
        (.chat, .chat), (.messages, .messages), (.responses, .responses),
    ]

    private func document(of stream: String, _ format: AnswerFormat) throws -> JSONValue {
        try JSONValue(try #require(AnswerForms.document(of: Array(stream.utf8), in: format)))
    }

    @Test(arguments: formats) func bothFormsHaveTheStreamsContent(_ wire: WireFormat, _ format: AnswerFormat) throws {
        for seed in 0..<100 as Range<UInt64> {
            let events = RandomResponse.events(seed: seed)
            let stream = try Streams.write(events, as: wire)
            let document = try #require(AnswerForms.document(of: stream, in: format), "seed \(seed)")
            let again = try #require(AnswerForms.stream(of: document, in: format), "seed \(seed)")
            let summary = Streams.Summary(try Streams.read(again, as: wire))
            try #require(summary == Streams.Summary(events), "seed \(seed)")
            // A second conversion loses nothing.
            #expect(try JSONValue(try #require(AnswerForms.document(of: again, in: format))) == JSONValue(document))
        }
    }

    @Test(arguments: [
        (
            AnswerFormat.chat,
            #"""
            {"id":"c","object":"chat.completion","created":1,"model":"m","service_tier":"default","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","refusal":null,"annotations":[{"type":"url_citation"}]},"logprobs":{"content":[{"token":"Hi","logprob":-0.50}],"refusal":null},"finish_reason":"stop"},{"index":1,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"custom","custom":{"name":"g","input":"x"}}]},"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"prompt_tokens_details":{"cached_tokens":1}}}
            """#
        ),
        (
            .completion,
            #"""
            {"id":"c","object":"text_completion","created":1,"model":"m","choices":[{"index":0,"text":"Hi","logprobs":{"tokens":["H","i"],"text_offset":[0,1]},"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}
            """#
        ),
        (
            .messages,
            #"""
            {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"T","signature":"S"},{"type":"redacted_thinking","data":"R"},{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","url":"u"}]},{"type":"text","text":"Hi","citations":[{"type":"char_location","cited_text":"x"}]},{"type":"tool_use","id":"t","name":"f","input":{"a":[1.50,{}]}},{"type":"tool_use","id":"u","name":"g","input":{}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":9,"cache_creation_input_tokens":1,"output_tokens":5,"service_tier":"standard"}}
            """#
        ),
        (
            .responses,
            #"""
            {"id":"resp_1","object":"response","created_at":1,"completed_at":2,"status":"completed","model":"m","output":[{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"T"}],"encrypted_content":"E"},{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[{"type":"url_citation"}],"logprobs":[]},{"type":"refusal","refusal":"No"}]},{"id":"fc_1","type":"function_call","status":"completed","call_id":"a","name":"f","arguments":"{}"},{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search"}}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3},"metadata":{}}
            """#
        ),
    ])
    func wholeAnswerIsTheSameAfterItsStream(_ format: AnswerFormat, _ text: String) throws {
        let document = Array(text.utf8)
        let stream = try #require(AnswerForms.stream(of: document, in: format))
        let again = try JSONValue(try #require(AnswerForms.document(of: stream, in: format)))
        #expect(again.sorted == (try JSONValue(document)).sorted)
    }

    @Test func itemsOfAStreamBeginInProgressAndWithoutContent() throws {
        let answer = #"""
            {"id":"r","object":"response","status":"completed","output":[{"id":"rs","type":"reasoning","summary":[]},{"id":"fc","type":"function_call","status":"completed","name":"f","arguments":"{}"}]}
            """#
        let stream = try #require(AnswerForms.stream(of: Array(answer.utf8), in: .responses))
        let begun = try String(decoding: stream, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("data: ") && $0.contains("response.output_item.added") }
            .map { try JSONValue(Array($0.dropFirst(6).utf8))["item"] }
        #expect(begun.map { $0?["status"] } == [nil, "in_progress"])
        #expect(begun.map { $0?["arguments"] } == [nil, ""])
    }

    @Test func repeatedTextIsNotDoubled() throws {
        let stream = """
            data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\\"x\\""}}]}}]}

            data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":":1}"}}]},"finish_reason":"tool_calls"}]}

            data: {"id":"c","choices":[],"usage":{"prompt_tokens":1}}

            data: [DONE]


            """
        let message = try document(of: stream, .chat)["choices"]?.array?.first?["message"]
        let call = try #require(message?["tool_calls"]?.array?.first)
        #expect(
            call.text == #"{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}"#)
        #expect(message?["role"] == "assistant" && message?["content"] == .null)
    }

    private static let end = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{}}"#

    /// Returns the whole response of these chunks followed by an end; nil if they do not form one.
    private func whole(_ chunks: [String]) throws -> JSONValue? {
        let stream = (chunks + [Self.end]).map { "data: \($0)\n\n" }.joined()
        return try AnswerForms.document(of: Array(stream.utf8), in: .chat).map { try JSONValue($0) }
    }

    private func calls(_ elements: String, _ rest: String = "") -> String {
        #"{"choices":[{"index":0,"delta":{"tool_calls":[\#(elements)]}\#(rest)}]}"#
    }

    @Test(arguments: [
        [#"{"index":0,"id":"a","function":{"name":"f"}}"#, #"{"index":0,"id":"b","function":{"name":"f"}}"#],
        [#"{"index":0,"id":"a","function":{"name":"f"}}"#, #"{"index":0,"function":{"name":"g"}}"#],
        [#"{"index":0,"function":{"name":"f"}}"#, #"{"index":0,"id":"a"}"#],
        [#"{"id":"a","function":{"name":"f","arguments":"{"}}"#, #"{"function":{"arguments":"}"}}"#],
        [#"{"index":0,"id":"a","function":{"name":"f"}},{"index":0,"function":{"arguments":"{}"}}"#],
        [#"{"index":0,"function":{"name":"f"}}"#], [#"{"index":0,"id":"a","function":{"arguments":"{}"}}"#],
        (0..<129).map { #"{"index":\#($0),"id":"a\#($0)","function":{"name":"f"}}"# },
    ])
    func ambiguousCallsAreNotJoined(_ pieces: [String]) throws {
        #expect(try whole(pieces.map { calls($0) }) == nil)
    }

    @Test func emptyLaterPiecesKeepTheIdAndNameOfACall() throws {
        let answer = try whole([
            calls(#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{"}}"#),
            calls(#"{"index":0,"id":"","type":"function","function":{"name":"","arguments":"}"}}"#),
            calls(#"{"index":0,"id":null,"function":{"name":null,"arguments":" "}}"#),
        ])
        #expect(
            answer?["choices"]?.array?.first?["message"]?["tool_calls"]?.text
                == #"[{"id":"a","type":"function","function":{"name":"f","arguments":"{} "}}]"#)
    }

    @Test func memberThatIsEmptyAtFirstIsWhatALaterPieceSays() throws {
        let answer = try whole([
            #"{"choices":[{"index":0,"delta":{"role":"","content":"a"}}]}"#,
            #"{"choices":[{"index":0,"delta":{"role":"assistant","content":"b"}}]}"#,
        ])
        let message = answer?["choices"]?.array?.first?["message"]
        #expect(message?["role"] == "assistant" && message?["content"] == "ab")
    }

    @Test func unknownMembersMustBeEqualToBeJoined() throws {
        func chunk(_ severity: String) -> String {
            #"{"choices":[{"index":0,"delta":{"content":"a"},"native_finish_reason":"stop","content_filter_results":{"hate":{"severity":"\#(severity)"}}}]}"#
        }
        let choice = try #require(try whole([chunk("safe"), chunk("safe")])?["choices"]?.array?.first)
        #expect(choice["message"]?["content"] == "aa" && choice["native_finish_reason"] == "stop")
        #expect(choice["content_filter_results"]?["hate"]?["severity"] == "safe")
        #expect(try whole([chunk("safe"), chunk("low")]) == nil)
        #expect(try whole([#"{"model":"m","choices":[]}"#, #"{"model":"n","choices":[]}"#]) == nil)
    }

    @Test func messageNextToItsPiecesIsNotJoined() throws {
        let chunk = #"{"choices":[{"index":0,"delta":{"content":"a"},"message":{"content":"a"}}]}"#
        #expect(try whole([chunk]) == nil)
        let both =
            #"{"choices":[{"index":0,"message":{"content":"a"},"delta":{},"finish_reason":"stop"}],"usage":{}}"#
        #expect(AnswerForms.stream(of: Array(both.utf8), in: .chat) == nil)
    }

    @Test func firstNonEmptyIDStays() throws {
        let answer = try whole([
            #"{"id":"","created":0,"model":"","choices":[]}"#, #"{"id":"c","created":7,"model":"m","choices":[]}"#,
            #"{"id":"","created":8,"model":"","choices":[]}"#, #"{"id":"d","created":9,"choices":[]}"#,
        ])
        #expect(answer?["id"] == "c" && answer?["created"] == 7 && answer?["model"] == "m")
    }

    @Test func partsWithoutLogProbabilitiesGetNone() throws {
        let response =
            #"{"status":"completed","output":[{"id":"m","type":"message","content":[{"type":"refusal","refusal":"No"}]}]}"#
        let stream = try #require(AnswerForms.stream(of: Array(response.utf8), in: .responses))
        #expect(!String(decoding: stream, as: UTF8.self).contains("logprobs"))
    }

    @Test func laterItemsReplaceAnEmptyListOfAResponse() throws {
        let stream = """
            event: response.output_item.done
            data: {"type":"response.output_item.done","output_index":0,"item":{"type":"message"}}

            event: response.completed
            data: {"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}


            """
        #expect(try document(of: stream, .responses)["output"]?.text == #"[{"type":"message"}]"#)
    }

    @Test(arguments: [
        // No usage, no end, an error, a call whose name changes, or not an object.
        (AnswerFormat.chat, #"{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}"#),
        (.chat, #"{"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{}}"#),
        (.chat, #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{},"error":{"message":"x"}}"#),
        (.chat, #"{"choices":[],"usage":{}}"#), (.chat, "[1]"), (.chat, "{"),
        (.completion, #"{"choices":[{"index":0,"text":"a"}],"usage":{}}"#),
        (.messages, #"{"type":"message_start","message":{"stop_reason":"end_turn","content":[]}}"#),
        (.messages, #"{"type":"message_stop"}"#), (.messages, #"{"type":"error","error":{}}"#),
        (.messages, #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#),
        (.responses, #"{"type":"response.failed","response":{"status":"failed","output":[]}}"#),
        (.responses, #"{"type":"response.created","response":{"status":"in_progress","output":[]}}"#),
    ])
    func incompleteStreamIsNotAWholeResponse(_ format: AnswerFormat, _ event: String) {
        #expect(AnswerForms.document(of: Array("data: \(event)\n\ndata: [DONE]\n\n".utf8), in: format) == nil)
    }

    /// Streams of upstreams that were not asked to stream, and the assembled response; an empty text if there is none.
    @Test(arguments: [
        (
            AnswerFormat.chat,
            [
                #"{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"a"}}]}"#,
                #"{"id":"c","model":"n","choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}"#,
            ],
            #"{"id":"c","model":"n","choices":[{"index":0,"message":{"content":"ab","role":"assistant"},"finish_reason":"stop"}],"object":"chat.completion"}"#
        ),
        (
            .chat, [#"{"choices":[{"delta":{"content":"a"}}]}"#],
            #"{"object":"chat.completion","choices":[{"index":0,"message":{"content":"a","role":"assistant"},"finish_reason":"stop"}]}"#
        ),
        (
            .chat,
            [
                #"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]}}]}"#,
                #"{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"}"}}]}}]}"#,
                #"{"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"g","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"x_groq":{"usage":{"prompt_tokens":1}}}"#,
            ],
            #"{"x_groq":{"usage":{"prompt_tokens":1}},"object":"chat.completion","choices":[{"index":0,"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"g","arguments":"{}"}}],"role":"assistant","content":null},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1}}"#
        ),
        (
            .chat,
            [
                #"{"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":"t"}]}}]}"#,
                #"{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
            ],
            #"{"object":"chat.completion","choices":[{"index":0,"message":{"content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"a"}],"role":"assistant"},"finish_reason":"stop"}]}"#
        ),
        (
            .chat, [#"{"choices":[{"index":0,"delta":{},"message":{"content":"a"},"finish_reason":"stop"}]}"#],
            #"{"object":"chat.completion","choices":[{"index":0,"message":{"content":"a","role":"assistant"},"finish_reason":"stop"}]}"#
        ),
        (
            .chat, [#"{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}"#],
            #"{"object":"chat.completion","choices":[{"index":0,"message":{"content":"a","role":"assistant"},"finish_reason":"stop"}]}"#
        ),
        (.chat, [#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a"}]}}]}"#], ""),
        (.chat, [#"{"choices":[{"index":0,"delta":{"role":"assistant"}}]}"#], ""),
        (
            .completion, [#"{"choices":[{"text":"a"}]}"#, #"{"choices":[{"text":"b","finish_reason":"length"}]}"#],
            #"{"choices":[{"index":0,"text":"ab","finish_reason":"length"}]}"#
        ),
        (
            .messages,
            [
                #"{"type":"message_start","message":{"id":"m"}}"#, #"{"type":"vendor_event"}"#,
                #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#,
                #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}"#,
                #"{"type":"message_stop"}"#,
            ],
            #"{"id":"m","stop_reason":"end_turn","content":[{"type":"text","text":"ab"}]}"#
        ),
        (
            .messages,
            [
                #"{"type":"message_start","message":{"id":"m"}}"#,
                #"{"type":"content_block_delta","index":0,"delta":{"type":"unknown_delta","x":"a"}}"#,
                #"{"type":"message_stop"}"#,
            ], ""
        ),
        (
            .responses,
            [
                #"{"type":"response.output_text.delta","output_index":0,"delta":"a"}"#,
                #"{"type":"response.output_text.delta","output_index":0,"delta":"b"}"#,
                #"{"type":"response.completed","response":{"id":"r","status":"completed"}}"#,
            ],
            #"{"id":"r","status":"completed","output":[{"id":"msg_0","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"ab","annotations":[],"logprobs":[]}]}]}"#
        ),
    ])
    func responseIsAssembledFromAvailableParts(_ format: AnswerFormat, _ events: [String], _ answer: String) throws {
        let stream = Array((events.map { "data: \($0)\n\n" }.joined() + "data: [DONE]\n\n").utf8)
        if format != .responses { #expect(AnswerForms.document(of: stream, in: format) == nil) }
        let made = try AnswerForms.document(of: stream, in: format, isStrict: false).map { try JSONValue($0) }
        let expected = try answer.isEmpty ? Optional.none : JSONValue(Array(answer.utf8)).sorted
        #expect(made?.sorted == expected)
    }

    /// Pieces are joined in place, so 16 times as many take about 16 times as long.
    @Test(arguments: [AnswerFormat.chat, .completion, .messages]) func longAnswerTakesLinearTime(
        _ format: AnswerFormat
    ) {
        let text = String(repeating: "x", count: 1024)
        let event =
            switch format {
            case .messages:
                #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\#(text)"}}"#
            case .completion: #"{"choices":[{"text":"\#(text)"}]}"#
            default: #"{"choices":[{"index":0,"delta":{"content":"\#(text)"}}]}"#
            }
        func seconds(_ count: Int) -> Double {
            let events = String(repeating: "data: \(event)\n\n", count: count)
            let start = #"data: {"type":"message_start","message":{"id":"m"},"choices":[]}"# + "\n\n"
            let stream = Array((start + events + #"data: {"type":"message_stop"}"# + "\n\n").utf8)
            let taken = (0..<3).map { _ in
                ContinuousClock().measure {
                    let document = AnswerForms.document(of: stream, in: format, isStrict: false)
                    #expect(document.map { $0.count > count * 1024 } == true)
                }
            }
            return (taken.min() ?? .zero) / .seconds(1)
        }
        let (small, large) = (seconds(250), seconds(4000))
        #expect(large < 48 * small, "250 pieces: \(small) s, 4,000: \(large) s")
    }

    @Test(arguments: [
        (AnswerFormat.chat, #"{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}"#),
        (.chat, #"{"choices":[{"index":0,"message":{"content":"a"}}],"usage":{}}"#), (.chat, #"{"error":{}}"#),
        (.chat, "[]"), (.completion, #"{"choices":[],"usage":{}}"#),
        (.messages, #"{"type":"error","error":{}}"#),
        (.messages, #"{"type":"message","content":[],"stop_reason":null,"usage":{}}"#),
        (.responses, #"{"status":"failed","output":[]}"#), (.responses, #"{"status":"completed"}"#),
    ])
    func nonResponseIsNotAStream(_ format: AnswerFormat, _ document: String) {
        #expect(AnswerForms.stream(of: Array(document.utf8), in: format) == nil)
    }
}

extension JSONValue {
    /// This value with the members of all objects sorted by name.
    fileprivate var sorted: JSONValue {
        switch self {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { .init(name: $0.name, value: $0.value.sorted) }.sorted { $0.name < $1.name }))
        case .array(let elements): .array(elements.map(\.sorted))
        case .null, .bool, .number, .string: self
        }
    }
}
