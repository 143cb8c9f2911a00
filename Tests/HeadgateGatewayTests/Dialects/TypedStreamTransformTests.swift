import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Complete streams of typed events, split at every byte.
@Suite struct TypedStreamTransformTests {
    private static let doneAfter = "data: [DONE]\n\n"

    /// Members next to `type` and `sequence_number` in each event of Responses.
    private static let responseEvents: [(String, String)] = [
        ("audio.delta", #""delta":"AAAA""#), ("audio.done", ""), ("audio.transcript.delta", #""delta":"a""#),
        ("audio.transcript.done", ""),
        ("code_interpreter_call_code.delta", #""delta":"1","item_id":"i","output_index":0"#),
        ("code_interpreter_call_code.done", #""code":"1","item_id":"i","output_index":0"#),
        ("code_interpreter_call.in_progress", #""item_id":"i","output_index":0"#),
        ("code_interpreter_call.interpreting", #""item_id":"i","output_index":0"#),
        ("code_interpreter_call.completed", #""item_id":"i","output_index":0"#),
        ("compaction.compacting", #""item_id":"i","output_index":0"#),
        ("output_item.added", #""item":{"id":"i","type":"message","model":"inner","status":"in_progress"}"#),
        ("content_part.added", #""content_index":0,"part":{"type":"output_text","text":""}"#),
        ("output_text.delta", #""delta":"a","logprobs":[]"#),
        ("output_text.annotation.added", #""annotation":{"type":"url_citation"},"annotation_index":0"#),
        ("output_text.done", #""text":"a","logprobs":[]"#), ("content_part.done", #""part":{"type":"output_text"}"#),
        ("output_item.done", #""item":{"id":"i","type":"message"}"#),
        ("file_search_call.in_progress", #""item_id":"i""#), ("file_search_call.searching", #""item_id":"i""#),
        ("file_search_call.completed", #""item_id":"i""#),
        ("function_call_arguments.delta", #""delta":"{\"a\"""#), ("function_call_arguments.done", #""arguments":"{}""#),
        ("shell_call_command.added", #""command":"""#),
        ("shell_call_command.delta", #""delta":"ls","obfuscation":"x""#),
        ("shell_call_command.done", #""command":"ls""#),
        ("shell_call_output_content.delta", #""delta":{"stdout":"a"}"#),
        ("shell_call_output_content.done", #""output":[]"#),
        ("reasoning_summary_part.added", #""part":{"type":"summary_text","text":""},"summary_index":0"#),
        ("reasoning_summary_text.delta", #""delta":"hm""#), ("reasoning_summary_text.done", #""text":"hm""#),
        ("reasoning_summary_part.done", #""part":{},"status":"incomplete""#),
        ("reasoning_text.delta", #""delta":"hm""#), ("reasoning_text.done", #""text":"hm""#),
        ("refusal.delta", #""delta":"no""#), ("refusal.done", #""refusal":"no""#),
        ("web_search_call.in_progress", #""item_id":"i""#), ("web_search_call.searching", #""item_id":"i""#),
        ("web_search_call.completed", #""item_id":"i""#),
        ("image_generation_call.in_progress", #""item_id":"i""#),
        ("image_generation_call.generating", #""item_id":"i""#),
        ("image_generation_call.partial_image", #""partial_image_b64":"AA==","partial_image_index":0"#),
        ("image_generation_call.completed", #""item_id":"i""#), ("mcp_call.in_progress", #""item_id":"i""#),
        ("mcp_call_arguments.delta", #""delta":"{""#), ("mcp_call_arguments.done", #""arguments":"{}""#),
        ("mcp_call.failed", #""item_id":"i""#), ("mcp_call.completed", #""item_id":"i""#),
        ("mcp_list_tools.in_progress", #""item_id":"i""#), ("mcp_list_tools.failed", #""item_id":"i""#),
        ("mcp_list_tools.completed", #""item_id":"i""#), ("custom_tool_call_input.delta", #""delta":"a""#),
        ("custom_tool_call_input.done", #""input":"a""#), ("event.of.the.future", #""x":{"y":[1, 2.50]}"#),
    ]

    @Test(arguments: [
        (Typed.events(Typed.message), 5), (Typed.events(Array(Typed.message.dropLast(3))), 5),
        (Typed.events(Typed.start, Typed.blockStart), 0),
        (
            Typed.events(
                Typed.start, #"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}"#,
                #"{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{\"a\""}}"#), 8
        ),
    ]) func modelOutputIsCounted(_ stream: String, _ octets: Int) {
        #expect(Relayed.everyWay(typed: stream, options: Relayed.messages()).octets == octets)
    }

    @Test func outputOfAResponseIsCountedOnce() {
        let whole = #"{"type":"response.output_text.done","sequence_number":3,"text":"Hello"}"#
        let stream = Typed.events(Typed.created, Typed.outputText("Hel", 1), Typed.outputText("lo", 2), whole)
        #expect(Relayed.everyWay(typed: stream, options: Relayed.responses()).octets == 5)
    }

    @Test func everyEventOfAResponsePassesInItsOrder() {
        let events = TypedStreamTransformTests.responseEvents
        // The events are divided among several streams, because each stream is split at every byte.
        for start in stride(from: 0, to: events.count, by: 9) {
            var documents = [
                Typed.created, Typed.state("queued", "queued", 1), Typed.state("in_progress", "in_progress", 2),
            ]
            for (type, rest) in events[start..<min(start + 9, events.count)] {
                documents.append(
                    #"{"type":"response.\#(type)","sequence_number":\#(documents.count)\#(rest.isEmpty ? "" : ",")\#(rest)}"#
                )
            }
            documents.append(Typed.state("completed", "completed", documents.count))
            let stream = Typed.events(documents)
            let relayed = Relayed.everyWay(typed: stream, options: Relayed.responses())
            #expect(relayed.text == stream + TypedStreamTransformTests.doneAfter)
            #expect(relayed.end == .finished && relayed.finishReason == "completed")
            #expect(relayed.events == documents.count)
        }
    }

    @Test(arguments: ["completed", "incomplete"]) func responseEndsAtItsTerminalEvent(_ word: String) {
        let usage = #"{"input_tokens":9,"output_tokens":12}"#
        let stream = Typed.events(Typed.created, Typed.state(word, word, 1, usage: usage))
        for rest in ["", "data: [DONE]\n\n", Typed.events(Typed.outputText("late", 2)), "event: error\ndata: {}\n\n"] {
            let relayed = Relayed.everyWay(typed: stream + rest, options: Relayed.responses())
            #expect(relayed.text == stream + TypedStreamTransformTests.doneAfter)
            #expect(relayed.end == .finished)
            #expect(relayed.finishReason == word && relayed.tokens == [9, 12])
        }
    }

    @Test func everyEventOfAMessagePassesInItsOrder() {
        let deltas = [
            #"{"type":"input_json_delta","partial_json":"{\"a\""}"#, #"{"type":"thinking_delta","thinking":"hm"}"#,
            #"{"type":"signature_delta","signature":"s"}"#, #"{"type":"citations_delta","citation":{"x":1}}"#,
            #"{"type":"delta_of_the_future","y":null}"#,
        ].map { #"{"type":"content_block_delta","index":1,"delta":\#($0)}"# }
        let future = #"{"type":"event_of_the_future","x":[1.0,  "é"]}"#
        let documents =
            [Typed.start, Typed.ping, Typed.blockStart, Typed.text("a"), Typed.blockStop] + deltas
            + [future, Typed.messageDelta, Typed.messageStop]
        let stream = Typed.events(documents)
        let relayed = Relayed.everyWay(typed: stream + Typed.events(Typed.ping), options: Relayed.messages())
        #expect(relayed.text == stream)
        #expect(relayed.end == .finished)
        #expect(relayed.events == documents.count)
        #expect(relayed.tokens == [9, 12])
        #expect(relayed.finishReason == "end_turn")
    }

    @Test func eventIsNamedByItsType() {
        let stream = Typed.message.map { "data: \($0)\n\n" }.joined()
        #expect(Relayed.everyWay(typed: stream, options: Relayed.messages()).text == Typed.events(Typed.message))
        let wrong = Typed.message.map { "event: message\nid: 3\ndata:\($0)\n\n" }.joined()
        #expect(Relayed.everyWay(typed: wrong, options: Relayed.messages()).text == Typed.events(Typed.message))
    }

    @Test(arguments: ["\r\n", "\r"]) func otherLineEndsBecomeLineFeeds(_ lineEnd: String) {
        let stream = Typed.events(Typed.response)
        let relayed = Relayed.everyWay(typed: stream.replacing("\n", with: lineEnd), options: Relayed.responses())
        #expect(relayed.text == stream + TypedStreamTransformTests.doneAfter)
    }

    @Test func byteOrderMarkAndCommentsDoNotPass() {
        let stream = Typed.events(Typed.message)
        let relayed = Relayed.everyWay(
            typed: "\u{FEFF}: hello\n\nretry: 3\n\n" + stream.replacing("event: ping", with: ": x\nevent: ping"),
            options: Relayed.messages())
        #expect(relayed.text == stream)
    }

    @Test func eventWithoutDataIsNotRelayed() {
        let stream = Typed.events(Typed.message)
        let relayed = Relayed.everyWay(
            typed: "event: ping\ndata:\n\nevent: ping\n\nevent: ping\ndata: hello\n\n" + stream,
            options: Relayed.messages())
        #expect(relayed.text == stream && relayed.events == Typed.message.count)
    }

    @Test func dataLinesOfOneDocumentBecomeOneLine() {
        let lines = "event: x\ndata: {\"type\":\"x\",\ndata:  \"text\":\"he\ndata: llo\"}\n\n"
        let relayed = Relayed.everyWay(typed: lines + Typed.events(Typed.messageStop), options: Relayed.messages())
        #expect(
            relayed.text == "event: x\ndata: {\"type\":\"x\",  \"text\":\"hello\"}\n\n"
                + Typed.events(Typed.messageStop)
        )
    }

    @Test func splitDocumentBecomesOneEvent() {
        let parts = "event: x\ndata: {\"type\":\"x\",\"a\":\"b\n\nevent: x\ndata: c\"}\n\n"
        let relayed = Relayed.everyWay(typed: parts + Typed.events(Typed.messageStop), options: Relayed.messages())
        #expect(relayed.text == Typed.events(#"{"type":"x","a":"bc"}"#, Typed.messageStop))
    }

    @Test func modelIsRenamedOnlyInItsMember() {
        let options = Relayed.responses(publicModel: #"org/"new""#)
        let content = Typed.outputText(#"\"model\":\"inner\""#, 2)
        let relayed = Relayed.everyWay(
            typed: Typed.events(Typed.created, Typed.inProgress, content, Typed.completed), options: options)
        func renamed(_ document: String) -> String { document.replacing(#""inner""#, with: #""org/\"new\"""#) }
        #expect(
            relayed.text
                == Typed.events(renamed(Typed.created), renamed(Typed.inProgress), content, renamed(Typed.completed))
                + TypedStreamTransformTests.doneAfter)
        let message = Relayed.everyWay(
            typed: Typed.events(Typed.message), options: Relayed.messages(publicModel: "new"))
        #expect(
            message.text
                == Typed.events([Typed.start.replacing("inner", with: "new")] + Typed.message.dropFirst()))
    }

    @Test func invalidUTF8IsRepairedInText() {
        let bytes =
            Array(#"data: {"type":"x","a":"b"#.utf8) + [0xE2, 0x82, 0xFF] + Array("\"}\n\n".utf8)
            + Array(Typed.events(Typed.messageStop).utf8)
        let relayed = Relayed.everyWay(typed: bytes, options: Relayed.messages())
        #expect(relayed.text == Typed.events(#"{"type":"x","a":"b\#u{FFFD}\#u{FFFD}"}"#, Typed.messageStop))
    }

    @Test func lastEventCountsWithoutItsBlankLineIfTheBodyEndsCleanly() {
        let whole = Typed.events(Typed.response)
        let cut = String(whole.dropLast(2))
        let clean = Relayed.everyWay(typed: cut, end: .clean, options: Relayed.responses())
        #expect(clean.text == whole + TypedStreamTransformTests.doneAfter && clean.end == .finished)
        let broken = Relayed.everyWay(typed: cut, end: .broken, options: Relayed.responses())
        #expect(broken.code == "upstream_incomplete")
    }

    @Test func onlyContentIsProgress() {
        let cases: [(TypedStreamTransform.Options, [(String, Bool)])] = [
            (
                Relayed.messages(),
                [
                    (": comment\n\n", false), (Typed.events(Typed.start), false), (Typed.events(Typed.ping), false),
                    (Typed.events(Typed.blockStart), false), (Typed.events(Typed.text("a")), true),
                    ("event: ping\ndata:\n\n", false), (Typed.events(Typed.messageStop), true),
                ]
            ),
            (
                Relayed.responses(),
                [
                    (Typed.events(Typed.created), false), (Typed.events(Typed.inProgress), false),
                    (Typed.events(#"{"type":"keepalive","sequence_number":2}"#), false),
                    (Typed.events(#"{"type":"response.output_item.added","item":{"type":"message"}}"#), false),
                    (Typed.events(#"{"type":"response.content_part.added","part":{"text":""}}"#), false),
                    (Typed.events(#"{"type":"response.reasoning_summary_part.added","part":{}}"#), false),
                    (Typed.events(Typed.outputText("a", 3)), true), (Typed.events(Typed.completed), true),
                ]
            ),
        ]
        let failed = [(Typed.events(Typed.created, Typed.state("failed", "failed", 1)), false)]
        for (options, steps) in cases + [(Relayed.responses(), failed)] {
            let transform = TypedStreamTransform(options: options)
            var output: [UInt8] = []
            for (text, isProgress) in steps {
                _ = Array(text.utf8).withUnsafeBytes { transform.receive($0, into: &output) }
                #expect(transform.madeProgress == isProgress, "\(text)")
            }
        }
    }
}
